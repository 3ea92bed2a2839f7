"""Multipart bodies: clients move large parameters there."""

import re

from memplane.adapters.local.clickhouse.errors import BAD_ARGUMENTS, NOT_IMPLEMENTED, StatementError

_BOUNDARY = re.compile(r'boundary="?([^";,]+)"?', re.IGNORECASE)
_NAME = re.compile(rb'\bname="([^"]*)"', re.IGNORECASE)
_FILENAME = re.compile(rb"\bfilename\*?=", re.IGNORECASE)


def is_form(content_type: str) -> bool:
    """Tell whether the body holds named fields instead of a statement.

    Only multipart does. As with ClickHouse, a body that calls itself URL-encoded is a statement: curl says so of all
    that it posts.
    """
    return content_type.startswith("multipart/form-data")


def parse_form(body: bytes, content_type: str) -> dict[str, str]:
    """Return the fields by name. Raises StatementError for a broken form and for file parts (external data)."""
    try:
        return _multipart(body, content_type)
    except (UnicodeDecodeError, ValueError) as error:
        raise StatementError(BAD_ARGUMENTS, "Cannot parse the form body") from error


def _multipart(body: bytes, content_type: str) -> dict[str, str]:
    found = _BOUNDARY.search(content_type)
    if found is None:
        raise StatementError(BAD_ARGUMENTS, "Multipart body without a boundary")
    delimiter = b"\r\n--" + found[1].encode("ascii")
    fields: dict[str, str] = {}
    # The first delimiter has no line break before it; adding one makes all of them alike.
    for part in (b"\r\n" + body).split(delimiter)[1:]:
        if part.startswith(b"--"):
            return fields
        head, separator, value = part.partition(b"\r\n\r\n")
        name = _NAME.search(head)
        if not separator or name is None:
            raise StatementError(BAD_ARGUMENTS, "Malformed part in a multipart body")
        if _FILENAME.search(head):
            raise StatementError(NOT_IMPLEMENTED, "External data tables are not supported by the embedded engine")
        fields[name[1].decode("utf-8")] = value.decode("utf-8")
    raise StatementError(BAD_ARGUMENTS, "Multipart body without its closing boundary")
