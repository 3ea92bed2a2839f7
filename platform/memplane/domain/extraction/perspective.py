# ruff: noqa: E501 (word lists)
"""From what a user says of themselves to a statement about them: 我喜欢安静 → 用户喜欢安静, I prefer … → The user prefers ….

Names are kept. Nothing is translated: a statement stays in the language it was said in.
"""

from __future__ import annotations

import functools
import re
from typing import Final

from memplane.domain.extraction.sentences import is_chinese
from memplane.domain.statements import MAX_SUBSTANCE_CHARACTERS
from memplane.domain.text import is_cjk

USER_ZH: Final = "用户"
USER_EN: Final = "The user"

_LEAD_ZH: Final = re.compile(
    r"^(?:(?:嗯+|呃|额|那么|那个?|其实|对了|哦|噢|啊|好的?|行|另外|还有|顺便说一下|顺便|说实话|老实说|请注意|请|麻烦(?:你|您)?|不好意思|对|是的|总之|不过|但是|但|而且|所以|因为|话说|毕竟|跟你说)[，,、:：\s]*)+"
)
_TAIL_ZH: Final = re.compile(
    r"(?:谢谢|拜托了?|好吗|可以吗|行吗)?(?:吧|哦|啊|呢|啦|哈|嘛|呀|喔|噢|咯|哒|哟)*[。！!~～\s]*$"
)
_FIRST_ZH: Final = re.compile(r"我们|咱们|咱|本人|(?<!自)我(?!国|方)|俺")
_SECOND_ZH: Final = re.compile(r"(?:你|您)(?:们)?(?!好)")

_LEAD_EN: Final = re.compile(
    r"^(?:(?:well|so|and|but|oh|ok|okay|actually|also|hey|hi|yes|yeah|no worries|by the way|btw|honestly|to be honest|just so you know|fyi|please|kindly|look|listen|because|since|although|though|anyway|right|sorry)\b[\s,:.-]*)+",
    re.IGNORECASE,
)
_TAIL_EN: Final = re.compile(r"(?:[\s,]+(?:please|thanks|thank you|ok|okay|right|though|btw))*[\s.!,]*$", re.IGNORECASE)
_ADVERB: Final = r"(?:really|always|usually|generally|normally|typically|still|now|absolutely|strongly|much|only|personally|actually|just|never|definitely|mostly|also|often|sometimes|rarely|currently|recently|already|honestly|totally|truly|particularly|especially|kind of|sort of|finally|probably|simply|no longer|both|all|mainly|greatly|regularly|frequently|quite|rather|almost|hardly|officially)"
_I_EN: Final = re.compile(
    rf"\b(?:I|[Ww]e)\b(?:'(?P<short>m|ve|ll|d|re)\b)?(?P<adverbs>(?:\s+{_ADVERB}\b)*)(?:\s+(?P<verb>[A-Za-z]+(?:'t)?))?"
)
_OWN_EN: Final = re.compile(r"\b(?P<word>my|our|mine|ours|me|us|myself|ourselves|your|yours|you)\b", re.IGNORECASE)
_AND_VERB: Final = re.compile(
    r"\b(and|but|or) ((?:really |also |always |usually )?)(like|love|hate|prefer|enjoy|want|need|work|live|eat|drink|avoid|dislike|use)\b"
)
_SHORT: Final = {"m": "is", "re": "is", "ve": "has", "ll": "will", "d": "would"}
_SHORT_PLURAL: Final = {"m": "are", "re": "are", "ve": "have", "ll": "will", "d": "would"}
_AUXILIARY: Final = {
    "am": "is", "are": "is", "have": "has", "do": "does", "don't": "does not", "haven't": "has not", "aren't": "is not",
    "can't": "cannot", "go": "goes", "were": "was", "won't": "will not", "didn't": "did not", "wasn't": "was not", "couldn't": "could not",
    "wouldn't": "would not", "weren't": "was not", "hadn't": "had not", "shouldn't": "should not",
}  # fmt: skip
_UNCHANGED: Final = frozenset(
    [
        "is",
        "was",
        "will",
        "would",
        "can",
        "cannot",
        "could",
        "should",
        "must",
        "may",
        "might",
        "shall",
        "had",
        "did",
        "has",
        "does",
        "went",
        "bought",
        "ate",
        "said",
        "told",
        "took",
        "got",
        "made",
        "found",
        "met",
        "saw",
        "came",
        "left",
        "lost",
        "kept",
        "chose",
        "began",
        "became",
        "wrote",
        "sold",
        "paid",
        "sent",
        "built",
        "broke",
        "fell",
        "felt",
        "flew",
        "forgot",
        "gave",
        "grew",
        "heard",
        "held",
        "hurt",
        "knew",
        "led",
        "let",
        "meant",
        "put",
        "ran",
        "read",
        "rode",
        "sat",
        "set",
        "shot",
        "slept",
        "spent",
        "spoke",
        "stood",
        "stuck",
        "stopped",
        "taught",
        "thought",
        "threw",
        "understood",
        "wore",
        "won",
        "quit",
        "cut",
        "hit",
        "cost",
        "and",
        "or",
        "but",
        "to",
        "not",
        "in",
        "on",
        "at",
        "for",
        "with",
    ]
)
_BASE_ED: Final = frozenset(
    {"need", "feed", "speed", "proceed", "exceed", "succeed", "breed", "bleed", "embed", "shed"}
)
_OWN_FIRST: Final = {
    "my": "the user's", "our": "the user's", "mine": "the user's", "ours": "the user's", "me": "the user", "us": "the user",
    "myself": "the user", "ourselves": "the user", "your": "the assistant's", "yours": "the assistant's", "you": "the assistant",
}  # fmt: skip
_OWN_LATER: Final = {
    **_OWN_FIRST, "my": "their", "our": "their", "mine": "theirs", "ours": "theirs", "me": "them", "us": "them",
    "myself": "themselves", "ourselves": "themselves",
}  # fmt: skip


def third_person(clause: str, *, subject: str | None = None) -> str:
    """``clause`` with its speaker named; the subject is put in front where the clause has none."""
    return _third_zh(clause, subject or USER_ZH) if is_chinese(clause) else _third_en(clause, subject or USER_EN)


def request(clause: str, *, subject: str | None = None) -> str:
    """An instruction as a statement: 用户要求…, The user asks to …."""
    if is_chinese(clause):
        who = subject or USER_ZH
        body = _TAIL_ZH.sub("", _LEAD_ZH.sub("", clause)).strip()
        return f"{who}要求{_SECOND_ZH.sub('助手', _FIRST_ZH.sub(who, body))}"
    who = subject or USER_EN
    body = _TAIL_EN.sub("", _LEAD_EN.sub("", clause)).strip()
    if re.match(r"(?:I|we|my|our|the|that|there)\b", body, re.IGNORECASE):
        return _third_en(body, who)
    body = re.sub(r"^to\s+", "", body, flags=re.IGNORECASE)
    body = _I_EN.sub(lambda match: f"they{match[0][1:] if match[0][0] == 'I' else match[0][2:]}", body)
    body = _OWN_EN.sub(lambda match: _OWN_LATER[match["word"].lower()], body)
    negated = re.match(r"(?:do not|don'?t|never)\s+(?:ever\s+)?(.+)", body, re.IGNORECASE | re.DOTALL)
    if negated:
        return f"{who} asks {'never' if body.lower().startswith('never') else 'not'} to {_lower_first(negated[1])}"
    if re.match(r"no\s", body, re.IGNORECASE):
        return f"{who} asks for {_lower_first(body)}"
    return f"{who} asks to {_lower_first(body)}"


def bounded(text: str, limit: int = MAX_SUBSTANCE_CHARACTERS) -> str:
    """``text`` within ``limit`` units of substance (a CJK character, a word), cut between clauses, else between units."""
    spans = [match.span() for match in _UNIT.finditer(text)]
    if len(spans) <= limit:
        return text
    cut = text[: spans[limit - 1][1]]
    clause_end = max(cut.rfind(mark) for mark in "，,；;、")
    return cut[:clause_end].rstrip() if clause_end > len(cut) // 2 else cut.rstrip() + "…"


_UNIT: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3](?:[^\s\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3，。、；]*[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])?"
)


@functools.lru_cache(maxsize=512)
def strip_fillers(clause: str) -> str:
    """``clause`` without the words that only open or close it."""
    if is_chinese(clause):
        return _TAIL_ZH.sub("", _LEAD_ZH.sub("", clause)).strip()
    return _TAIL_EN.sub("", _LEAD_EN.sub("", clause)).strip()


def strip_lead(clause: str) -> str:
    """``clause`` without the words that only open it."""
    return (_LEAD_ZH if is_chinese(clause) else _LEAD_EN).sub("", clause).strip()


def _third_zh(clause: str, subject: str) -> str:
    body = _TAIL_ZH.sub("", _LEAD_ZH.sub("", clause)).strip()
    body = _SECOND_ZH.sub("助手", _FIRST_ZH.sub(subject, body))
    return body if subject in body else f"{subject}{body}"


def _third_en(clause: str, subject: str) -> str:
    body = _TAIL_EN.sub("", _LEAD_EN.sub("", clause)).strip()
    if not body:
        return subject
    possessive = re.match(r"(?:my|our)\s+", body, re.IGNORECASE)
    seen = False
    if possessive:
        body = f"{subject}'s {body[possessive.end() :]}"
        seen = True

    def subject_form(match: re.Match[str]) -> str:
        nonlocal seen
        first, seen = not seen, True
        verb, short, adverbs = match["verb"] or "", match["short"], match["adverbs"]
        who = subject if first else "they"
        if short:
            words = [who, (_SHORT if first else _SHORT_PLURAL)[short]]
            tail = f"{adverbs} {verb}".rstrip()
            return " ".join(words) + (tail if tail.startswith(" ") or not tail else f" {tail}")
        conjugated = (_singular(verb) if first else {"am": "are", "was": "were"}.get(verb, verb)) if verb else ""
        return f"{who}{adverbs} {conjugated}".rstrip()

    body = _I_EN.sub(subject_form, body)
    named = seen
    owner = _OWN_LATER if named else _OWN_FIRST
    body = _OWN_EN.sub(lambda match: owner[match["word"].lower()], body)
    if named:
        body = _AND_VERB.sub(lambda match: f"{match[1]} {match[2]}{_singular(match[3])}", body)
    if subject.lower() in body.lower():
        return body[:1].upper() + body[1:]
    return f"{subject}: {body}"


def _singular(verb: str) -> str:
    lower = verb.lower()
    if lower in _AUXILIARY:
        return _AUXILIARY[lower]
    if lower in _UNCHANGED or (lower.endswith("ed") and lower not in _BASE_ED) or lower.endswith(("n't", "ly")):
        return verb
    if lower.endswith(("s", "sh", "ch", "x", "z")):
        return f"{verb}es"
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _lower_first(text: str) -> str:
    """The first letter small, unless the word is a name, an acronym or I."""
    first = text.split(" ", 1)[0]
    return text if first == "I" or not first[1:].islower() else text[:1].lower() + text[1:]


def units(text: str) -> int:
    """How much ``text`` says, in units of substance."""
    return len(_UNIT.findall(text))


def ends_cjk(text: str) -> bool:
    """Whether ``text`` ends with a CJK character."""
    return bool(text) and is_cjk(text[-1])
