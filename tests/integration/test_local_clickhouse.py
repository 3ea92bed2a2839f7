"""The embedded ClickHouse process, reached with clickhouse-connect's own clients and with plain HTTP."""

import asyncio
import gzip
import json
import os
import signal
import socket
import subprocess
import sys
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import clickhouse_connect
import httpx
import psutil
import pytest
from clickhouse_connect.driver.asyncclient import AsyncClient
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import DatabaseError

WRITER = ("memplane", "writer-secret")
READER = ("memplane_reader", "reader-secret")
NASTY = [
    "",
    "it's",
    'x" or 1=1 --',
    "back\\slash",
    "tab\tand\nnewline",
    "中文记忆",
    "émoji 🧠",
    "{x:String}",
    "\x00byte",
]


@dataclass
class Server:
    """A running server process."""

    process: subprocess.Popen[str]
    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, user: tuple[str, str] = WRITER, **options: object) -> Client:
        return clickhouse_connect.get_client(
            host="127.0.0.1", port=self.port, username=user[0], password=user[1], **options
        )

    def stop(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            os.kill(self.process.pid, number)
        try:
            return self.process.wait(timeout=30)
        finally:
            if self.process.stdout is not None:
                self.process.stdout.close()


Start = Callable[..., Server]


def launch(directory: Path, *options: str) -> Server:
    """Start the module on a free port and wait for its READY line."""
    directory.mkdir(exist_ok=True)
    secrets = directory / "credentials.json"
    secrets.touch(mode=0o600)
    users = {
        "writer": {"user": WRITER[0], "password": WRITER[1]},
        "reader": {"user": READER[0], "password": READER[1]},
    }
    secrets.write_text(json.dumps(users), encoding="utf-8")
    log = directory / "server.log"
    command = [sys.executable, "-m", "memplane.adapters.local.clickhouse", "--port", "0"]
    command += ["--data-dir", str(directory / "data"), "--credentials-file", str(secrets), *options]
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
    running = launch(tmp_path_factory.mktemp("clickhouse"))
    yield running
    assert running.stop() == 0


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


@pytest.fixture(scope="module")
def writer(server: Server) -> Iterator[Client]:
    client = server.client(autogenerate_session_id=False)
    client.command(
        "CREATE TABLE memories (tenant_id LowCardinality(String), memory_id String, version UInt64, content String,"
        " tags Array(String), vector Array(Float32), at DateTime64(3, 'UTC'), note Nullable(String))"
        " ENGINE = ReplacingMergeTree(version) ORDER BY (tenant_id, memory_id) SETTINGS fsync_after_insert = 1"
    )
    yield client
    client.close()


@pytest.fixture(scope="module")
def reader(server: Server, writer: Client) -> Iterator[Client]:
    client = server.client(READER, autogenerate_session_id=False)
    yield client
    client.close()


@pytest.fixture
async def async_writer(server: Server) -> AsyncIterator[AsyncClient]:
    client = await clickhouse_connect.get_async_client(
        host="127.0.0.1", port=server.port, username=WRITER[0], password=WRITER[1], autogenerate_session_id=False
    )
    yield client
    await client.close()


AT = datetime(2026, 3, 4, 5, 6, 7, 891000, tzinfo=UTC)
COLUMNS = ["tenant_id", "memory_id", "version", "content", "tags", "vector", "at", "note"]


def row(tenant: str, memory_id: str, content: str, version: int = 1) -> list[object]:
    return [tenant, memory_id, version, content, [content, "中"], [0.5, -1.0], AT, None]


def test_rows_come_back_as_inserted(writer: Client) -> None:
    rows = [row("roundtrip", f"m{number}", text) for number, text in enumerate(NASTY)]
    summary = writer.insert("memories", rows, column_names=COLUMNS, settings={"async_insert": 0})
    assert summary.written_rows == len(NASTY)
    found = writer.query(
        "SELECT content, tags, vector, at, note FROM memories FINAL WHERE tenant_id = {t:String} ORDER BY memory_id",
        parameters={"t": "roundtrip"},
        tz_mode="aware",
    ).result_rows
    assert [list(each) for each in found] == [[text, [text, "中"], [0.5, -1.0], AT, None] for text in NASTY]


@pytest.mark.parametrize("text", [text for text in NASTY if "\x00" not in text])
def test_parameters_arrive_unchanged(reader: Client, text: str) -> None:
    found = reader.query(
        "SELECT {s:String}, {a:Array(String)}, {v:Array(Float32)}, {n:Nullable(String)}",
        parameters={"s": text, "a": [text, "b"], "v": [1.5, 2.0], "n": None},
    ).result_rows
    assert found == [(text, [text, "b"], [1.5, 2.0], None)]


@pytest.mark.parametrize("form", [False, True])
def test_large_parameters_travel_in_a_form(server: Server, writer: Client, form: bool) -> None:
    with server.client(autogenerate_session_id=False, form_encode_query_params=form) as client:
        vector = [float(number) / 7 for number in range(3000)]
        text = "长" * 20_000 + "\r\n--x"
        found = client.query(
            "SELECT length({v:Array(Float32)}), {s:String}", parameters={"v": vector, "s": text}
        ).result_rows
    assert found == [(3000, text)]


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", ""])
def test_a_posted_body_is_the_statement(server: Server, kind: str) -> None:
    """``curl --data`` says that what it posts is URL-encoded, whatever it is."""
    headers = {"content-type": kind} if kind else {}
    text = "SELECT '茶=1&b=%41+c'"
    answer = httpx.post(server.url, content=text.encode(), headers=headers, auth=READER)
    assert (answer.status_code, answer.text) == (200, "茶=1&b=%41+c\n")
    params = {"query": "SELECT {n:UInt8} +", "param_n": "2"}
    answer = httpx.post(server.url, params=params, content="3", headers=headers, auth=READER)
    assert answer.text == "5\n"
    refused = httpx.post(server.url, content="DROP TABLE memories", headers=headers, auth=READER)
    assert refused.status_code == 403


@pytest.mark.parametrize("compress", ["lz4", "zstd", "gzip", False])
def test_both_directions_may_be_compressed(server: Server, writer: Client, compress: str | bool) -> None:
    tenant = f"compress-{compress}"
    with server.client(autogenerate_session_id=False, compress=compress) as client:
        rows = [row(tenant, f"m{number:05}", f"content 内容 {number}") for number in range(3000)]
        client.insert("memories", rows, column_names=COLUMNS)
        sql = "SELECT content FROM memories FINAL WHERE tenant_id = {t:String} ORDER BY memory_id"
        found = client.query(sql, parameters={"t": tenant}).result_rows
    assert found == [(f"content 内容 {number}",) for number in range(3000)]
    query = {"query": "SELECT number FROM numbers(5000)", "enable_http_compression": "1"}
    accept = compress if isinstance(compress, str) else "identity"
    with (
        httpx.Client() as plain,
        plain.stream("POST", server.url, params=query, auth=WRITER, headers={"accept-encoding": accept}) as answer,
    ):
        assert answer.headers.get("content-encoding") == (compress or None)


async def test_the_async_client_works_unchanged(async_writer: AsyncClient, writer: Client) -> None:
    await async_writer.insert("memories", [row("async", "m1", "喜欢茶")], column_names=COLUMNS)
    large = {"t": "async", "ids": [f"m{number}" for number in range(5000)]}
    sql = "SELECT content FROM memories FINAL WHERE tenant_id = {t:String} AND memory_id IN {ids:Array(String)}"
    assert (await async_writer.query(sql, parameters=large)).result_rows == [("喜欢茶",)]
    assert (await async_writer.query("SELECT content FROM memories LIMIT 0")).column_names == ("content",)
    with pytest.raises(DatabaseError, match="UNKNOWN_TABLE"):
        await async_writer.query("SELECT * FROM nowhere")


async def test_many_concurrent_reads_share_the_pool(async_writer: AsyncClient) -> None:
    answers = await asyncio.gather(
        *(async_writer.query("SELECT {n:UInt32}", parameters={"n": number}) for number in range(100))
    )
    assert [answer.result_rows[0][0] for answer in answers] == list(range(100))


def test_session_ids_of_clients_are_harmless(server: Server) -> None:
    with server.client(session_id="one") as first, server.client(session_id="one") as second:
        assert first.command("SELECT 1") == second.command("SELECT 1") == 1


def test_settings_and_database_hold_for_one_request(writer: Client, server: Server) -> None:
    setting = "SELECT getSetting('max_block_size'), getSetting('async_insert'), currentDatabase()"
    before = writer.query(setting).result_rows
    changed = writer.query(setting, settings={"max_block_size": 1234, "async_insert": 0}).result_rows
    assert changed == [(1234, False, "memplane")]
    with server.client(autogenerate_session_id=False, database="system") as other:
        assert other.query("SELECT currentDatabase()").result_rows == [("system",)]
    assert writer.query(setting).result_rows == before


def test_errors_carry_clickhouse_codes(writer: Client) -> None:
    for statement, code in [
        ("SELECT * FROM nowhere", 60),
        ("SELEKT 1", 62),
        ("SELECT 1; SELECT 2", 62),
        ("SELECT {x:UInt8}", 456),
        ("SET max_threads = 1", 48),
        ("USE system", 48),
        ("\u00a0SET max_threads = 1", 48),
        ("? SET max_threads = 1", 62),
        ("CREATE TEMPORARY TABLE t (a UInt8)", 48),
    ]:
        with pytest.raises(DatabaseError) as raised:
            writer.command(statement)
        assert raised.value.code == code, statement
    with pytest.raises(DatabaseError, match="UNKNOWN_SETTING"):
        writer.query("SELECT 1", settings={"no_such_setting": 1})
    with pytest.raises(DatabaseError, match="UNKNOWN_DATABASE"):
        writer.query("SELECT 1", transport_settings={"x-clickhouse-database": "nowhere"})
    assert writer.command("SELECT 1") == 1


def test_a_broken_block_inserts_nothing(server: Server, writer: Client) -> None:
    body = b"INSERT INTO memories (tenant_id, memory_id, version) FORMAT TSV\nbroken\ta\t1\nbroken\tb\tx\n"
    answer = httpx.post(server.url, content=body, auth=WRITER)
    assert answer.status_code == 400
    assert answer.headers["x-clickhouse-exception-code"] == "27"
    assert writer.command("SELECT count() FROM memories WHERE tenant_id = 'broken'") == 0


def test_inline_data_is_never_read_as_a_statement(server: Server, writer: Client) -> None:
    text = "it's; DROP TABLE memories; SELECT file('/etc/passwd') /* INTO OUTFILE"
    body = f"INSERT INTO memories (tenant_id, memory_id, content) FORMAT TSV\ninline\tm\t{text}\n"
    assert httpx.post(server.url, content=body.encode(), auth=WRITER).status_code == 200
    params = {"query": "INSERT INTO memories (tenant_id, memory_id, content) FORMAT JSONEachRow"}
    block = json.dumps({"tenant_id": "inline", "memory_id": "n", "content": text})
    assert httpx.post(server.url, params=params, content=block, auth=WRITER).status_code == 200
    sql = "SELECT content FROM memories WHERE tenant_id = 'inline' AND content = {c:String}"
    assert writer.query(sql, parameters={"c": text}).result_rows == [(text,), (text,)]


def test_strings_and_comments_hide_words_from_the_checks(writer: Client) -> None:
    assert writer.command("SELECT 'file(x); INTO OUTFILE' /* ; file( /* nested ; */ */ -- it's\n") == (
        "file(x); INTO OUTFILE"
    )
    assert writer.command("SELECT $$it's; file('x')$$ # it's\n") == "it\\'s; file(\\'x\\')"
    assert writer.command("SELECT ‘it’, 1") == ["it", "1"]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO memories (tenant_id) VALUES ('x')",
        "INSERT INTO memories (tenant_id) FORMAT TSV\nx\n",
        "INSERT INTO memories (tenant_id) SELECT 'x'",
        "ALTER TABLE memories DELETE WHERE 1",
        "DELETE FROM memories WHERE 1",
        "TRUNCATE TABLE memories",
        "DROP TABLE memories",
        "RENAME TABLE memories TO other",
        "CREATE TABLE other (a UInt8) ENGINE = Memory",
        "CREATE TEMPORARY TABLE other (a UInt8)",
        "OPTIMIZE TABLE memories FINAL",
        "SYSTEM STOP MERGES",
        "KILL MUTATION WHERE 1",
        "SET readonly = 0",
        "SELECT 1 SETTINGS readonly = 0",
        "SELECT 1 INTO OUTFILE '/tmp/never-written'",
        "WITH 1 AS a INSERT INTO memories (tenant_id) SELECT toString(a)",
    ],
)
def test_the_reader_changes_nothing(reader: Client, writer: Client, statement: str) -> None:
    before = writer.query("SELECT count(), max(version) FROM memories").result_rows
    with pytest.raises(DatabaseError):
        reader.command(statement)
    assert writer.query("SELECT count(), max(version) FROM memories").result_rows == before


def test_the_reader_reads_with_settings(reader: Client, writer: Client) -> None:
    writer.insert("memories", [row("reads", "m1", "茶")], column_names=COLUMNS)
    sql = "SELECT content FROM memories FINAL WHERE tenant_id = {t:String}"
    found = reader.query(sql + " SETTINGS max_block_size = 99", parameters={"t": "reads"}, settings={"max_threads": 1})
    assert found.result_rows == [("茶",)]
    assert reader.query("DESCRIBE TABLE memories").result_rows
    assert reader.command("EXISTS TABLE memories") == 1
    for name in ("readonly", "allow_ddl"):
        answer = httpx.post(str(reader.url), params={name: "0"}, content="DROP TABLE memories", auth=READER)
        assert answer.status_code == 403


def test_a_get_request_only_reads(server: Server, writer: Client) -> None:
    answer = httpx.get(server.url, params={"query": "TRUNCATE TABLE memories"}, auth=WRITER)
    assert (answer.status_code, answer.headers["x-clickhouse-exception-code"]) == (403, "164")
    assert httpx.get(server.url, params={"query": "SELECT 1"}, auth=WRITER).text == "1\n"


@pytest.mark.parametrize("user", [WRITER, READER])
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM file('/etc/hosts', 'LineAsString')",
        "SELECT file('/etc/hosts')",
        "SELECT `file`('/etc/hosts')",
        "SELECT /* */ FILE /* ' */ ('/etc/hosts') -- '",
        "SELECT `\\x66ile`('/etc/hosts')",
        "SELECT file\u00a0('/etc/hosts')",
        "\u3000SELECT\u2003file\u3000('/etc/hosts')",
        "SELECT arrayMap(file, ['/etc/hosts'])",
        "SELECT arrayMap(x -> file(x), ['/etc/hosts'])",
        "SELECT * APPLY file FROM (SELECT '/etc/hosts')",
        "SELECT * APPLY(`file`) FROM (SELECT '/etc/hosts')",
        "SELECT default.file('/etc/hosts')",
        "SELECT aiGenerate('x')",
        "SELECT * FROM '/etc/hosts'",
        "SELECT * FROM default.`/etc/hosts`",
        "SELECT * FROM url('http://127.0.0.1:9/', 'LineAsString')",
        "SELECT * FROM s3('http://127.0.0.1:9/bucket/key', 'CSV', 'a String')",
        "SELECT * FROM remote('127.0.0.1:9', system.one)",
        "SELECT * FROM executable('id', TabSeparated, 'a String')",
        "SELECT * FROM python('os')",
        "SELECT * FROM sqlite('/tmp/x.db', 't')",
        "SELECT * FROM filesystem('/etc')",
        "SELECT * FROM view(SELECT * FROM file('/etc/hosts', 'LineAsString'))",
        "INSERT INTO FUNCTION file('/tmp/never-written', 'TSV', 'a UInt8') VALUES (1)",
        "INSERT INTO memories (tenant_id) VALUES (file('/etc/hosts'))",
        "INSERT INTO memories (tenant_id) FROM INFILE '/etc/hosts' FORMAT LineAsString",
        "CREATE TABLE f (a String) ENGINE = File('LineAsString', '/etc/hosts')",
        "CREATE TABLE f (a String) ENGINE = URL('http://127.0.0.1:9/', 'TSV')",
        "CREATE DATABASE f ENGINE = Filesystem('/etc')",
        "CREATE TABLE default.t (a UInt8) ENGINE = Memory",
        "CREATE DICTIONARY f (a UInt64) PRIMARY KEY a SOURCE(HTTP(url 'http://127.0.0.1:9/')) LAYOUT(FLAT())",
        "CREATE FUNCTION f AS (x) -> file(x)",
        "BACKUP TABLE memories TO File('/tmp/never-written')",
        "SELECT 1 SETTINGS output_format_schema = '/tmp/never-written'",
        "SYSTEM SHUTDOWN",
        "CREATE USER other",
    ],
)
def test_nobody_reaches_files_or_networks(
    server: Server, writer: Client, user: tuple[str, str], statement: str
) -> None:
    answer = httpx.post(server.url, content=statement.encode(), auth=user)
    assert answer.status_code in (400, 403, 404, 501), answer.text
    assert "localhost" not in answer.text
    assert not Path("/tmp/never-written").exists()


def test_wrong_credentials_are_a_clean_error(server: Server) -> None:
    for user, password in [("memplane", "wrong"), ("default", ""), (WRITER[0], READER[1]), ("", "")]:
        answer = httpx.post(server.url, content="SELECT 1", auth=(user, password))
        assert (answer.status_code, answer.headers["x-clickhouse-exception-code"]) == (403, "516")
    with pytest.raises(DatabaseError) as raised:
        server.client((WRITER[0], "wrong"))
    assert raised.value.code == 516
    headers = {"authorization": "Basic %%%"}
    assert httpx.post(server.url, content="SELECT 1", headers=headers).status_code == 403


def test_each_way_of_signing_in_works(server: Server) -> None:
    headers = {"x-clickhouse-user": WRITER[0], "x-clickhouse-key": WRITER[1]}
    basic = {"authorization": "Basic " + b64encode(":".join(WRITER).encode()).decode()}
    params = {"user": WRITER[0], "password": WRITER[1]}
    assert httpx.post(server.url, content="SELECT 1", headers=headers).text == "1\n"
    assert httpx.post(server.url, content="SELECT 1", headers=basic).text == "1\n"
    assert httpx.post(server.url, content="SELECT 1", params=params).text == "1\n"


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"host": "evil.example"}, {"host": "127.0.0.1.evil.io:80"}],
)
def test_web_pages_are_refused(server: Server, headers: dict[str, str]) -> None:
    for path in ("/", "/ping"):
        answer = httpx.post(server.url + path, content="SELECT 1", auth=WRITER, headers=headers)
        assert answer.status_code == 403
    with httpx.Client() as client:
        assert client.get(f"http://localhost:{server.port}/ping").text == "Ok.\n"


def test_only_loopback_is_bound(server: Server) -> None:
    sockets = psutil.Process(server.process.pid).net_connections(kind="inet")
    assert {each.laddr.ip for each in sockets if each.status == psutil.CONN_LISTEN} == {"127.0.0.1"}


def test_a_client_that_leaves_does_not_cost_a_connection(server: Server, writer: Client) -> None:
    head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-ClickHouse-User: {WRITER[0]}\r\nX-ClickHouse-Key: {WRITER[1]}\r\n"
    statement = "SELECT sleep(0.3)"
    for announced in (len(statement), 10_000):
        for _ in range(6):
            with socket.create_connection(("127.0.0.1", server.port)) as raw:
                raw.sendall(f"{head}Content-Length: {announced}\r\n\r\n{statement}".encode())
    assert writer.command("SELECT 1") == 1


def test_limits_refuse_early(start: Start) -> None:
    server = start("--threads", "1", "--max-waiting", "0", "--max-body-bytes", "100000")
    answer = httpx.post(server.url, content=b"SELECT 1 " + b" " * 200_000, auth=WRITER)
    assert answer.status_code == 413
    bomb = gzip.compress(b"SELECT 1" + b" " * 5_000_000)
    answer = httpx.post(server.url, content=bomb, auth=WRITER, headers={"content-encoding": "gzip"})
    assert (len(bomb) < 100_000, answer.status_code) == (True, 413)
    head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-ClickHouse-User: {WRITER[0]}\r\nX-ClickHouse-Key: {WRITER[1]}\r\n"
    statement = "SELECT sleep(2.5)"
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(f"{head}Content-Length: {len(statement)}\r\n\r\n{statement}".encode())
        statuses = [httpx.post(server.url, content="SELECT 1", auth=WRITER) for _ in range(5)]
        busy = [each for each in statuses if each.status_code == 503]
        assert busy
        assert busy[0].headers["retry-after"] == "1"


def test_acknowledged_rows_survive_a_kill(start: Start) -> None:
    server = start()
    with server.client(autogenerate_session_id=False) as client:
        client.command(
            "CREATE TABLE kept (a UInt64, b String) ENGINE = MergeTree ORDER BY a"
            " SETTINGS fsync_after_insert = 1, non_replicated_deduplication_window = 100"
        )
        token = {"insert_deduplication_token": "batch-1", "async_insert": 0}
        for _ in range(2):
            client.insert("kept", [[1, "一"]], column_names=["a", "b"], settings=token)
        client.insert("kept", [[2, "二"]], column_names=["a", "b"], settings={"async_insert": 1})
    assert server.stop(signal.SIGKILL) == -signal.SIGKILL
    again = start()
    with again.client(READER, autogenerate_session_id=False) as client:
        assert client.query("SELECT a, b FROM kept ORDER BY a").result_rows == [(1, "一"), (2, "二")]
    assert again.stop(signal.SIGTERM) == 0


def test_a_term_signal_lets_running_statements_end(start: Start) -> None:
    server = start()
    with server.client(autogenerate_session_id=False) as client:
        client.command("CREATE TABLE slow (a UInt8) ENGINE = MergeTree ORDER BY a")
    head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-ClickHouse-User: {WRITER[0]}\r\nX-ClickHouse-Key: {WRITER[1]}\r\n"
    statement = "INSERT INTO slow SELECT sleep(1)"
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(f"{head}Content-Length: {len(statement)}\r\n\r\n{statement}".encode())
        # The first answer to a later request shows that the statement before it has been taken in.
        assert httpx.post(server.url, content="SELECT 1", auth=WRITER).status_code == 200
        os.kill(server.process.pid, signal.SIGTERM)
        assert raw.recv(4096).startswith(b"HTTP/1.1 200")
    assert server.stop() == 0
    events = [json.loads(line) for line in server.log.read_text(encoding="utf-8").splitlines()]
    assert [each["event"] for each in events] == ["start", "stop"]
    again = start()
    with again.client(autogenerate_session_id=False) as client:
        assert client.command("SELECT count() FROM slow") == 1


def test_a_second_owner_of_the_directory_is_refused(start: Start) -> None:
    server = start()
    with pytest.raises(RuntimeError, match="exit code 1"):
        start()
    with server.client() as client:
        assert client.command("SELECT 1") == 1


def test_the_log_holds_no_statement_text(server: Server, writer: Client) -> None:
    with pytest.raises(DatabaseError):
        writer.command("SELECT secret_column FROM secret_table WHERE content = 'very private'")
    lines = server.log.read_text(encoding="utf-8").splitlines()
    assert {"error", "start"} <= {json.loads(line)["event"] for line in lines}
    assert not any("secret_" in line or "private" in line for line in lines)


def test_a_readable_credentials_file_is_refused(tmp_path: Path) -> None:
    secrets = tmp_path / "open.json"
    secrets.write_text("{}", encoding="utf-8")
    secrets.chmod(0o644)
    command = [sys.executable, "-m", "memplane.adapters.local.clickhouse", "--port", "0"]
    command += ["--data-dir", str(tmp_path / "data"), "--credentials-file", str(secrets)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert json.loads(done.stderr.splitlines()[-1])["event"] == "error"
