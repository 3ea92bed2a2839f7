# ruff: noqa: E501 (patterns and tables)
"""The people around a user, one name each in both languages, and how a clause says "I" or "my wife"."""

from __future__ import annotations

import re
from typing import Final

_KIN_ZH: Final = {
    "wife": "老婆|妻子|太太|媳妇", "husband": "老公|丈夫", "partner": "爱人|对象|伴侣",
    "girlfriend": "女朋友|女友", "boyfriend": "男朋友|男友", "daughter": "女儿|闺女", "son": "儿子",
    "child": "孩子|宝宝|小孩|娃", "mother": "妈妈|母亲|老妈|妈", "father": "爸爸|父亲|老爸|爸",
    "parents": "父母|爸妈|爹妈", "brother": "哥哥|弟弟|哥|弟", "sister": "姐姐|妹妹|姐|妹", "cousin": "表姐|表妹|表哥|表弟|堂姐|堂妹|堂哥|堂弟",
    "uncle": "叔叔|舅舅|姑父|姨父|伯伯|大伯", "aunt": "阿姨|姑姑|姨妈|舅妈|婶婶", "nephew": "侄子|外甥", "niece": "侄女|外甥女",
    "parents_in_law": "岳父|岳母|公公|婆婆",
    "grandfather": "爷爷|外公|姥爷", "grandmother": "奶奶|外婆|姥姥", "family": "家人|家里人",
}  # fmt: skip
_ROLE_ZH: Final = {
    "manager": "直属领导|直属上级|领导|上级|老板|主管|经理|上司", "assistant": "助理|秘书", "colleague": "同事|搭档",
    "mentor": "导师|师傅", "doctor": "主治医生|医生|家庭医生", "teacher": "老师|班主任", "lawyer": "律师",
    "client": "客户", "friend": "朋友|闺蜜|室友|邻居",
}  # fmt: skip
_KIN_EN: Final = (
    "wife", "husband", "partner", "girlfriend", "boyfriend", "fiancée", "fiancé", "fiance", "daughter", "son", "child", "kid",
    "kids", "children", "mother", "mom", "mum", "father", "dad", "parents", "brother", "sister", "grandfather", "grandmother",
    "grandma", "grandpa", "family", "baby", "twins", "uncle", "aunt", "cousin", "nephew", "niece",
)  # fmt: skip
_ROLE_EN: Final = (
    "manager", "boss", "supervisor", "assistant", "colleague", "coworker", "mentor", "doctor", "dentist", "teacher", "lawyer",
    "client", "friend", "best friend", "roommate", "neighbor", "neighbour", "landlord", "accountant", "team lead", "coach",
)  # fmt: skip
_ONE_NAME: Final = {
    "mom": "mother", "mum": "mother", "dad": "father", "boss": "manager", "supervisor": "manager", "team lead": "manager",
    "kid": "child", "kids": "children", "grandma": "grandmother", "grandpa": "grandfather", "coworker": "colleague",
    "best friend": "friend", "neighbor": "neighbour",
}  # fmt: skip

KIN_ZH: Final = "|".join(word for words in _KIN_ZH.values() for word in words.split("|"))
ROLE_ZH: Final = "|".join(word for words in _ROLE_ZH.values() for word in words.split("|"))
KIN_EN: Final = "|".join(_KIN_EN)
ROLE_EN: Final = "|".join(sorted(_ROLE_EN, key=len, reverse=True))

_BY_WORD: Final = {
    word: name for table in (_KIN_ZH, _ROLE_ZH) for name, words in table.items() for word in words.split("|")
}
_OWNER_ZH: Final = re.compile(rf"我(?:们|家)?的?({KIN_ZH}|老板|领导|上司|上级|主管)")
_OWNER_EN: Final = re.compile(rf"\b(?:my|our)\s+(?:\w+\s)?({KIN_EN}|boss|manager)\b", re.IGNORECASE)


def person_name(word: str) -> str:
    """The one name of a relation: 老婆 → wife, Mom → mother."""
    lower = word.lower()
    return _BY_WORD.get(word) or _ONE_NAME.get(lower, lower)


def is_family(word: str) -> bool:
    """Whether a relation is one of family rather than of work or acquaintance."""
    return (word in _BY_WORD and person_name(word) in _KIN_ZH) or word.lower() in _KIN_EN


def owner_of(clause: str) -> str:
    """Whose trait a clause tells, as the head of a slot: ``user``, or ``person/wife``."""
    match = _OWNER_ZH.search(clause) or _OWNER_EN.search(clause)
    return f"person/{person_name(match[1])}" if match else "user"
