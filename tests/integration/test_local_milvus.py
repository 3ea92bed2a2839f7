"""The local Milvus process, reached with pymilvus as a real one is."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import grpc
import numpy as np
import psutil
import pytest
from milvus_lite.search.filter import parse_expr
from pymilvus import AnnSearchRequest, DataType, Function, FunctionType, MilvusClient, MilvusException, RRFRanker
from pymilvus.grpc_gen import milvus_pb2, milvus_pb2_grpc

TOKEN = "root:local-secret"
DIM = 384
NASTY = [
    'x" or user_id != "', "x' or 1 == 1 or '", "\\", 'end\\"', '\\" or scope != "', "line\nbreak", "cr\rtab\t",
    "中文 记忆", "émoji 🧠", "%_like%", "{templ}", "a && b || !c", "[1]", "", " ", "\u2028sep", "$meta",
]  # fmt: skip
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def literal(text: str) -> str:
    """Quote a string for an expression: the five escapes are all that the parser knows and needs."""
    return '"' + "".join(_ESCAPES.get(character, character) for character in text) + '"'


@dataclass
class Server:
    """A running server process."""

    process: subprocess.Popen[str]
    port: int
    log: Path

    def client(self, token: str = TOKEN) -> MilvusClient:
        return MilvusClient(uri=f"http://127.0.0.1:{self.port}", token=token, timeout=10)

    def stop(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            os.kill(self.process.pid, number)
        try:
            return self.process.wait(timeout=40)
        finally:
            if self.process.stdout is not None:
                self.process.stdout.close()


Start = Callable[..., Server]


def launch(directory: Path, *options: str) -> Server:
    """Start the module on a free port and wait for its READY line."""
    directory.mkdir(exist_ok=True)
    secret = directory / "token"
    secret.touch(mode=0o600)
    secret.write_text(TOKEN + "\n", encoding="utf-8")
    log = directory / "server.log"
    command = [sys.executable, "-m", "memplane.adapters.local.milvus", "--port", "0"]
    command += ["--data-dir", str(directory / "data"), "--token-file", str(secret), *options]
    with log.open("a", encoding="utf-8") as stderr:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line.startswith("READY port="):
        process.wait(timeout=30)
        process.stdout.close()
        raise RuntimeError(f"not ready, exit code {process.returncode}: {log.read_text(encoding='utf-8')}")
    return Server(process=process, port=int(line.removeprefix("READY port=")), log=log)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = launch(tmp_path_factory.mktemp("milvus"))
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[MilvusClient]:
    client = server.client()
    yield client
    client.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[Server] = []

    def run(*options: str) -> Server:
        started.append(launch(tmp_path / "own", *options))
        return started[-1]

    yield run
    for each in started:
        if each.process.poll() is None:
            each.stop(signal.SIGKILL)


def create(client: MilvusClient, name: str) -> None:
    """Create a collection of the product's shape, with both indexes."""
    schema = client.create_schema(auto_id=False)
    schema.add_field("memory_id", DataType.VARCHAR, is_primary=True, max_length=256)
    schema.add_field("scope", DataType.VARCHAR, is_partition_key=True, max_length=256)
    schema.add_field(
        "terms", DataType.VARCHAR, max_length=8192, enable_analyzer=True, analyzer_params={"tokenizer": "standard"}
    )
    schema.add_field("dense", DataType.FLOAT_VECTOR, dim=DIM)
    schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
    schema.add_function(
        Function(
            name="bm25", input_field_names=["terms"], output_field_names=["sparse"], function_type=FunctionType.BM25
        )
    )
    index = client.prepare_index_params()
    index.add_index("dense", index_type="HNSW", metric_type="COSINE", params={"M": 8, "efConstruction": 64})
    index.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
    client.create_collection(name, schema=schema, index_params=index)


def vector(seed: int) -> list[float]:
    values = np.random.default_rng(seed).standard_normal(DIM)
    return [float(value) for value in values / np.linalg.norm(values)]


def entity(memory_id: str, scope: str, terms: str, seed: int) -> dict[str, object]:
    return {"memory_id": memory_id, "scope": scope, "terms": terms, "dense": vector(seed)}


def hybrid(client: MilvusClient, name: str, scope: str, terms: str, seed: int) -> list[str]:
    """Search both fields, with the scope filter inside every request."""
    only = f"scope == {literal(scope)}"
    requests = [
        AnnSearchRequest([vector(seed)], "dense", {"metric_type": "COSINE"}, limit=10, expr=only),
        AnnSearchRequest([terms], "sparse", {"metric_type": "BM25"}, limit=10, expr=only),
    ]
    hits = client.hybrid_search(name, requests, RRFRanker(), limit=10, output_fields=["scope"])[0]
    assert {hit["entity"]["scope"] for hit in hits} <= {scope}
    return [str(hit["memory_id"]) for hit in hits]


def ids(client: MilvusClient, name: str, expression: str) -> list[str]:
    return sorted(str(row["memory_id"]) for row in client.query(name, filter=expression, output_fields=["memory_id"]))


def test_write_search_correct_and_delete(client: MilvusClient) -> None:
    create(client, "flow")
    rows = [entity(f"a{number}", "tenant/anna", f"tea topic{number} 喜欢 茶", number) for number in range(20)]
    rows += [entity(f"b{number}", "tenant/ben", f"tea topic{number} 喜欢 茶", number) for number in range(20)]
    assert client.upsert("flow", rows)["upsert_count"] == 40
    assert hybrid(client, "flow", "tenant/anna", "topic7", 7)[0] == "a7"
    assert hybrid(client, "flow", "tenant/ben", "茶 topic3", 3)[0] == "b3"
    client.upsert("flow", [entity("a7", "tenant/anna", "coffee", 99)])
    assert hybrid(client, "flow", "tenant/anna", "coffee", 99)[0] == "a7"
    assert ids(client, "flow", 'memory_id in ["a7", "b7", "nobody"]') == ["a7", "b7"]
    client.flush("flow")
    assert hybrid(client, "flow", "tenant/anna", "coffee", 99)[0] == "a7"
    client.delete("flow", filter='scope == "tenant/anna"')
    assert ids(client, "flow", 'scope == "tenant/anna"') == []
    assert len(ids(client, "flow", 'scope == "tenant/ben"')) == 20
    client.delete("flow", ids=["b1"])
    assert "b1" not in hybrid(client, "flow", "tenant/ben", "topic1", 1)
    client.drop_collection("flow")
    assert not client.has_collection("flow")


def test_a_renamed_or_emptied_collection_stays_loaded(client: MilvusClient) -> None:
    create(client, "before")
    client.upsert("before", [entity("m", "s", "tea", 1)])
    client.rename_collection("before", "after")
    assert hybrid(client, "after", "s", "tea", 1) == ["m"]
    client.release_collection("after")
    client.load_collection("after")
    assert hybrid(client, "after", "s", "tea", 1) == ["m"]
    client.drop_collection("after")


def test_any_string_is_one_literal(client: MilvusClient) -> None:
    create(client, "nasty")
    rows = [entity(f"{number}:{text}", text, "tea", number) for number, text in enumerate(NASTY)]
    client.upsert("nasty", rows)
    for number, text in enumerate(NASTY):
        wanted = [f"{number}:{text}"]
        assert ids(client, "nasty", f"scope == {literal(text)}") == wanted
        assert ids(client, "nasty", f"scope in [{literal(text)}]") == wanted
        assert ids(client, "nasty", f"memory_id in [{literal(wanted[0])}]") == wanted
        assert hybrid(client, "nasty", text, "tea", number) == wanted
        assert len(ids(client, "nasty", f"scope != {literal(text)}")) == len(NASTY) - 1
    client.delete("nasty", filter=f"scope == {literal(NASTY[0])}")
    assert len(ids(client, "nasty", 'memory_id != ""')) == len(NASTY) - 1
    client.drop_collection("nasty")


def test_the_parser_knows_six_escapes_and_no_more() -> None:
    def value(source: str) -> object:
        return parse_expr(f"f == {source}").right.value

    assert [value(f'"\\{mark}"') for mark in "\"'\\nrt"] == ['"', "'", "\\", "\n", "\r", "\t"]
    for broken in ['"\\u4e2d"', '"\\x41"', '"\\0"', '"\\%"', '"\\b"', '"a\nb"', '"a\rb"', '"open', '"open\\"', '"a"b"']:
        with pytest.raises(Exception, match=r"unknown escape|unterminated|unexpected"):
            value(broken)
    # Everything else stands for itself, in either quote, controls and U+2028 as well.
    every = "".join(map(chr, [*range(10), 11, 12, *range(14, 0x250), 0x2028, 0x4E2D, 0xFFFD, 0x1F9E0]))
    assert value(literal(every)) == every
    assert value("'it\"s'") == 'it"s'


@pytest.mark.parametrize("token", ["root:wrong", "", "root:local-secret "])
def test_a_wrong_token_is_refused(server: Server, token: str) -> None:
    with pytest.raises(MilvusException):
        server.client(token).list_collections()
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub = milvus_pb2_grpc.MilvusServiceStub(channel)
        for metadata in ([], [("authorization", token)], [("authorization", TOKEN)]):
            with pytest.raises(grpc.RpcError) as raised:
                stub.ShowCollections(milvus_pb2.ShowCollectionsRequest(), metadata=metadata, timeout=10)
            assert raised.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_only_loopback_is_bound(server: Server) -> None:
    sockets = psutil.Process(server.process.pid).net_connections(kind="inet")
    bound = {each.laddr.ip.removeprefix("::ffff:") for each in sockets if each.status == psutil.CONN_LISTEN}
    assert bound == {"127.0.0.1"}
    for family, name in ((socket.AF_INET, "127.0.0.2"), (socket.AF_INET6, "::1")):
        with socket.socket(family) as probe:
            assert probe.connect_ex((name, server.port)) != 0


def test_eight_writers_each_see_every_row_of_theirs(start: Start) -> None:
    server = start("--memtable-bytes", "20000")
    client = server.client()
    create(client, "crowd")

    def write(writer: int) -> None:
        own, kept = server.client(), []
        for number in range(6):
            rows = [entity(f"{writer}-{number}-{part}", f"w{writer}", f"tea n{number}", number) for part in range(3)]
            own.upsert("crowd", rows)
            own.delete("crowd", ids=[f"{writer}-{number}-2"])
            kept += [f"{writer}-{number}-0", f"{writer}-{number}-1"]
            # The others overflow the memtable all the time; a row that moves to disk is never out of sight.
            for _ in range(3):
                assert ids(own, "crowd", f'scope == "w{writer}"') == sorted(kept)

    with ThreadPoolExecutor(max_workers=8) as pool:
        list(pool.map(write, range(8)))
    assert len(ids(client, "crowd", 'scope != ""')) == 8 * 6 * 2
    client.close()
    assert server.stop() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_acknowledged_rows_survive_and_are_loaded(start: Start, number: signal.Signals) -> None:
    server = start()
    client = server.client()
    create(client, "kept")
    client.upsert("kept", [entity(f"m{index}", "s", f"tea t{index} 茶", index) for index in range(10)])
    client.flush("kept")
    client.upsert("kept", [entity("late", "s", "coffee 咖啡", 50)])
    client.delete("kept", ids=["m3"])
    client.close()
    assert server.stop(number) == (0 if number is signal.SIGTERM else -number)
    again = start()
    client = again.client()
    assert hybrid(client, "kept", "s", "咖啡", 50)[0] == "late"
    assert ids(client, "kept", 'scope == "s"') == sorted(["late", *(f"m{index}" for index in range(10) if index != 3)])
    client.close()
    assert again.stop() == 0
    events = [json.loads(line) for line in again.log.read_text(encoding="utf-8").splitlines()]
    starts = [each["collections"] for each in events if each["event"] == "start"]
    assert starts == [0, 1]
    assert events[-1]["event"] == "stop"


def test_a_second_owner_of_the_directory_is_refused(start: Start) -> None:
    server = start()
    with pytest.raises(RuntimeError, match=r"(?s)exit code 1.*DataDirLockedError"):
        start()
    assert server.stop() == 0


def test_a_taken_port_is_refused(start: Start, server: Server) -> None:
    with pytest.raises(RuntimeError, match="exit code 1"):
        start("--port", str(server.port))


def test_a_readable_token_file_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "token"
    secret.write_text(TOKEN, encoding="utf-8")
    secret.chmod(0o644)
    command = [sys.executable, "-m", "memplane.adapters.local.milvus", "--port", "0"]
    command += ["--data-dir", str(tmp_path / "data"), "--token-file", str(secret)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert json.loads(done.stderr.splitlines()[-1])["error"] == "ValueError"
