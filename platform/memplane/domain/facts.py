"""Exact facts: their keys, the limits of their values, and how they read as a sentence.

A key is ``entity_type/entity/attribute`` (``order/ORD-1/status``). With the scope it names exactly one current value.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from memplane.domain.canonical import canonical_json
from memplane.domain.errors import FieldIssue, InvalidError
from memplane.domain.ids import id_problem

MAX_AHEAD: Final = timedelta(minutes=5)
"""How far a fact's ``valid_from`` may lie ahead of now: what the clocks of two machines may differ by."""

_TYPES_ZH: Final = {
    "account": "账户",
    "customer": "客户",
    "invoice": "发票",
    "meeting": "会议",
    "order": "订单",
    "product": "商品",
    "project": "项目",
    "task": "任务",
    "ticket": "工单",
    "trip": "行程",
    "user": "用户",
}
_ATTRIBUTES_ZH: Final = {
    "address": "地址",
    "amount": "金额",
    "approval": "审批",
    "approval_state": "审批状态",
    "approver": "审批人",
    "budget_limit": "预算上限",
    "due_date": "截止日期",
    "email": "邮箱",
    "invoice_title": "发票抬头",
    "language": "语言",
    "name": "名称",
    "owner": "负责人",
    "payment_term_days": "账期天数",
    "phone": "电话",
    "price": "价格",
    "quantity": "数量",
    "report_channel": "报告渠道",
    "shipping_address": "收货地址",
    "status": "状态",
}
_ENTITIES_ZH: Final = {"attribute": "属性", "preference": "偏好", "profile": "资料", "setting": "设置"}
_CONSTANTS: Final = {
    "en": {"True": "true", "False": "false", "None": "unset"},
    "zh": {"True": "是", "False": "否", "None": "空"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FactKey:
    """The name of a fact inside a scope. Its parts are ids: opaque, without ``/``."""

    entity_type: str
    entity: str
    attribute: str

    def __str__(self) -> str:
        return f"{self.entity_type}/{self.entity}/{self.attribute}"

    @classmethod
    def checked(cls, *, entity_type: str, entity: str, attribute: str) -> FactKey:
        """A key of parts that came from outside. Raises: InvalidError naming every part at fault."""
        parts = {"entity_type": entity_type, "entity": entity, "attribute": attribute}
        problems = {name: id_problem(part) for name, part in parts.items()}
        issues = [
            FieldIssue(path=name, code="bad_id", message=problem) for name, problem in problems.items() if problem
        ]
        if issues:
            raise InvalidError(f"{issues[0].path}: {issues[0].message}", issues=issues)
        return cls(**parts)

    @classmethod
    def parse(cls, text: str) -> FactKey:
        """The key that :meth:`__str__` wrote. Raises: InvalidError for another text."""
        parts = text.split("/")
        if len(parts) != 3:
            raise InvalidError.field("fact_key", "bad_id", "must be entity_type/entity/attribute")
        return cls(entity_type=parts[0], entity=parts[1], attribute=parts[2])


def render_fact(key: FactKey, value: Any, *, language: str) -> str:
    """The fact as a sentence, for people, models and the keyword arm. ``language``: ``zh``, or English for all else."""
    if language == "zh":
        return f"{_name_zh(key)}为{render_value(value, language='zh')}。"
    return f"The {_name_en(key)} is {render_value(value, language='en')}."


def render_removal(key: FactKey, *, language: str) -> str:
    """The sentence of the event that ends a fact: a wish, since there may be nothing to end."""
    return f"删除{_name_zh(key)}。" if language == "zh" else f"Delete the {_name_en(key)}."


def render_value(value: Any, *, language: str) -> str:
    """A JSON value in a sentence: text as it is, lists of plain values with commas, anything deeper as JSON."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return _CONSTANTS["zh" if language == "zh" else "en"][str(value)]
    if isinstance(value, list) and value and not any(isinstance(item, dict | list) for item in value):
        return ("、" if language == "zh" else ", ").join(render_value(item, language=language) for item in value)
    return canonical_json(value)


def _name_en(key: FactKey) -> str:
    return f"{_words(key.attribute)} of {_words(key.entity_type)} {key.entity}"


def _name_zh(key: FactKey) -> str:
    kind = _TYPES_ZH.get(key.entity_type, f"{_words(key.entity_type)} ")
    entity = _ENTITIES_ZH.get(key.entity, key.entity)
    return f"{kind}{entity}的{_ATTRIBUTES_ZH.get(key.attribute, _words(key.attribute))}"


def _words(name: str) -> str:
    return name.replace("_", " ").strip()
