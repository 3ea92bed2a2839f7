"""Reading a request of the ClickHouse HTTP interface: headers, URL, body; nothing of the engine."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl
from uuid import uuid4

from memplane.adapters.local.clickhouse.compression import choose, decode
from memplane.adapters.local.clickhouse.config import DATABASE
from memplane.adapters.local.clickhouse.engine import EngineQuery
from memplane.adapters.local.clickhouse.errors import BAD_ARGUMENTS, StatementError
from memplane.adapters.local.clickhouse.forms import is_form, parse_form
from memplane.adapters.local.clickhouse.statement import parse_statement, require_read

# Parameters of the interface itself. Sessions do not exist here: their parameters are accepted and have no effect,
# so that a client that makes up a session id works, and concurrently at that.
_TRANSPORT = frozenset({
    "query", "user", "password", "database", "default_format", "query_id", "quota_key", "role", "compress",
    "decompress", "session_id", "session_timeout", "session_check", "close_session", "stacktrace", "buffer_size",
    "wait_end_of_query", "client_protocol_version", "enable_http_compression", "http_zlib_compression_level",
    "send_progress_in_http_headers", "http_headers_progress_interval_ms", "add_http_cors_header",
    "cancel_http_readonly_queries_on_client_close", "http_write_exception_in_output_format",
})  # fmt: skip
_PARAMETER_PREFIX = "param_"
_MAX_QUERY_ID = 128
_LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The part of a request that is known before its body."""

    method: str
    path: str
    headers: Mapping[str, str]
    """Lower-case names."""
    url: Mapping[str, str]

    @property
    def is_local(self) -> bool:
        """False for a foreign `Host` and for any `Origin`: a web page, or a name rebound to this machine."""
        host, _, port = self.headers.get("host", "").partition(":")
        return host.lower() in _LOCAL_HOSTS and (not port or port.isdigit()) and "origin" not in self.headers

    @property
    def query_id(self) -> str:
        """The client's query id, or a new one."""
        given = self.url.get("query_id", "")
        usable = given.isascii() and given.isprintable() and 0 < len(given) <= _MAX_QUERY_ID
        return given if usable else str(uuid4())

    @property
    def response_encoding(self) -> str | None:
        """Encoding for the answer: only when the client asks for compression and accepts one that is known."""
        if self.url.get("enable_http_compression") not in ("1", "true"):
            return None
        return choose(self.headers.get("accept-encoding", ""))


def read_head(method: str, path: str, query_string: bytes, headers: list[tuple[bytes, bytes]]) -> Head:
    """Build the head. Raises StatementError for a URL that is not UTF-8."""
    try:
        url = dict(parse_qsl(query_string.decode("ascii"), keep_blank_values=True, errors="strict"))
    except (UnicodeDecodeError, ValueError) as error:
        raise StatementError(BAD_ARGUMENTS, "Cannot parse the URL parameters") from error
    names = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}
    return Head(method=method, path=path, headers=names, url=url)


def read_query(head: Head, body: bytes, *, read_only: bool, limit: int) -> EngineQuery:
    """Build the query from the URL and the body, as ClickHouse does: `query` first, the body behind it.

    Raises StatementError for anything malformed, refused, or not read-only when it has to be.
    """
    content = decode(body, head.headers.get("content-encoding", "").strip().lower(), limit=limit)
    fields = dict(head.url)
    content_type = head.headers.get("content-type", "")
    if is_form(content_type):
        fields.update(parse_form(content, content_type))
        content = b""
    text = fields.get("query", "").encode("utf-8")
    statement = parse_statement(text + b"\n" + content if text and content else text or content)
    if not statement.kind:
        raise StatementError(BAD_ARGUMENTS, "The query is empty")
    if read_only:
        require_read(statement)
    return EngineQuery(
        statement=statement,
        parameters={
            name.removeprefix(_PARAMETER_PREFIX): value
            for name, value in fields.items()
            if name.startswith(_PARAMETER_PREFIX)
        },
        settings={
            name: value
            for name, value in fields.items()
            if name not in _TRANSPORT and not name.startswith(_PARAMETER_PREFIX)
        },
        database=fields.get("database") or head.headers.get("x-clickhouse-database") or DATABASE,
        default_format=fields.get("default_format") or head.headers.get("x-clickhouse-format") or "TabSeparated",
        read_only=read_only,
    )
