"""The Milvus adapter against the local Milvus: Milvus Lite behind gRPC, in a process of its own."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memplane.adapters.milvus import MilvusConfig, MilvusVectorIndex
from memplane.adapters.milvus.expressions import literal
from memplane.domain.errors import DeadlineExceededError, StoreUnavailableError
from memplane.domain.ids import MemoryId
from tests.contract.vector_index_contract import (
    COLLECTION,
    DIM,
    VectorIndexContract,
    all_entries,
    dense,
    keyword,
    row,
    scope,
    unit,
)
from tests.support.milvus_server import MilvusServer


def connect(server: MilvusServer, **changes: Any) -> MilvusVectorIndex:
    return MilvusVectorIndex(MilvusConfig(**{"uri": server.uri, "token": server.token, **changes}))


@pytest.fixture(scope="module")
def lite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusServer]:
    server = MilvusServer(home=tmp_path_factory.mktemp("milvus"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
async def index(lite: MilvusServer) -> AsyncIterator[MilvusVectorIndex]:
    found = connect(lite)
    yield found
    await found.close()


class TestMilvusVectorIndex(VectorIndexContract):
    """The contract, through pymilvus and gRPC."""

    @pytest.fixture
    async def index(self, lite: MilvusServer) -> AsyncIterator[MilvusVectorIndex]:
        found = connect(lite)
        yield found
        await found.close()


async def test_two_connections_see_each_others_writes(lite: MilvusServer, index: MilvusVectorIndex) -> None:
    other = connect(lite)
    try:
        await asyncio.gather(*(each.ensure_collection(collection=COLLECTION, dim=DIM) for each in (index, other)))
        await index.upsert(collection=COLLECTION, rows=[row("m1", text="tea")])
        assert await keyword(other, "tea") == ["m1"]
        await other.delete(collection=COLLECTION, scope=scope(), memory_ids=[MemoryId("m1")])
        assert await all_entries(index) == []
    finally:
        await index.drop_collection(collection=COLLECTION)
        await other.close()


async def test_a_collection_made_by_halves_is_completed(index: MilvusVectorIndex, lite: MilvusServer) -> None:
    from pymilvus import MilvusClient

    from memplane.adapters.milvus.schema import collection_schema

    client = MilvusClient(lite.uri, token=lite.token, dedicated=True, timeout=10)
    client.create_collection(COLLECTION, schema=collection_schema(DIM), timeout=10)  # and died before the indexes
    client.close()
    await index.ensure_collection(collection=COLLECTION, dim=DIM)
    await index.upsert(collection=COLLECTION, rows=[row("m1", text="tea")])
    assert await dense(index, unit(1.0)) == ["m1"]
    assert await keyword(index, "tea") == ["m1"]
    await index.drop_collection(collection=COLLECTION)


async def test_many_calls_at_once(index: MilvusVectorIndex) -> None:
    await index.ensure_collection(collection=COLLECTION, dim=DIM)
    scopes = [scope(f"u{number}") for number in range(40)]
    await index.upsert(
        collection=COLLECTION, rows=[row(f"m{number}", of=item, text="tea") for number, item in enumerate(scopes)]
    )
    found = await asyncio.gather(*(dense(index, unit(1.0), of=item) for item in scopes))
    assert found == [[f"m{number}"] for number in range(40)]
    await index.drop_collection(collection=COLLECTION)


async def test_a_lost_server_is_unavailable_at_once_and_found_again(tmp_path: Path) -> None:
    server = MilvusServer(home=tmp_path)
    server.start()
    index = connect(server)
    try:
        await index.ensure_collection(collection=COLLECTION, dim=DIM)
        await index.upsert(collection=COLLECTION, rows=[row("m1", text="tea")])
        server.stop(signal.SIGKILL)
        async with asyncio.timeout(10.0):
            for _ in range(3):
                with pytest.raises(StoreUnavailableError) as caught:
                    await dense(index, unit(1.0))
                assert caught.value.data["component"] == "milvus"
            with pytest.raises(StoreUnavailableError):
                await index.upsert(collection=COLLECTION, rows=[row("m2")])
            with pytest.raises(StoreUnavailableError):
                await index.ping(timeout_s=1.0)
        server.start()
        # No waiting and no repeating: the first call after the return works.
        assert await dense(index, unit(1.0)) == ["m1"]
        await index.upsert(collection=COLLECTION, rows=[row("m2", text="tea")])
        assert sorted(await keyword(index, "tea")) == ["m1", "m2"]
    finally:
        await index.close()
        server.stop()


async def test_a_server_that_comes_late_is_found(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        server = MilvusServer(home=tmp_path, port=probe.getsockname()[1])
    index = connect(server)
    try:
        for _ in range(2):
            with pytest.raises(StoreUnavailableError):
                await index.ping(timeout_s=2.0)
        server.start()
        await index.ping(timeout_s=10.0)
    finally:
        await index.close()
        server.stop()


async def test_a_server_that_hangs_costs_no_more_than_the_time_out(tmp_path: Path) -> None:
    server = MilvusServer(home=tmp_path)
    server.start()
    index = connect(server, write_timeout_s=0.5, max_threads=2)
    try:
        await index.ensure_collection(collection=COLLECTION, dim=DIM)
        await index.upsert(collection=COLLECTION, rows=[row("m1")])
        server.freeze()
        async with asyncio.timeout(20.0):
            searches = [
                index.search_dense(collection=COLLECTION, scope=scope(), vector=unit(1.0), limit=1, timeout_s=0.5)
                for _ in range(8)  # more than there are threads: waiting for one counts as well
            ]
            answers = await asyncio.gather(*searches, return_exceptions=True)
            assert {type(answer) for answer in answers} == {DeadlineExceededError}
            with pytest.raises(StoreUnavailableError):
                await index.upsert(collection=COLLECTION, rows=[row("m2")])
            with pytest.raises(StoreUnavailableError):
                await index.ping(timeout_s=0.5)
        server.thaw()
        assert await dense(index, unit(1.0)) in (["m1"], ["m1", "m2"])
    finally:
        server.thaw()
        await index.close()
        server.stop()


async def test_a_wrong_token_is_unavailable_and_shows_nowhere(lite: MilvusServer) -> None:
    index = connect(lite, token="not-the-token")
    try:
        with pytest.raises(StoreUnavailableError) as caught:
            await index.ping(timeout_s=5.0)
        assert (
            "not-the-token"
            not in f"{caught.value!r} {caught.value.data} {MilvusConfig(uri='', token='not-the-token')!r}"
        )
    finally:
        await index.close()


async def test_a_closed_index_may_be_closed_again(lite: MilvusServer) -> None:
    index = connect(lite)
    await index.ping(timeout_s=5.0)
    await index.close()
    await index.close()
    with pytest.raises(StoreUnavailableError):
        await index.ping(timeout_s=5.0)


@pytest.fixture(scope="module")
async def filled(lite: MilvusServer) -> AsyncIterator[MilvusVectorIndex]:
    index = connect(lite)
    await index.ensure_collection(collection=COLLECTION, dim=DIM)
    await index.upsert(collection=COLLECTION, rows=[row("bystander", of=scope("bystander"), text="tea")])
    yield index
    await index.drop_collection(collection=COLLECTION)
    await index.close()


# Heavy on what means something to a parser; surrogates cannot be sent at all.
_users = st.text(
    st.one_of(st.sampled_from(list("\"'\\\n\r\t %{}[]()=!&|$")), st.characters(exclude_categories=["Cs"])),
    min_size=1,
    max_size=24,
)


@given(user=_users)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_user_finds_and_deletes_exactly_its_own_row(filled: MilvusVectorIndex, user: str) -> None:
    own = scope("u" + user)
    await filled.upsert(collection=COLLECTION, rows=[row("own", of=own, text="tea")])
    assert await dense(filled, unit(1.0), of=own) == ["own"]
    assert await keyword(filled, "tea", of=own) == ["own"]
    await filled.delete(collection=COLLECTION, scope=own, memory_ids=[MemoryId("own"), MemoryId("bystander")])
    assert [entry.memory_id for entry in await all_entries(filled)] == ["bystander"]


@given(value=st.text(st.characters(exclude_categories=["Cs"])))
@settings(deadline=None)  # the parser is imported by the first example
def test_literals_read_back_as_they_were(value: str) -> None:
    from milvus_lite.search.filter import parse_expr

    tree = parse_expr(f"scope == {literal(value)}")
    assert tree.right.value == value
