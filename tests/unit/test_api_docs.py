"""The OpenAPI document, its page, and health."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from typing import Any

import pytest

from memplane.api.routes.health import SharedHealth
from memplane.api.schemas.health import LiveOut, ReadyOut
from memplane.application.check_health import ComponentHealth, HealthReport, Probe, Readiness, check_health
from memplane.domain.errors import StoreUnavailableError, UnavailableError
from tests.support.api_fakes import Platform, start_platform

PREFIXES = ["/v1", "/v1/recall", "/admin"]


@pytest.fixture
async def platform() -> Platform:
    return await start_platform()


async def _document(platform: Platform, prefix: str) -> dict[str, Any]:
    answer = await platform.call("GET", f"{prefix}/openapi.json", key=None)
    assert answer.status_code == 200
    document: dict[str, Any] = answer.json()
    return document


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_every_reference_of_the_document_leads_somewhere(platform: Platform, prefix: str) -> None:
    document = await _document(platform, prefix)
    assert document["servers"] == [{"url": prefix}]
    named = set(re.findall(r'"\$ref": "#/components/schemas/(\w+)"', str(document).replace("'", '"')))
    assert named <= document["components"]["schemas"].keys()
    assert "ProblemOut" in named
    assert "HTTPValidationError" not in document["components"]["schemas"]


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_every_operation_tells_its_body_its_refusals_and_its_key(platform: Platform, prefix: str) -> None:
    document = await _document(platform, prefix)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"]
            is_public = path.startswith("/health")
            assert (operation.get("security") == []) == is_public
            assert ("requestBody" in operation) == (method in {"post", "put", "patch"})
            if not is_public:
                assert {"401", "403", "422", "503"} <= operation["responses"].keys()
                assert list(operation["responses"]["401"]["content"]) == ["application/problem+json"]


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_the_examples_of_the_document_work(platform: Platform, prefix: str) -> None:
    await platform.call("POST", "/admin/v1/tenants", key="operator", json={"tenant_id": "acme"})
    document = await _document(platform, prefix)
    tried = 0
    for path, operations in document["paths"].items():
        body = operations.get("post", {}).get("requestBody")
        if body is None:
            continue
        schema = body["content"]["application/json"]["schema"]
        names = [one["$ref"].rsplit("/", 1)[1] for one in schema.get("oneOf", [schema])]
        for example in [shown for name in names for shown in document["components"]["schemas"][name]["examples"]]:
            tried += 1
            answer = await platform.call("POST", prefix + path, key="operator", json=example)
            assert answer.status_code in ({409} if path.endswith("tenants") else {200, 201}), answer.text
    assert tried >= 2


async def test_a_listing_documents_its_parameters(platform: Platform) -> None:
    document = await _document(platform, "/v1")
    parameters = {item["name"]: item for item in document["paths"]["/memories"]["get"]["parameters"]}
    assert parameters["user_id"]["required"]
    assert {"kind", "category", "status", "from", "to", "limit", "cursor"} <= parameters.keys()
    keyed = {item["name"] for item in document["paths"]["/events"]["post"]["parameters"]}
    assert keyed == {"Idempotency-Key"}


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_the_page_needs_no_other_host_and_runs_only_its_own_script(platform: Platform, prefix: str) -> None:
    answer = await platform.call("GET", f"{prefix}/docs", key=None)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", answer.text)
    script = re.search(r"<script>(.*?)</script>", answer.text, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in answer.headers["content-security-policy"]
    assert 'fetch("openapi.json")' in answer.text


async def test_live_asks_nothing(platform: Platform) -> None:
    platform.health = HealthReport(status=Readiness.DOWN, components={}, generation=None)
    answer = await platform.call("GET", "/v1/health/live", key=None)
    LiveOut.model_validate(answer.json(), strict=True)
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize(("status", "code"), [(Readiness.READY, 200), (Readiness.DEGRADED, 200), (Readiness.DOWN, 503)])
async def test_only_down_is_503(platform: Platform, status: Readiness, code: int) -> None:
    platform.health = HealthReport(status=status, components=platform.health.components, generation="g1")
    answer = await platform.call("GET", "/v1/health/ready", key=None)
    ReadyOut.model_validate(answer.json(), strict=True)
    assert (answer.status_code, answer.json()["status"]) == (code, status.value)
    assert answer.json()["generation"] == "g1"


async def test_details_are_for_operators(platform: Platform) -> None:
    for key in (None, "wrong", "agent", "user", "auditor"):
        shown = (await platform.call("GET", "/v1/health/ready", key=key)).json()["components"]["clickhouse"]
        assert shown == {"status": "ok", "latency_ms": 1.5}
    shown = (await platform.call("GET", "/v1/health/ready", key="operator")).json()["components"]["clickhouse"]
    assert shown["detail"] == "127.0.0.1"


async def test_anyone_may_ask_often_and_the_parts_are_asked_once(platform: Platform) -> None:
    asked = 0

    async def check() -> HealthReport:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        return platform.health

    shared = SharedHealth(check)
    reports = await asyncio.gather(*(shared.report() for _ in range(50)))
    assert asked == 1
    assert reports == [platform.health] * 50


async def _ok() -> str | None:
    return "fine"


async def _down() -> str | None:
    raise StoreUnavailableError("connection refused")


async def _hangs() -> str | None:
    await asyncio.sleep(60)
    return None


@pytest.mark.parametrize(
    ("probes", "status"),
    [
        ((Probe(name="clickhouse", check=_ok, essential=True), Probe(name="milvus", check=_ok)), Readiness.READY),
        ((Probe(name="clickhouse", check=_ok, essential=True), Probe(name="milvus", check=_down)), Readiness.DEGRADED),
        ((Probe(name="clickhouse", check=_ok, essential=True), Probe(name="milvus", check=_hangs)), Readiness.DEGRADED),
        ((Probe(name="clickhouse", check=_down, essential=True), Probe(name="milvus", check=_ok)), Readiness.DOWN),
        ((), Readiness.READY),
    ],
)
async def test_the_state_follows_from_the_parts(probes: tuple[Probe, ...], status: Readiness) -> None:
    report = await check_health(probes=probes, generation=lambda: "g1", timeout_s=0.05)
    assert (report.status, report.generation) == (status, "g1")
    assert set(report.components) == {probe.name for probe in probes}
    assert all(isinstance(item, ComponentHealth) for item in report.components.values())


async def test_health_survives_the_loss_of_control_data() -> None:
    def away() -> str | None:
        raise UnavailableError("no control data")

    report = await check_health(probes=(Probe(name="writer", check=_ok),), generation=away)
    assert (report.status, report.generation) == (Readiness.READY, None)
