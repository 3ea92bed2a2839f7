"""Engine errors in ClickHouse's own terms: numeric code, symbolic name, HTTP status."""

import re

_CODE = re.compile(r"Code: (\d+)\.")
_NAME = re.compile(r"\(([A-Z][A-Z0-9_]{2,})\)")

NOT_IMPLEMENTED = (48, "NOT_IMPLEMENTED")
BAD_ARGUMENTS = (36, "BAD_ARGUMENTS")
SYNTAX_ERROR = (62, "SYNTAX_ERROR")
READONLY = (164, "READONLY")
TOO_MANY_QUERIES = (202, "TOO_MANY_SIMULTANEOUS_QUERIES")
TOO_LARGE = (307, "TOO_MANY_BYTES")
BAD_COMPRESSION = (354, "ZLIB_INFLATE_FAILED")
ACCESS_DENIED = (497, "ACCESS_DENIED")
AUTHENTICATION_FAILED = (516, "AUTHENTICATION_FAILED")
UNKNOWN = (1002, "UNKNOWN_EXCEPTION")

# The part of ClickHouse's own mapping that callers tell apart; every other code is a 500, as there.
_STATUS = {
    27: 400, 36: 400, 38: 400, 41: 400, 43: 400, 47: 400, 53: 400, 62: 400, 115: 404, 456: 400, 457: 400,
    46: 404, 60: 404, 81: 404, 452: 403, 497: 403, 516: 403, 164: 403, 48: 501, 202: 503, 307: 413, 354: 400,
}  # fmt: skip


class StatementError(Exception):
    """A statement that is refused or that failed, with ClickHouse's numeric `code` and symbolic `name`."""

    def __init__(self, kind: tuple[int, str], detail: str) -> None:
        super().__init__(kind, detail)
        self.code, self.name = kind
        self.detail = detail

    @property
    def status(self) -> int:
        """HTTP status for the code."""
        return _STATUS.get(self.code, 500)

    @property
    def body(self) -> str:
        """The text that ClickHouse would answer with; clients parse the code and the name out of it."""
        if self.detail.startswith("Code: "):
            return self.detail + "\n"
        return f"Code: {self.code}. DB::Exception: {self.detail}. ({self.name})\n"


def from_engine(text: str) -> StatementError:
    """Build the error from the message of a chdb exception; the wrapping of chdb's own client is cut off."""
    start = text.find("Code: ")
    detail = text[start:] if start >= 0 else text
    code, names = _CODE.match(detail), _NAME.findall(detail)
    if code is None:
        return StatementError(UNKNOWN, detail)
    return StatementError((int(code[1]), names[-1] if names else UNKNOWN[1]), detail.strip())
