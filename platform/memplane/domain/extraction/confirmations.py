# ruff: noqa: E501 (patterns and tables)
"""What an assistant confirms to have done for the user: the one thing that an assistant's turn states about them."""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.extraction.perspective import strip_fillers
from memplane.domain.extraction.reading import Clause, Finding, Trigger
from memplane.domain.extraction.slots import slot_part
from memplane.domain.memory import Kind

_DONE_ZH: Final = re.compile(
    r"(?:已经?|刚刚?)(?:为|帮|替|给)(?:您|你)(?:成功)?(?P<do>(?:预?订|预约|取消|下单|提交|改|更改|修改|更新|登记|记录|安排|办理|开通|退款|设置|记下|购买|发送|改签)[^，,。]{1,50})"
    r"|(?:您|你)的(?P<do2>[^，,。]{2,24}(?:已(?:经)?(?:成功)?(?:预订|确认|取消|提交|修改|更新|发货|付款|退款|生效|安排|改到|改为)[^，,。]{0,24}))"
)
_DONE_EN: Final = re.compile(
    r"\b(?:I've|I have|I just|We've|We have)\s+(?:now |just |successfully |also )?(?P<do>(?:booked|reserved|cancel(?:l)?ed|scheduled|rescheduled|placed|submitted|changed|updated|confirmed|ordered|arranged|moved|set up|refunded|purchased|registered|added|sent)\s+[^.!?]{3,100})"
    r"|\b[Yy]our (?P<do2>[\w #-]{3,40} (?:is|has been|was) (?:now )?(?:booked|confirmed|cancel(?:l)?ed|scheduled|rescheduled|placed|submitted|updated|changed|shipped|paid|refunded)\b[^.!?]{0,60})"
)
_PLACE: Final = re.compile(r"日(?:去|到|飞|在)?(?P<zh>[\u4e00-\u9fff]{2,4})的|\b(?:in|to) (?P<en>[A-Z][a-z]+)\b")


def confirmations(clause: Clause) -> list[Finding]:
    """What an assistant says that it has done; not advice, not offers, not what it supposes about the user."""
    text = strip_fillers(clause.text)
    zh = clause.language == "zh"
    match = (_DONE_ZH if zh else _DONE_EN).search(text)
    if match is None:
        return []
    done = match["do"]
    if zh:
        said = f"助手已为用户{done}" if done else f"用户的{match['do2']}"
    else:
        body = re.sub(r"\byour\b", "their", re.sub(r"\bfor you\b", "for the user", done or match["do2"]))
        said = f"The assistant has {body}" if done else f"The user's {body}"
    place = _PLACE.search(text)
    where = (place["zh"] or place["en"]) if place else None
    return [
        Finding(
            text=said,
            kind=Kind.EPISODIC,
            category="event",
            triggers=(Trigger.CONFIRMATION, Trigger.DECISION),
            polarity="positive",
            slot=f"trip/{slot_part(where)}"
            if where and re.search(r"酒店|机票|宾馆|车票|hotel|flight|train", text, re.IGNORECASE)
            else None,
            value=done or match["do2"],
            dated=True,
        )
    ]
