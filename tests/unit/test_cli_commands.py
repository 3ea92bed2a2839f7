"""Commands against a stand-in platform: what they send, print, and end with."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import annotated_types
import pytest
from typer.testing import CliRunner, Result

from memplane.api.schemas.recall import RecallIn
from memplane.cli.app import app
from memplane.cli.errors import explain
from memplane.client import InvalidRequestError

MEMORY = {
    "memory_id": "mem_abc_0123456789",
    "kind": "episodic",
    "content": "[bold]早上只喝乌龙茶[/bold]",
    "event_time": "2025-06-11T12:00:00.000Z",
    "score": 0.8125,
    "scores": {"relevance": 0.91, "importance": 0.7, "recency": 0.5, "frequency": 0.1},
    "arms": ["dense", "keyword"],
}
RECALL = {
    "memories": [MEMORY],
    "facts": [
        {"entity_type": "order", "entity": "ORD-1", "attribute": "status", "value": "paid", "memory_id": "mem_f"}
    ],
    "knowledge": [],
    "route": "long_term_memory",
    "plan": "exact",
    "rewritten_query": "茶",
    "degraded": ["reranker"],
    "trace_id": "t-42",
    "took_ms": 12.3,
}
CONTEXT = {
    "context": "[记忆-2025-06-11 用户偏好 · mem-1] 乌龙茶",
    "citations": [{"ref": "mem-1", "memory_id": "mem_abc", "score": 0.8}],
    "tokens": 17,
    "degraded": [],
    "trace_id": "t-43",
}


class StandIn:
    """A platform that keeps events by id and answers the rest from tables."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, dict[str, Any], dict[str, str]]] = []
        self.events: dict[tuple[str, str], dict[str, Any]] = {}
        self.fail_next: list[int] = []
        self.pending_once = False
        self.keys: dict[str, str] = {}
        self._lock = threading.Lock()

    def answer(
        self, method: str, path: str, body: dict[str, Any], headers: dict[str, str]
    ) -> tuple[int, dict[str, Any]]:
        with self._lock:
            self.requests.append((method, path, body, headers))
            if headers.get("authorization") != "Bearer good":
                return 401, {"code": "unauthenticated", "title": "no", "detail": "unknown key", "trace_id": "t"}
            if self.fail_next:
                return self.fail_next.pop(0), {}
            if path == "/v1/recall":
                return 200, RECALL
            if path == "/v1/recall/context":
                return 200, CONTEXT
            if path == "/v1/memories":
                return 200, receipt([("added", None)])
            if path.startswith("/v1/operations/"):
                return 200, receipt([("added", "e")] * int(path.rsplit("_", 1)[1]))
            return self._events(body, headers)

    def _events(self, body: dict[str, Any], headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
        text = json.dumps(body, sort_keys=True)
        assert self.keys.setdefault(headers["idempotency-key"], text) == text
        if any(not message["content"] for message in body["messages"]):
            errors = [{"path": "messages.0.content", "code": "too_short", "message": "is empty"}]
            return 422, {"code": "invalid", "title": "invalid", "detail": "wrong", "errors": errors}
        outcomes = []
        for message in body["messages"]:
            place = (body["user_id"], message["event_id"])
            outcomes.append(("touched" if place in self.events else "added", message["event_id"]))
            self.events[place] = message
        if self.pending_once:
            self.pending_once = False
            return 202, {
                **receipt([("pending", "e")] * len(outcomes)),
                "status": "pending",
                "operation_id": f"op_{len(outcomes)}",
            }
        return 200, receipt(outcomes)


def receipt(outcomes: list[tuple[str, str | None]]) -> dict[str, Any]:
    items = [
        {"index": index, "event_id": event_id, "outcome": outcome, "memory_ids": ["mem_1"], "reason": None}
        for index, (outcome, event_id) in enumerate(outcomes)
    ]
    return {"operation_id": "op_1", "status": "completed", "items": items}


class Handler(BaseHTTPRequestHandler):
    def _serve(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length)) if length else {}
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, answer = self.server.stand_in.answer(self.command, self.path, body, headers)  # type: ignore[attr-defined]
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def platform() -> Iterator[StandIn]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.stand_in = StandIn()  # type: ignore[attr-defined]
    server.stand_in.url = f"http://127.0.0.1:{server.server_port}"  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server.stand_in  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def data_dir(tmp_path: Path, platform: StandIn) -> Path:
    keys = {"url": platform.url, "tenant_id": "default", "agent_key": "good", "operator_key": "root-key"}  # type: ignore[attr-defined]
    (tmp_path / "key.json").write_text(json.dumps(keys))
    return tmp_path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "120"})


def test_recall_prints_content_score_parts_arms_id_and_date(platform: StandIn, data_dir: Path) -> None:
    result = run("recall", "喝什么茶", "--user", "mei", "--top-k", 3, "--profile", "fresh", "--data-dir", data_dir)
    assert result.exit_code == 0, result.output
    for words in ("[bold]早上只喝乌龙茶[/bold]", "0.812", "relevance  0.91", "frequency  0.10", "dense", "keyword"):
        assert words in result.stdout, words
    for words in ("mem_abc_0123456789", "2025-06-11", "episodic", "order/ORD-1/status = 'paid'", "reranker", "t-42"):
        assert words in result.stdout, words
    method, path, body, _ = platform.requests[0]
    assert (method, path) == ("POST", "/v1/recall")
    assert body == {"user_id": "mei", "query": "喝什么茶", "top_k": 3, "profile": "fresh"}


def test_recall_json_is_the_answer_itself(platform: StandIn, data_dir: Path) -> None:
    result = run("--data-dir", data_dir, "recall", "tea", "-u", "mei", "--plan", "index", "--json")
    assert json.loads(result.stdout) == RECALL
    assert platform.requests[0][2]["plan"] == "index"


def test_context_puts_the_block_alone_on_standard_output(platform: StandIn, data_dir: Path) -> None:
    result = run("context", "茶", "--user", "mei", "--data-dir", data_dir)
    assert result.stdout == CONTEXT["context"] + "\n"
    assert "mem-1 = mem_abc" in result.stderr


def test_remember(platform: StandIn, data_dir: Path) -> None:
    result = run("remember", "我住在杭州", "--user", "mei", "--data-dir", data_dir)
    assert result.exit_code == 0
    assert result.stdout == "added mem_1\n"
    assert platform.requests[0][2] == {"user_id": "mei", "content": "我住在杭州"}


def test_a_wrong_key_ends_in_one_line(platform: StandIn, data_dir: Path) -> None:
    keys = data_dir / "other.json"
    keys.write_text(json.dumps({"url": platform.url, "agent_key": "bad"}))  # type: ignore[attr-defined]
    result = run("recall", "x", "--user", "u", "--key-file", keys)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "unauthenticated" in result.stderr
    assert "--key-file" in result.stderr


def test_without_a_platform_it_says_what_to_do(tmp_path: Path) -> None:
    result = run("recall", "x", "--user", "u", "--data-dir", tmp_path)
    assert result.exit_code == 1
    assert "memplane up" in result.stderr
    (tmp_path / "key.json").write_text(json.dumps({"url": "http://127.0.0.1:9", "agent_key": "k"}))
    result = run("remember", "x", "--user", "u", "--data-dir", tmp_path)
    assert result.exit_code == 1
    assert "cannot reach the platform" in result.stderr
    assert "memplane up" in result.stderr


def test_key_show(data_dir: Path) -> None:
    assert run("key", "show", "--data-dir", data_dir).stdout == "good\n"
    assert run("key", "show", "--operator", "--data-dir", data_dir).stdout == "root-key\n"


def chat(tmp_path: Path, *contents: str) -> Path:
    file = tmp_path / "chat.jsonl"
    file.write_text("\n".join(json.dumps({"role": "user", "content": content}) for content in contents))
    return file


def test_import_counts_and_changes_nothing_when_repeated(platform: StandIn, data_dir: Path) -> None:
    file = chat(data_dir, *(f"第{n}句" for n in range(10)))
    arguments = ("import", file, "--user", "mei", "--batch-size", 3, "--data-dir", data_dir, "--json")
    first, second = run(*arguments), run(*arguments)
    assert first.exit_code == second.exit_code == 0, first.output
    report = json.loads(first.stdout)
    assert (report["turns"], report["requests"], report["outcomes"]) == (10, 4, {"added": 10})
    assert json.loads(second.stdout)["outcomes"] == {"touched": 10}
    assert len(platform.events) == 10
    assert len(platform.keys) == 4, "the same batches carry the same keys"


def test_import_goes_on_through_faults_and_follows_pending_writes(platform: StandIn, data_dir: Path) -> None:
    platform.fail_next = [500, 503, 404]
    platform.pending_once = True
    result = run("import", chat(data_dir, "a", "b"), "-u", "mei", "--data-dir", data_dir)
    assert result.exit_code == 0, result.output
    assert "2 turns in 1 requests" in result.stdout
    assert "2 added" in result.stdout
    assert [path for _, path, _, _ in platform.requests].count("/v1/events") == 4


def test_import_tells_what_was_refused_and_loads_the_rest(platform: StandIn, data_dir: Path) -> None:
    result = run("import", chat(data_dir, "好", "", "ok"), "-u", "mei", "--batch-size", 1, "--data-dir", data_dir)
    assert result.exit_code == 1
    assert "2 added" in result.stdout
    assert "1 refused" in result.stdout
    assert "messages.0.content: is empty" in result.stderr


def test_import_stops_at_a_wrong_key_or_file(platform: StandIn, data_dir: Path) -> None:
    keys = data_dir / "other.json"
    keys.write_text(json.dumps({"url": platform.url, "agent_key": "bad"}))  # type: ignore[attr-defined]
    file = chat(data_dir, *"abcdefgh")
    result = run("import", file, "-u", "m", "--batch-size", 1, "--in-flight", 2, "--tenant-key-file", keys)
    assert result.exit_code == 1
    assert "unauthenticated" in result.stderr
    assert len(platform.requests) <= 2
    file.write_text("{")
    result = run("import", file, "-u", "m", "--data-dir", data_dir)
    assert result.exit_code == 1
    assert "line 1 is not JSON" in result.stderr


def test_demo_loads_once_and_shows_everything(platform: StandIn, data_dir: Path) -> None:
    first = run("demo", "--data-dir", data_dir)
    events = dict(platform.events)
    second = run("demo", "--data-dir", data_dir)
    assert first.exit_code == second.exit_code == 0, first.output
    assert len(events) == 24
    assert platform.events == events
    for words in (
        "早上只喝乌龙茶",
        "0.812",
        "mem_abc_0123456789",
        "用户偏好 · mem-1",
        "/v1/docs",
        "memplane down",
        "key.json",
    ):
        assert words in first.stdout, words


def test_help_has_examples() -> None:
    for command in ("up", "status", "down", "logs", "remember", "recall", "context", "import", "demo", "migrate"):
        result = run(command, "--help")
        assert result.exit_code == 0
        assert "Example" in result.stdout, command


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MEMPLANE_FOO__BAR", "1"),
        ("MEMPLANE_HTTP__PROT", "1"),
        ("MEMPLANE_HTTP__PORT", "many"),
        ("MEMPLANE_HTTP", "{"),
        ("MEMPLANE_CONFIG_FILE", __file__),
    ],
)
@pytest.mark.parametrize("command", [["status"], ["up", "--detach", "--data-dir", "unused"]])
def test_wrong_settings_are_one_line_and_2(
    command: list[str], name: str, value: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, value)
    result = run(*command)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "settings are wrong" in result.stderr
    assert {part.lower() for part in name.removeprefix("MEMPLANE_").split("__")} <= set(
        re.findall(r"[a-z_]+", result.stderr.lower().replace("memplane_", "").replace("__", " "))
    )
    assert list(tmp_path.iterdir()) == []


def test_top_k_is_that_of_the_api(platform: StandIn, data_dir: Path) -> None:
    limits = [part for part in RecallIn.model_fields["top_k"].metadata if isinstance(part, annotated_types.Le)]
    most = limits[0].le
    for command in ("recall", "context"):
        assert run(command, "x", "-u", "u", "--top-k", most, "--data-dir", data_dir).exit_code == 0
        assert run(command, "x", "-u", "u", "--top-k", most + 1, "--data-dir", data_dir).exit_code == 2
    assert platform.requests[0][2]["top_k"] == most


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        ("top_k: too large", "422 invalid: top_k: too large"),
        ("top_k: too large (and 1 more)", "422 invalid: top_k: too large (and 1 more): query: is empty"),
        ("wrong", "422 invalid: wrong: top_k: too large; query: is empty"),
    ],
)
def test_a_wrong_field_is_told_once(detail: str, told: str) -> None:
    issues = [
        {"path": "top_k", "code": "x", "message": "too large"},
        {"path": "query", "code": "x", "message": "is empty"},
    ]
    count = 1 if detail == "top_k: too large" else 2
    error = InvalidRequestError(
        status=422, code="invalid", title="t", detail=detail, errors=issues[:count], trace_id="t1"
    )
    assert explain(error) == f"{told} (trace t1)"


def test_migrate_promises_what_it_does() -> None:
    told = run("migrate", "--help").stdout
    assert "ClickHouse" in told
    assert "Milvus" not in told


def test_wrong_usage_is_2() -> None:
    assert run("recall").exit_code == 2
    assert run("import", "/no/such/file").exit_code == 2
    assert run("import", __file__, "--format", "docx").exit_code == 2
