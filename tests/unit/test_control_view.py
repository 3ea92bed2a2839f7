"""The refreshed control view: fresh from the store, bridged by its file, refused when too old."""

import asyncio
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memplane.adapters.memory import HashingEmbedder, InMemoryControlStore, SettableClock
from memplane.adapters.snapshot import RefreshedControlView
from memplane.application.manage_access import draw_key, draw_tenant
from memplane.domain.context import Role
from memplane.domain.control import Generation, GenerationState, Policy, RawTurns
from memplane.domain.errors import StoreUnavailableError, UnavailableError
from memplane.domain.ids import TenantId, UserId
from tests.support.in_process_writer import Failing

NOW = datetime(2025, 6, 12, tzinfo=UTC)
TENANT = TenantId("t1")


async def _store() -> InMemoryControlStore:
    store = InMemoryControlStore()
    policy = Policy(raw_turns=RawTurns.ALL, disabled_gates=frozenset({"chit_chat"}))
    await store.put_tenants(tenants=[draw_tenant(tenant_id=TENANT, name="一", policy=policy, now=NOW)])
    key = draw_key(tenant_id=TENANT, role=Role.USER, now=NOW, user_ids=[UserId("u")], expires_at=NOW)
    await store.put_api_keys(api_keys=[key.api_key])
    spec = await HashingEmbedder().spec()
    generation = Generation(
        generation_id=spec.generation_id, spec=spec, state=GenerationState.SERVING, collection="c", created_at=NOW,
        version=1,
    )  # fmt: skip
    await store.put_generations(generations=[generation])
    return store


async def test_the_file_bridges_the_time_without_a_store_and_is_the_owners_alone(tmp_path: Path) -> None:
    file, clock, store = tmp_path / "run" / "control.json", SettableClock(NOW), await _store()
    first = RefreshedControlView(store, clock=clock, file=file)
    await first.start()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    away = Failing(store, broken={"snapshot": StoreUnavailableError("away")})
    second = RefreshedControlView(away, clock=clock, file=file)
    await second.start()
    assert second.current().tenants == first.current().tenants
    assert second.current().api_keys == first.current().api_keys
    assert second.current().generations == first.current().generations
    assert [path.name for path in file.parent.iterdir()] == ["control.json"]


async def test_a_snapshot_is_good_for_an_hour(tmp_path: Path) -> None:
    store, clock = await _store(), SettableClock(datetime.now(UTC))
    view = RefreshedControlView(store, clock=clock, file=tmp_path / "control.json")
    await view.start()
    clock.advance(timedelta(minutes=59))
    assert view.current().tenant(TENANT) is not None
    clock.advance(timedelta(minutes=2))
    with pytest.raises(UnavailableError):
        view.current()


@pytest.mark.parametrize("content", [None, "", "{}", '{"snapshot": 1}', "\x00"])
async def test_without_store_and_file_there_is_no_control_data(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "control.json"
    if content is not None:
        file.write_text(content)
    away = Failing(InMemoryControlStore(), broken={"snapshot": StoreUnavailableError("away")})
    view = RefreshedControlView(away, clock=SettableClock(NOW), file=file)
    await view.start()
    with pytest.raises(UnavailableError):
        view.current()


async def test_many_refreshes_at_once_and_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    store, clock = await _store(), SettableClock(datetime.now(UTC))
    view = RefreshedControlView(store, clock=clock, file=tmp_path / "run" / "control.json")
    await asyncio.gather(*(view.refresh() for _ in range(100)))
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["control.json"]
    blocked = RefreshedControlView(store, clock=clock, file=tmp_path / "run" / "control.json" / "impossible.json")
    assert (await blocked.refresh()).tenant(TENANT) is not None
