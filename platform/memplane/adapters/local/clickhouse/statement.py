"""What a statement is, read from its tokens: kind, format, where inline data starts, and whether it is refused.

The engine's own grants refuse files, URLs and foreign tables. The checks here cover the rest: what no grant guards
(the scalar `file` function, `INTO OUTFILE`, `FROM INFILE`, Python objects, AI calls) and what would leave state on a
pooled connection (SET, USE, temporary tables, transactions). A refused name is refused wherever it stands, for the
engine also calls functions that are only mentioned, as in `arrayMap(file, ...)` and `APPLY file`; only behind a dot
it is a member, and free. So no column or table may be called `file` without its table or database in front.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memplane.adapters.local.clickhouse.errors import (
    ACCESS_DENIED,
    NOT_IMPLEMENTED,
    READONLY,
    SYNTAX_ERROR,
    StatementError,
)

_TOKEN = re.compile(
    rb"(?P<blank>[\s\x00]+|--[^\n]*|\#(?:!|\ )[^\n]*"
    # The blanks beyond ASCII that the engine skips: U+0085, U+00A0, U+1680, U+180E, U+2000-200D, U+2028, ...
    rb"|\xc2[\x85\xa0]|\xe1(?:\x9a\x80|\xa0\x8e)|\xe2\x80[\x80-\x8d\xa8\xa9\xaf]|\xe2\x81[\x9f\xa0]"
    rb"|\xe3\x80\x80|\xef\xbb\xbf)"
    rb"|(?P<comment>/\*)"
    rb"|(?P<string>'(?:[^'\\]|\\.|'')*+'|\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)"
    rb"|(?P<curly>\xe2\x80\x98.*?\xe2\x80\x99|\xe2\x80\x9c.*?\xe2\x80\x9d)"
    rb"|`(?P<tick>(?:[^`\\]|\\.|``)*+)`|\"(?P<double>(?:[^\"\\]|\\.|\"\")*+)\""
    rb"|(?P<word>[A-Za-z_][A-Za-z0-9_$]*)"
    rb"|(?P<number>[0-9][A-Za-z0-9_.]*)"
    rb"|(?P<symbol>.)",
    re.DOTALL | re.VERBOSE,
)
_COMMENT_EDGE = re.compile(rb"/\*|\*/")
_DATA_START = re.compile(rb"[ \t\f\r]*\n?")

_READ_KINDS = frozenset({"SELECT", "WITH", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "EXISTS"})
_STATEFUL_KINDS = frozenset({"SET", "USE", "BEGIN", "START", "COMMIT", "ROLLBACK", "EXECUTE"})
_REFUSED_NAMES = frozenset({"file", "executable", "python", "catboostevaluate", "filesystem", "outfile", "infile"})
_AI_CALL = re.compile(r"ai(generate|embed|classify|extract|filter|redact|similarity|translate|sum)\w*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement that passed the checks."""

    kind: str
    """First keyword in upper case; `SELECT` for a parenthesised query, empty for an empty statement."""
    format_name: str | None
    """The format named by the statement, of its result or of its inline data."""
    text: str
    """The statement; without the FORMAT clause when data follows."""
    data: bytes | None
    """Inline data of `INSERT ... FORMAT name`, which is never looked into; None for every other statement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int
    depth: int


def parse_statement(content: bytes) -> Statement:
    """Read one statement, followed by inline data or not.

    Raises StatementError for several statements in one request, for statements that need a session, and for calls
    that reach files, programs or services.
    """
    kind, previous, before = "", "", ""
    previous_start = 0
    format_name: str | None = None
    plain_insert = ended = False
    for token in _tokens(content):
        if token.text == ";" and token.kind == "symbol":
            ended = True
            continue
        if ended:
            raise StatementError(SYNTAX_ERROR, "Multi-statements are not allowed")
        upper = token.text.upper() if token.kind == "word" else token.text
        kind = kind or _kind(token, upper)
        _refuse(kind, previous, upper, token)
        if token.depth == 0 and kind == "INSERT" and upper in ("VALUES", "SELECT", "WITH", "WATCH"):
            plain_insert = True
        if token.depth == 0 and previous == "FORMAT" and token.kind in ("word", "quoted"):
            format_name = token.text
            if kind == "INSERT" and not plain_insert and before != ".":
                data = content[_data_start(content, token.end) :]
                return Statement(kind=kind, format_name=format_name, text=_text(content[:previous_start]), data=data)
        before, previous, previous_start = previous, upper, token.start
    if kind in _STATEFUL_KINDS:
        raise StatementError(NOT_IMPLEMENTED, f"{kind} needs a session; pass settings and the database per request")
    return Statement(kind=kind, format_name=format_name, text=_text(content), data=None)


def require_read(statement: Statement) -> None:
    """Raise READONLY unless the statement only reads; the engine's readonly mode is the second lock."""
    if statement.kind and statement.kind not in _READ_KINDS:
        raise StatementError(READONLY, "Cannot execute query in readonly mode")


def _kind(first: _Token, upper: str) -> str:
    if first.text == "(":
        return "SELECT"
    if first.kind != "word":
        raise StatementError(SYNTAX_ERROR, "A statement begins with a keyword")
    return upper


def _refuse(kind: str, previous: str, upper: str, token: _Token) -> None:
    """Raise ACCESS_DENIED for a name that reaches out of the engine and that none of its grants guards."""
    if token.kind == "quoted" and "\\" in token.text:
        raise StatementError(ACCESS_DENIED, "Escapes in quoted identifiers are not allowed")
    if token.kind in ("word", "quoted") and previous != ".":
        name = token.text.lower()
        if name in _REFUSED_NAMES or _AI_CALL.fullmatch(name):
            raise StatementError(ACCESS_DENIED, f"{name} is not allowed")
    if upper == "TEMPORARY" and kind in ("CREATE", "REPLACE", "ATTACH"):
        raise StatementError(NOT_IMPLEMENTED, "Temporary tables need a session")


def _tokens(content: bytes) -> Iterator[_Token]:
    """Yield the tokens that matter, with bracket depth; blanks and comments (which nest) are left out."""
    position, depth = 0, 0
    while position < len(content):
        match = _TOKEN.match(content, position)
        if match is None:
            raise StatementError(SYNTAX_ERROR, "Cannot read the statement")
        kind = match.lastgroup or "symbol"
        start, position = match.span()
        if kind == "comment":
            position = _comment_end(content, position)
        if kind in ("blank", "comment"):
            continue
        raw = match[0]
        if raw in (b"(", b"[", b"{"):
            yield _token("symbol", raw, start, position, depth)
            depth += 1
            continue
        if raw in (b")", b"]", b"}"):
            depth = max(0, depth - 1)
        if kind == "symbol" and raw in (b"'", b"`", b'"'):
            raise StatementError(SYNTAX_ERROR, "A quoted string or identifier is not closed")
        if kind in ("tick", "double"):
            yield _token("quoted", match[kind], start, position, depth)
        elif kind in ("string", "tag", "curly"):
            # A literal matters only as "something that is no word".
            yield _token("string", b"", start, position, depth)
        else:
            yield _token(kind, raw, start, position, depth)


def _token(kind: str, raw: bytes, start: int, end: int, depth: int) -> _Token:
    return _Token(kind=kind, text=raw.decode("utf-8", "replace"), start=start, end=end, depth=depth)


def _comment_end(content: bytes, position: int) -> int:
    level = 1
    for edge in _COMMENT_EDGE.finditer(content, position):
        level += 1 if edge[0] == b"/*" else -1
        if level == 0:
            return edge.end()
    raise StatementError(SYNTAX_ERROR, "Multiline comment is not closed")


def _data_start(content: bytes, position: int) -> int:
    """Return where inline data begins: after blanks and one line break, as in the engine's own parser."""
    match = _DATA_START.match(content, position)
    return match.end() if match else position


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8").strip().rstrip(";")
    except UnicodeDecodeError as error:
        raise StatementError(SYNTAX_ERROR, "The statement is not valid UTF-8") from error
