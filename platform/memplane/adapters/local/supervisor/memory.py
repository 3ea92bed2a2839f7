"""How much memory a process and everything below it takes."""

from __future__ import annotations

import psutil

from memplane.adapters.local.supervisor.identity import ProcessIdentity


def process_memory(identity: ProcessIdentity | None, *, with_descendants: bool = True) -> tuple[int, int] | None:
    """``(rss, pss)`` in bytes of the process, by default with its descendants; ``None`` when it is gone.

    PSS counts a page that n processes share as 1/n, so only PSS may be added up; RSS is told because everyone knows it.
    """
    process = identity.process() if identity is not None else None
    if process is None:
        return None
    rss = pss = 0
    try:
        family = [process, *(process.children(recursive=True) if with_descendants else [])]
    except psutil.Error:
        family = [process]
    for member in family:
        try:
            memory = member.memory_full_info()
        except psutil.Error:
            continue
        rss += memory.rss
        pss += getattr(memory, "pss", memory.rss)
    return rss, pss
