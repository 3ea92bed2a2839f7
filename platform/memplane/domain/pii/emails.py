"""E-mail addresses. The hint is the domain: it tells the work address from the private one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memplane.domain.pii.spans import Found

# ASCII classes, so that an address is found between Chinese characters; the look-behind makes each run of local-part
# characters start once, which keeps the scan linear.
_EMAIL: Final = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]++@((?:[A-Za-z0-9-]{1,63}\.){1,8}([A-Za-z]{2,24}))(?![A-Za-z0-9_-])"
)
_REMOTE_PATH: Final = re.compile(r":[\w~./-]")
_FILE_ENDINGS: Final = frozenset({"png", "jpg", "jpeg", "gif", "svg", "webp", "js", "css", "html", "py", "json", "whl"})


def find_emails(text: str) -> Iterator[Found]:
    """Yield addresses; not ``git@host:path`` and not file names such as ``icon@2x.png``."""
    if "@" not in text:
        return
    for match in _EMAIL.finditer(text):
        if match[2].lower() in _FILE_ENDINGS or _REMOTE_PATH.match(text, match.end()):
            continue
        yield Found(match.start(), match.end(), match[1].lower())
