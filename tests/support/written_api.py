"""``/v1`` over a whole Writer and the in-process stores: what is written is what is read."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from fastapi import FastAPI

from memplane.adapters.memory import InMemoryControlView, InProcessWriteGateway
from memplane.api import ApiLimits, IngestServices, build_ingest_app
from memplane.application.check_health import HealthReport, Readiness
from memplane.application.manage_access import draw_key
from memplane.domain.context import Role
from memplane.domain.control import Policy, RawTurns
from memplane.domain.ids import AgentId, UserId
from tests.support.api_fakes import SilentTracer
from tests.support.in_process_writer import WriterBench, running_writer


@dataclass(kw_only=True)
class WrittenApi:
    """Calls ``/v1`` with keys by name: ``agent``, ``bound`` (to agent-1), ``user`` (u), ``operator``, ``auditor``."""

    bench: WriterBench
    app: FastAPI
    http: httpx.AsyncClient
    keys: dict[str, str] = field(default_factory=dict)

    async def call(
        self, method: str, path: str, *, key: str = "agent", headers: Mapping[str, str] | None = None, **how: Any
    ) -> httpx.Response:
        sent = {"authorization": f"Bearer {self.keys[key]}", **(headers or {})}
        return await self.http.request(method, f"/v1{path}", headers=sent, **how)

    async def remembered(self, content: str, *, user_id: str = "u", **fields: Any) -> str:
        """Writes a statement. Returns: its memory's id."""
        answer = await self.call("POST", "/memories", json={"user_id": user_id, "content": content, **fields})
        assert answer.status_code == 200, answer.text
        memory_id: str = answer.json()["items"][0]["memory_ids"][0]
        return memory_id


@contextlib.asynccontextmanager
async def written_api(*, language: str = "en") -> AsyncIterator[WrittenApi]:
    """Starts it, with a tenant that keeps every turn and speaks ``language``."""
    async with running_writer() as bench:
        control = bench.control
        policy = Policy(raw_turns=RawTurns.ALL, language=language)
        await control.put_tenants(tenants=[bench.tenant_with(policy)])
        wanted: dict[str, dict[str, Any]] = {
            "agent": {},
            "bound": {"agent_ids": [AgentId("agent-1")]},
            "user": {"role": Role.USER, "user_ids": [UserId("u")]},
            "operator": {"role": Role.OPERATOR},
            "auditor": {"role": Role.AUDITOR},
        }
        keys = {}
        for name, fields in wanted.items():
            created = draw_key(
                **{"tenant_id": bench.tenant.tenant_id, "role": Role.AGENT, "now": bench.clock.now(), **fields}
            )
            keys[name] = created.key
            await control.put_api_keys(api_keys=[created.api_key])
        view = InMemoryControlView(store=control, clock=bench.clock)
        await view.refresh()

        async def healthy() -> HealthReport:
            return HealthReport(status=Readiness.READY, components={}, generation="g")

        services = IngestServices(
            view=view,
            gateway=InProcessWriteGateway(bench.writer.submit),
            memories=bench.memories,
            operations=bench.operations,
            event_log=bench.events,
            health=healthy,
            clock=bench.clock,
            tracer=SilentTracer(),
            limits=ApiLimits(),
        )
        app = build_ingest_app(services)
        transport = httpx.ASGITransport(app=app, root_path="/v1")
        async with httpx.AsyncClient(transport=transport, base_url="http://memplane.test") as http:
            yield WrittenApi(bench=bench, app=app, http=http, keys=keys)
