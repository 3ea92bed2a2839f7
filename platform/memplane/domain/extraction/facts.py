# ruff: noqa: E501 (patterns)
"""Business facts told in words: terms, accounts, invoices, budgets, deadlines, and the state of a project.

The status of an order, an approval or a task becomes a fact only from a tool or a business event: what a user says of
it is their view and stays a statement without a key.
"""

from __future__ import annotations

import re
from typing import Final

from memplane.domain.extraction.business_fields import (
    BUSINESS_HINT,
    CARES,
    CODE,
    CUSTOMER,
    FAILURE,
    FIELDS,
    KEYED,
    NOT_NAMES,
    ORDER,
    ORDER_STATUS,
    PROJECT,
    TEAM,
    TYPE,
    Field,
)
from memplane.domain.extraction.perspective import third_person
from memplane.domain.extraction.reading import Clause, Finding, Trigger
from memplane.domain.extraction.slots import slot_part
from memplane.domain.memory import Kind
from memplane.domain.statements import JSON

_STATUS: Final = (
    (
        "延期",
        "delayed",
        re.compile(
            r"延[迟期误]|推迟|滞后|\bdelay(?:ed|s)?\b|\bbehind schedule\b|\bslipp(?:ed|ing)\b|\bpostponed\b",
            re.IGNORECASE,
        ),
    ),
    (
        "恢复",
        "recovered",
        re.compile(r"恢复(?!.{0,4}预计)|\bback on track\b|\brecovered\b|\bunblocked\b|\bresumed\b", re.IGNORECASE),
    ),
    ("阻塞", "blocked", re.compile(r"阻塞|卡[住在]|受阻|\bblocked\b|\bstuck\b|\bblocker\b", re.IGNORECASE)),
    (
        "完成",
        "completed",
        re.compile(
            r"完成|完工|验收通过|已上线|\b(?:completed|finished|done|shipped|launched|went live)\b", re.IGNORECASE
        ),
    ),
    (
        "取消",
        "cancelled",
        re.compile(
            r"(?:项目|开发).{0,6}(?:取消|终止|叫停)|\bproject\b.{0,20}\b(?:cancelled|canceled|terminated)\b",
            re.IGNORECASE,
        ),
    ),
)
_PROJECT_TOPIC: Final = re.compile(
    r"项目|开发进度|研发进度|进度|里程碑|\b(?:project|development|milestone|sprint|rollout)\b", re.IGNORECASE
)
_DOER: Final = re.compile(r"\b(?:I|I've|I'm)\b|我(?!们)|\bfor\b", re.IGNORECASE)
_CAUSE: Final = re.compile(
    r"(?:原因是|因为|由于|是因为)(?P<zh>[^，,。]{2,30})|\b(?:because(?: of)?|due to|since|caused by)\s+(?:the |our )?(?P<en>[^,.]{3,60}?)(?=$|,|\s+(?:and|so|we)\b)",
    re.IGNORECASE,
)
_FORECAST: Final = re.compile(
    r"(?P<zh>预计[^，,。]{2,16})|\b(?:we |and )?(?P<en>expect(?:ed|s)?(?: it)? to [^,.]{3,50})", re.IGNORECASE
)
_TRIM_CAUSE: Final = re.compile(r"第三方|接口|方面|的问题|这边")


def facts(clause: Clause) -> list[Finding]:
    """The business facts of a clause and of what follows it in its sentence."""
    found = _business(clause) or _order(clause) or []
    return found or _project(clause) or _keyed(clause) or _failure(clause) or _practice(clause)


def _business(clause: Clause) -> list[Finding]:
    if not BUSINESS_HINT.search(clause.text):
        return []
    for field in FIELDS:
        for pattern in field.patterns:
            match = pattern.search(clause.rest)
            if match is None or match.start() >= len(clause.text):
                continue
            value = match["value"].strip(" ，,的")
            if not value or re.match(r"什么|多少|哪|几|不|没", value):
                continue
            return [_field_finding(clause, field, value, match)]
    return []


def _field_finding(clause: Clause, field: Field, value: str, match: re.Match[str]) -> Finding:
    named = match.groupdict().get("customer") or customer_in(clause.rest[: match.end()])
    typed: JSON = int(value) if field.days else value
    told = ""
    if named or (
        field.customer and not re.search(r"我们公司|我司|\bour (?:payment|credit|company)", clause.text, re.IGNORECASE)
    ):
        name = named or clause.customer
        slot = f"customer/{name or 'current'}/{field.name}"
        if field.days and name:
            told = (
                f"客户{name}的账期是{value}天"
                if clause.language == "zh"
                else f"The payment term of customer {name} is {value} days"
            )
    else:
        slot = f"user/business/{field.name}"
    return Finding(
        text=told or _said(clause.rest[: match.end()], clause),
        kind=Kind.FACT,
        category="state",
        triggers=(Trigger.BUSINESS_FACT,),
        slot=slot,
        value=value,
        fact_value=typed,
        dated=field.dated,
        end=match.end(),
    )


def _said(text: str, clause: Clause) -> str:
    """The clause as a statement: an order to change something says what it is changed to."""
    change = re.match(
        r"(?:请|帮我|麻烦)?(?:把|将)(.{1,20}?)(调整|更新|变更|修改|改|换|设置?|定)(为|成|到|在)(.+)$", text
    )
    if change:
        return f"用户{change[0].lstrip('请帮我麻烦')}"
    if clause.language == "en" and re.match(
        r"(?:please )?(?:change|set|update|adjust|use|ship|deliver|mail|move|correct|raise|lower|reduce|make|issue)\b",
        text,
        re.IGNORECASE,
    ):
        body = re.sub(r"^please ", "", text, flags=re.IGNORECASE)
        return f"The user asks to {body[:1].lower()}{body[1:]}"
    if re.search(r"我|\b(?:I|my|we|our)\b", text, re.IGNORECASE):
        return third_person(text)
    return (
        text.strip()
        if customer_in(text)
        else third_person(text)
        if clause.language == "zh"
        else f"The user states: {text.strip()}"
    )


def _order(clause: Clause) -> list[Finding]:
    match = ORDER.search(clause.text)
    status = ORDER_STATUS.search(clause.text, match.end()) if match else None
    if match is None or status is None:
        return []
    kind = TYPE.get(match["type"]) or match["type"].lower()
    value = status["zh"] or status["en"].lower()
    structured = clause.role not in ("user", "assistant")
    key = f"{kind}/{match['id']}/status"
    return [
        Finding(
            text=clause.text.strip() if structured else third_person(clause.text),
            kind=Kind.FACT if structured else Kind.EPISODIC,
            category="state",
            triggers=(Trigger.RESULT if structured else Trigger.STATE_CHANGE,),
            slot=key if structured else None,
            value=value,
            fact_value=value if structured else None,
        )
    ]


def _project(clause: Clause) -> list[Finding]:
    topic = _PROJECT_TOPIC.search(clause.text)
    if topic is None or _DOER.search(clause.text[: topic.start()]):
        return []
    status = next(
        ((zh, en) for zh, en, pattern in _STATUS if pattern.search(clause.text, topic.end(), topic.end() + 60)), None
    )
    if status is None:
        return []
    chinese = clause.language == "zh"
    value = status[0] if chinese else status[1]
    slot = f"project/{project_in(clause.rest) or clause.project or 'current'}/project_status"
    episode = _progress_line(clause, value)
    return [
        Finding(
            text=episode,
            kind=Kind.EPISODIC,
            category="event",
            triggers=(Trigger.STATE_CHANGE,),
            value=value,
            end=len(clause.rest),
        ),
        Finding(
            text=f"项目状态:{value}" if chinese else f"Project status: {value}",
            kind=Kind.FACT,
            category="state",
            triggers=(Trigger.STATE_CHANGE, Trigger.BUSINESS_FACT),
            slot=slot,
            value=value,
            fact_value=value,
            end=len(clause.rest),
        ),
    ]


def _keyed(clause: Clause) -> list[Finding]:
    """ "X's place is Y": a keyed statement without a marker word."""
    match = KEYED.search(clause.text)
    if match is None:
        return []
    groups = match.groupdict()
    entity, field, value = (groups[name] or groups[f"{name}2"] for name in ("entity", "field", "value"))
    return [
        Finding(
            text=third_person(clause.text) if "我" in clause.text else clause.text.strip(),
            kind=Kind.FACT,
            category="state",
            triggers=(Trigger.BUSINESS_FACT,),
            slot=f"topic/{slot_part(entity)}/{field.lower()}",
            value=value.strip(),
            fact_value=value.strip(),
            dated=True,
        )
    ]


def _failure(clause: Clause) -> list[Finding]:
    """A failure told with its particulars ("validator raised exception at line 42"); "still the same error" is none."""
    match = FAILURE.search(clause.text)
    if match is None or (clause.role == "user" and CODE.search(clause.text)):
        return []
    return [
        Finding(
            text=third_person(clause.text)
            if "我" in clause.text or re.search(r"\b(?:I|my|we|our)\b", clause.text)
            else clause.text.strip(),
            kind=Kind.EPISODIC,
            category="event",
            triggers=(Trigger.RESULT, Trigger.STATE_CHANGE)
            if clause.role not in ("user", "assistant")
            else (Trigger.STATE_CHANGE,),
            value=match[0],
        )
    ]


def _practice(clause: Clause) -> list[Finding]:
    """What a team works with, and what a customer cares about."""
    team = TEAM.search(clause.text)
    if team:
        value = (team["zh"] or team["en"]).strip()
        return [
            Finding(
                text=third_person(clause.text),
                kind=Kind.SEMANTIC,
                category="state",
                triggers=(Trigger.ATTRIBUTE,),
                value=value,
            )
        ]
    cares = CARES.search(clause.text)
    if cares is None:
        return []
    name = cares["named"] or cares["named2"] or clause.customer
    value = (cares["zh"] or cares["en"]).strip()
    return [
        Finding(
            text=clause.text.strip()
            if cares["named"] or cares["named2"] or not name
            else f"{name}: {clause.text.strip()}",
            kind=Kind.SEMANTIC,
            category="relation",
            triggers=(Trigger.RELATION,),
            slot=f"customer/{name or 'current'}/{slot_part(value)}",
            value=value,
        )
    ]


def _progress_line(clause: Clause, value: str) -> str:
    """The episode in one line: "2025-06-16 项目进度:支付联调阻塞导致延期,预计下周恢复"."""
    day = f"{clause.at.astimezone(clause.zone):%Y-%m-%d}"
    cause, forecast = _CAUSE.search(clause.rest), _FORECAST.search(clause.rest)
    if clause.language == "zh":
        if cause is None:
            return f"{day} 项目进度:{clause.rest}"
        line = f"{day} 项目进度:{_TRIM_CAUSE.sub('', cause['zh'])}导致{value}"
        return (
            f"{line},{forecast['zh'].replace('才能', '').replace('能够', '')}" if forecast and forecast["zh"] else line
        )
    if cause is None or not cause["en"]:
        return f"{day} project progress: {clause.rest}"
    line = f"{day} project progress: {value}, {cause['en'].strip()}"
    return f"{line}, {re.sub(r'^expects? ', 'expected ', forecast['en'])}" if forecast and forecast["en"] else line


def customer_in(text: str) -> str | None:
    """The customer that ``text`` names, if any."""
    return _first_name(CUSTOMER, text)


def project_in(text: str) -> str | None:
    """The project that ``text`` names, if any."""
    return _first_name(PROJECT, text)


def _first_name(pattern: re.Pattern[str], text: str) -> str | None:
    for match in pattern.finditer(text):
        name = next((group for group in match.groups() if group), None)
        if name and not NOT_NAMES.match(name):
            return name.strip().replace("/", " ")
    return None
