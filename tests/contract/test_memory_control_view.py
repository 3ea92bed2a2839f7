"""The in-process ``ControlView``: what a reader of control data may rely on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memplane.adapters.memory import InMemoryControlStore, InMemoryControlView, SettableClock
from memplane.domain.control import SNAPSHOT_GOOD_FOR_S, Policy, Tenant
from memplane.domain.errors import UnavailableError
from memplane.domain.ids import TenantId

START = datetime(2025, 6, 12, 8, 0, tzinfo=UTC)


def tenant(name: str) -> Tenant:
    return Tenant(tenant_id=TenantId("acme"), name=name, secret=b"s", policy=Policy(), created_at=START, version=1)


async def test_without_a_first_snapshot_it_is_unavailable() -> None:
    clock = SettableClock(START)
    with pytest.raises(UnavailableError):
        InMemoryControlView(store=InMemoryControlStore(clock), clock=clock).current()


async def test_a_change_shows_after_a_refresh() -> None:
    clock = SettableClock(START)
    store = InMemoryControlStore(clock)
    view = InMemoryControlView(store=store, clock=clock)
    before = await view.refresh()
    await store.put_tenants(tenants=[tenant("公司")])
    assert view.current() == before
    assert before.tenants == ()
    await view.refresh()
    assert [item.name for item in view.current().tenants] == ["公司"]


async def test_a_snapshot_is_good_for_an_hour() -> None:
    clock = SettableClock(START)
    view = InMemoryControlView(store=InMemoryControlStore(clock), clock=clock)
    await view.refresh()
    clock.advance(timedelta(seconds=SNAPSHOT_GOOD_FOR_S))
    view.current()
    clock.advance(timedelta(milliseconds=1))
    with pytest.raises(UnavailableError):
        view.current()
    await view.refresh()
    view.current()
