"""Keys, roles, tenants: who gets in, and to what."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from fastapi.routing import APIRoute

from memplane.api.schemas.admin import CreatedKeyOut, KeyOut, TenantOut
from memplane.application.authenticate import authenticate, hash_key
from memplane.application.manage_access import draw_key
from memplane.domain.commands import ChangeControl
from memplane.domain.context import Role
from memplane.domain.control import ControlSnapshot, RawTurns
from memplane.domain.errors import StoreUnavailableError, UnauthenticatedError
from memplane.domain.ids import CONTROL_USER, TenantId, UserId
from tests.support.api_fakes import HOME, NOW, OTHER, Platform, start_platform

PUBLIC = {"/v1/health/live", "/v1/health/ready", "/v1/docs", "/v1/openapi.json"}
PUBLIC |= {"/v1/recall/docs", "/v1/recall/openapi.json", "/admin/docs", "/admin/openapi.json"}


@pytest.fixture
async def platform() -> Platform:
    return await start_platform()


def _routes(platform: Platform) -> list[tuple[str, str]]:
    found = []
    for prefix, build in platform.builders.items():
        for route in build().routes:
            methods = sorted(getattr(route, "methods", None) or {"GET"})
            path = route.path if isinstance(route, APIRoute) else getattr(route, "path", "")
            found += [(method, prefix + path.replace("{", "").replace("}", "")) for method in methods]
    return found


async def test_every_route_refuses_without_a_key_except_health_and_docs(platform: Platform) -> None:
    routes = _routes(platform)
    assert ("POST", "/v1/events") in routes
    assert ("DELETE", "/v1/memories/memory_id") in routes
    assert ("DELETE", "/admin/v1/keys/key_id") in routes
    assert {path for _, path in routes} >= PUBLIC
    for method, path in routes:
        for key in (None, "wrong"):
            answer = await platform.call(method, path, key=key)
            if path in PUBLIC:
                assert answer.status_code in {200, 405}, path
            else:
                assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated"), (method, path)
                assert answer.headers["www-authenticate"] == "Bearer"
    assert platform.writer.commands == []
    assert platform.recalls == []


async def test_unknown_addresses_are_refused_without_a_key_too(platform: Platform) -> None:
    for path in ("/v1/nothing", "/v1/docs/x", "/v1/health/live/", "/v1/health", "/admin/", "/v1/recall/health/live"):
        assert (await platform.call("GET", path, key=None)).status_code == 401, path


ROLES: dict[tuple[str, str], tuple[set[str], Any]] = {
    ("POST", "/v1/events"): (
        {"agent", "user", "operator"},
        {"user_id": "u", "session_id": "s", "messages": [{"role": "user", "content": "x"}]},
    ),
    ("POST", "/v1/memories"): ({"agent", "user", "operator"}, {"user_id": "u", "content": "x"}),
    ("GET", "/v1/memories?user_id=u"): ({"agent", "user", "operator"}, None),
    ("GET", "/v1/memories/{id}"): ({"agent", "user", "operator"}, None),
    ("DELETE", "/v1/memories/{id}"): ({"agent", "user", "operator"}, None),
    ("POST", "/v1/recall"): ({"agent", "user", "operator"}, {"user_id": "u", "query": "x"}),
    ("POST", "/v1/recall/context"): ({"agent", "user", "operator"}, {"user_id": "u", "query": "x"}),
    ("POST", "/admin/v1/tenants"): ({"operator"}, {"tenant_id": "fresh"}),
    ("POST", "/admin/v1/keys"): ({"operator"}, {"tenant_id": "default", "role": "agent"}),
    ("DELETE", "/admin/v1/keys/{key}"): ({"operator"}, None),
}


@pytest.mark.parametrize(("method", "path"), ROLES)
@pytest.mark.parametrize("role", ["agent", "user", "operator", "auditor"])
async def test_roles(platform: Platform, method: str, path: str, role: str) -> None:
    allowed, body = ROLES[method, path]
    memory = await platform.store("u", "x")
    key_id = platform.view.current().api_keys[0].key_id
    address = path.replace("{id}", memory.memory_id).replace("{key}", key_id)
    answer = await platform.call(method, address, key=role, **({} if body is None else {"json": body}))
    assert (answer.status_code != 403) == (role in allowed)
    assert (answer.status_code in {200, 201}) == (role in allowed)


async def test_users_reach_themselves_only(platform: Platform) -> None:
    foreign = await platform.store("v", "x")
    assert (await platform.call("GET", "/v1/memories?user_id=v", key="user")).status_code == 403
    for method in ("GET", "DELETE"):  # by id, what is foreign does not exist
        assert (await platform.call(method, f"/v1/memories/{foreign.memory_id}", key="user")).status_code == 404
    written = await platform.call("POST", "/v1/memories", key="user", json={"user_id": "v", "content": "x"})
    assert written.status_code == 403


async def test_a_users_key_without_a_user_reaches_nobody(platform: Platform) -> None:
    await platform.add_key("unbound-user", role=Role.USER)
    assert (await platform.call("GET", "/v1/memories?user_id=u", key="unbound-user")).status_code == 403


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Basic {key}", "{key}", "Bearer {key}x", "Bearer x{key}", "Bearer {key} x", "Bearer é"],
)
async def test_only_the_whole_key_counts(platform: Platform, header: str) -> None:
    value = header.format(key=platform.keys["agent"]).encode("latin-1")
    answer = await platform.call(
        "GET",
        "/v1/memories?user_id=u",
        key=None,
        headers={"authorization": value},  # type: ignore[dict-item]
    )
    assert answer.status_code == 401


async def test_the_scheme_is_read_in_any_case(platform: Platform) -> None:
    headers = {"authorization": f"bearer {platform.keys['agent']}"}
    assert (await platform.call("GET", "/v1/memories?user_id=u", key=None, headers=headers)).status_code == 200


async def test_two_authorization_headers_are_refused(platform: Platform) -> None:
    async with platform.client("/v1") as client:
        pair = [("authorization", f"Bearer {platform.keys[name]}") for name in ("agent", "operator")]
        assert (await client.get("/v1/memories?user_id=u", headers=pair)).status_code == 401


async def test_keys_end_at_their_date_and_when_revoked(platform: Platform) -> None:
    await platform.add_key("short", expires_at=NOW + timedelta(seconds=5))
    assert (await platform.call("GET", "/v1/memories?user_id=u", key="short")).status_code == 200
    platform.clock.advance(timedelta(seconds=5))
    await platform.view.refresh()
    assert (await platform.call("GET", "/v1/memories?user_id=u", key="short")).status_code == 401


def test_a_key_of_a_tenant_that_is_gone_is_refused() -> None:
    created = draw_key(tenant_id=TenantId("gone"), role=Role.AGENT, now=NOW)
    snapshot = ControlSnapshot(taken_at=NOW, api_keys=(created.api_key,))

    class View:
        def current(self) -> ControlSnapshot:
            return snapshot

        async def refresh(self) -> ControlSnapshot:
            return snapshot

    with pytest.raises(UnauthenticatedError):
        authenticate(View(), bearer=created.key, now=NOW)


def test_keys_are_random_and_stored_as_hashes() -> None:
    one, two = (draw_key(tenant_id=HOME, role=Role.AGENT, now=NOW) for _ in range(2))
    assert one.key != two.key
    assert one.key.startswith(f"mp_{one.api_key.key_id}_")
    assert len(one.key.rsplit("_", 1)[1]) == 64
    assert one.api_key.key_hash == hash_key(one.key)
    assert one.key not in repr(one.api_key)


async def test_a_fresh_key_works_before_the_next_refresh_of_the_snapshot(platform: Platform) -> None:
    created = draw_key(tenant_id=HOME, role=Role.AGENT, now=NOW)
    await platform.control.put_api_keys(api_keys=[created.api_key])
    answers = await asyncio.gather(*(platform.call("GET", "/v1/memories?user_id=u", key=created.key) for _ in range(5)))
    assert {answer.status_code for answer in answers} == {200}


async def test_a_flood_of_wrong_keys_costs_the_store_little(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0

    async def refresh() -> ControlSnapshot:
        nonlocal looks
        looks += 1
        await asyncio.sleep(0.01)
        raise StoreUnavailableError("away")

    monkeypatch.setattr(platform.view, "refresh", refresh)
    answers = await asyncio.gather(
        *(platform.call("GET", "/v1/memories?user_id=u", key=f"mp_{index}") for index in range(50))
    )
    assert {answer.status_code for answer in answers} == {401}
    assert looks <= 2


async def test_a_tenant_is_made_once_and_sees_its_own(platform: Platform) -> None:
    body = {"tenant_id": "acme", "policy": {"raw_turns": "all", "language": "zh"}}
    made = await platform.call("POST", "/admin/v1/tenants", key="operator", json=body)
    assert made.status_code == 201
    TenantOut.model_validate(made.json(), strict=True)
    assert made.json()["policy"]["raw_turns"] == "all"
    again = await platform.call("POST", "/admin/v1/tenants", key="operator", json=body)
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    key = await platform.call("POST", "/admin/v1/keys", key="operator", json={"tenant_id": "acme", "role": "agent"})
    assert key.status_code == 201
    CreatedKeyOut.model_validate(key.json(), strict=True)
    mine = {"user_id": "u", "content": "same text"}
    assert (await platform.call("POST", "/v1/memories", json=mine)).status_code == 200
    assert (await platform.call("POST", "/v1/memories", key=key.json()["key"], json=mine)).status_code == 200
    for name in ("agent", key.json()["key"]):
        (memory,) = (await platform.call("GET", "/v1/memories?user_id=u", key=name)).json()["memories"]
        assert memory["tenant_id"] == ("default" if name == "agent" else "acme")
    tenant = platform.view.current().tenant(TenantId("acme"))
    assert tenant is not None
    assert tenant.policy.raw_turns is RawTurns.ALL
    assert tenant.secret.hex() not in made.text


async def test_two_at_once_make_one_tenant(platform: Platform) -> None:
    answers = await asyncio.gather(
        *(platform.call("POST", "/admin/v1/tenants", key="operator", json={"tenant_id": "acme"}) for _ in range(4))
    )
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]


async def test_changes_are_written_in_the_tenants_control_scope(platform: Platform) -> None:
    await platform.call("POST", "/admin/v1/keys", key="operator", json={"tenant_id": "other", "role": "agent"})
    (command,) = platform.writer.commands
    assert isinstance(command, ChangeControl)
    assert command.scope == platform.scope(CONTROL_USER, OTHER)
    assert command.action == "key.create"
    assert platform.writer.contexts[0].principal.tenant_id == HOME


async def test_a_revoked_key_is_dead_and_cannot_be_revoked_again(platform: Platform) -> None:
    body = {"tenant_id": "other", "role": "agent"}
    made = (await platform.call("POST", "/admin/v1/keys", key="operator", json=body)).json()
    assert (await platform.call("GET", "/v1/memories?user_id=u", key=made["key"])).status_code == 200
    gone = await platform.call("DELETE", f"/admin/v1/keys/{made['key_id']}", key="operator")
    assert gone.status_code == 200
    KeyOut.model_validate(gone.json(), strict=True)
    assert gone.json()["revoked_at"] is not None
    assert (await platform.call("GET", "/v1/memories?user_id=u", key=made["key"])).status_code == 401
    assert (await platform.call("DELETE", f"/admin/v1/keys/{made['key_id']}", key="operator")).status_code == 404


async def test_operators_of_other_tenants_stay_in_theirs(platform: Platform) -> None:
    ours = platform.view.current().api_keys
    home_key = next(key.key_id for key in ours if key.tenant_id == HOME)
    key = "other-operator"
    tries: list[tuple[str, str, Any, int]] = [
        ("POST", "/admin/v1/tenants", {"tenant_id": "acme"}, 403),
        ("POST", "/admin/v1/keys", {"tenant_id": "default", "role": "operator"}, 403),
        ("POST", "/admin/v1/keys", {"tenant_id": "unknown", "role": "operator"}, 403),
        ("POST", "/admin/v1/keys", {"tenant_id": "other", "role": "agent"}, 201),
    ]
    for method, path, body, status in tries:
        assert (await platform.call(method, path, key=key, json=body)).status_code == status, body
    assert (await platform.call("DELETE", f"/admin/v1/keys/{home_key}", key=key)).status_code == 404


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("keys", {"tenant_id": "unknown", "role": "agent"}, 404),
        ("keys", {"tenant_id": "Default", "role": "agent"}, 422),
        ("keys", {"tenant_id": "default", "role": "root"}, 422),
        ("keys", {"tenant_id": "default", "role": "user"}, 422),
        ("keys", {"tenant_id": "default", "role": "agent", "user_ids": ["_control"]}, 422),
        ("keys", {"tenant_id": "default", "role": "agent", "key": "mine"}, 422),
        ("tenants", {"tenant_id": "-a"}, 422),
        ("tenants", {"tenant_id": "a" * 64}, 422),
        ("tenants", {"tenant_id": "a/b"}, 422),
        ("tenants", {"tenant_id": "acme\n"}, 422),
        ("tenants", {"tenant_id": "acme", "secret": "x"}, 422),
        ("tenants", {"tenant_id": "acme", "policy": {"raw_turns": "some"}}, 422),
        ("tenants", {"tenant_id": "acme", "name": "x" * 201}, 422),
    ],
)
async def test_bad_changes_change_nothing(platform: Platform, path: str, body: dict[str, Any], status: int) -> None:
    answer = await platform.call("POST", f"/admin/v1/{path}", key="operator", json=body)
    assert answer.status_code == status
    assert platform.writer.commands == []


async def test_nobody_makes_themselves_an_operator(platform: Platform) -> None:
    body = {"tenant_id": "default", "role": "operator"}
    for key in ("agent", "bound", "user", "auditor", "other"):
        assert (await platform.call("POST", "/admin/v1/keys", key=key, json=body)).status_code == 403
    assert {key.role for key in platform.view.current().api_keys if key.user_ids == {UserId("u")}} == {Role.USER}
