"""What a user likes, dislikes, eats, avoids and always does."""

from __future__ import annotations

import re
from dataclasses import replace

from memplane.domain.extraction.people import owner_of
from memplane.domain.extraction.perspective import USER_EN, USER_ZH, request, strip_fillers, third_person
from memplane.domain.extraction.preference_patterns import (
    ABOUT_OTHERS,
    ALLERGY_EN,
    ALLERGY_SHORT_EN,
    ALLERGY_ZH,
    ASKED_FOR,
    ASKING,
    ATE,
    BARE_EN,
    CHANNEL_WISH,
    DIRECT_ZH,
    FAVOURITE,
    FIRST_PERSON,
    IDIOM_EN,
    IMPERATIVE_EN,
    ONCE,
    PATTERNS_EN,
    PATTERNS_ZH,
    POINTING,
    QUALITY_ZH,
    REPORTS_ZH,
    SUITS_EN,
    SUITS_ZH,
    TAIL,
    THAN,
    VERB_EN,
    VERB_ZH,
)
from memplane.domain.extraction.reading import Clause, Finding, Trigger
from memplane.domain.extraction.slots import NAMES_ITSELF, REGIME, closed_slot, diet_item, slot_part
from memplane.domain.extraction.triggers import conditions_of, without_condition
from memplane.domain.memory import Kind
from memplane.domain.statements import Polarity
from memplane.domain.text import fold


def preferences(clause: Clause) -> list[Finding]:
    """The likes, dislikes, habits and standing wishes in a clause; at most one."""
    finding = (
        _allergy(clause)
        or _regime(clause)
        or _quality(clause)
        or _favourite(clause)
        or _suits(clause)
        or _liked(clause)
        or _tenant_words(clause)
        or _wish(clause)
    )
    return [finding] if finding else []


def _allergy(clause: Clause) -> Finding | None:
    if "过敏" not in clause.text and "allerg" not in clause.text.lower():
        return None
    patterns = (ALLERGY_ZH,) if clause.language == "zh" else (ALLERGY_SHORT_EN, ALLERGY_EN)
    match = next((found for found in (pattern.search(clause.text) for pattern in patterns) if found), None)
    if match is None:
        return None
    groups = match.groupdict()
    to = (groups.get("object") or groups.get("object2") or "").strip()
    return Finding(
        text=third_person(clause.text),
        kind=Kind.SEMANTIC,
        category="attribute",
        polarity="negative",
        triggers=(Trigger.ATTRIBUTE, Trigger.PREFERENCE),
        slot=f"{owner_of(clause.text)}/allergy/{slot_part(to)}",
        value=to,
    )


def _regime(clause: Clause) -> Finding | None:
    match = REGIME.search(clause.text)
    if match is None or not re.search(r"我|\b(?:I|we|my)\b|^吃素|^素食", clause.text):
        return None
    return _preference(clause, value=match[0], polarity="positive", slot=f"{owner_of(clause.text)}/diet/regime")


def _quality(clause: Clause) -> Finding | None:
    """ "安静但不要太贵": a quality with its limit, without a verb of liking."""
    match = QUALITY_ZH.match(strip_fillers(clause.text)) if clause.language == "zh" else None
    if match is None or re.search(r"喜欢|爱|讨厌|偏好|[吃喝]", match["object"]):
        return None
    value = match["object"]
    return replace(
        _preference(clause, value=value, polarity="positive", slot=f"user/preference/{slot_part(value)}"),
        text=f"{USER_ZH}喜欢{value}{match['condition']}",
    )


def _favourite(clause: Clause) -> Finding | None:
    match = FAVOURITE.search(clause.text)
    if match is None:
        return None
    what, value = match["what"] or match["what2"], match["value"] or match["value2"]
    return _preference(
        clause, value=value, polarity="positive", slot=f"{owner_of(clause.text)}/favourite/{slot_part(what)}"
    )


def _suits(clause: Clause) -> Finding | None:
    """ "Use WeCom, that will do": a channel, a way of paying or travelling that is said to do."""
    match = (SUITS_ZH if clause.language == "zh" else SUITS_EN).search(clause.text)
    if match is None:
        return None
    known = closed_slot(f"{clause.text} 汇报 send pay take 坐", match["object"])
    if known is None or known[0].name.endswith(("/language", "/reply_length", "/tone")):
        return None
    slot, value = known
    return _preference(clause, value=value, polarity="positive", slot=slot.name)


def _liked(clause: Clause) -> Finding | None:
    text = strip_fillers(clause.text)
    zh = clause.language == "zh"
    patterns = PATTERNS_ZH if zh else PATTERNS_EN
    for pattern in patterns:
        match = pattern.search(text)
        if match is None:
            continue
        groups = match.groupdict()
        if pattern is BARE_EN and groups["neg"] in ("no", "No") and not ASKED_FOR.search(clause.text):
            continue
        raw = (groups.get("object") or groups.get("object2") or groups.get("object3") or "").strip()
        said = without_condition(raw)
        if not said and groups.get("neg"):
            said = groups["neg"]
        if said.startswith("的") or re.search(r"的人|^\W*$", said):
            return None
        if pattern is IDIOM_EN and POINTING.search(said):
            return None
        if not said or ASKING.search(raw) or ABOUT_OTHERS.match(said):
            return None
        negative = bool(groups.get("neg") or groups.get("not") or groups.get("not2"))
        verb = groups.get("neg") or groups.get("pos") or groups.get("verb") or groups.get("do") or ""
        return _sorted_into_slot(clause, said, verb=verb, negative=negative)
    return None


def _sorted_into_slot(clause: Clause, said: str, *, verb: str, negative: bool) -> Finding:
    polarity: Polarity = "negative" if negative else "positive"
    value = _value(said)
    owner = owner_of(clause.text)
    known = closed_slot(clause.text, said)
    if known and (known[0].context is not None or len(known[1]) * 3 >= len(value) or known[0].name == "reply_format"):
        return _preference(clause, value=known[1], polarity=polarity, slot=known[0].name.replace("user", owner, 1))
    item = diet_item(THAN.sub("", said)) or (diet_item(said) if clause.language == "en" and len(said) < 16 else None)
    if item:
        does = verb.strip() or value
        eaten = re.match(r"吃|喝", said)
        as_said = does if eaten is None or does.endswith(eaten[0]) else f"{does}{eaten[0]}"
        if item == "tea" or (len(value) > 8 and clause.language == "zh"):
            as_said = value
        return _preference(clause, value=_taste(as_said, said), polarity=polarity, slot=f"{owner}/diet/{item}")
    return _preference(clause, value=value, polarity=polarity, slot=f"{owner}/preference/{slot_part(value)}")


def _taste(as_said: str, said: str) -> str:
    short = _value(said)
    return f"{as_said.strip()} {short}".strip() if short not in as_said else as_said


def behaviour(clause: Clause) -> list[Finding]:
    """What was eaten or ordered, where a trait may speak of it ("点了麻辣火锅" beside "不吃辣").

    By itself below the threshold: resolve may find in it an exception to a trait, or a change.
    """
    match = ATE.search(strip_fillers(clause.text))
    said = (match["object"] or match["object2"]) if match else None
    item = diet_item(said) if said else None
    if item is None or said is None:
        return []
    return [
        Finding(
            text=third_person(clause.text),
            kind=Kind.EPISODIC,
            category="event",
            triggers=(Trigger.BEHAVIOUR,),
            polarity="positive",
            slot=f"user/diet/{item}",
            value=said,
        )
    ]


def _tenant_words(clause: Clause) -> Finding | None:
    if not clause.words.dislike and not clause.words.preference:
        return None
    folded = fold(clause.text)
    for words, negative in ((clause.words.dislike, True), (clause.words.preference, False)):
        for word in words:
            at = folded.find(fold(word)) if word else -1
            if at >= 0:
                said = without_condition(clause.text[at + len(word) :]) or clause.text
                return _sorted_into_slot(clause, said, verb=word, negative=negative)
    return None


def _wish(clause: Clause) -> Finding | None:
    """A standing wish about how the assistant works: format, length, channel, and what it is not to do."""
    text = strip_fillers(clause.text)
    if not text or len(text) > 140 or ONCE.search(text) or ASKING.search(text):
        return None
    zh = clause.language == "zh"
    direct = DIRECT_ZH.match(text) if zh else None
    imperative = zh or bool(IMPERATIVE_EN.match(text)) or clause.standing
    known = closed_slot(text)
    directive = (
        known is not None
        and known[0].directive
        and imperative
        and (clause.standing or clause.explicit or known[0].name.endswith(("/language", "/reply_length", "/tone")))
    )
    if known and clause.standing and known[0].name.rpartition("/")[2] in NAMES_ITSELF:
        directive = True
    if known and known[0].name.endswith("/report_channel") and CHANNEL_WISH.search(text):
        directive = True
    negative = (
        bool(direct)
        or text.startswith("不用")
        or bool(re.match(r"(?:please )?(?:don'?t|do not|never|stop|avoid|no)\b|别再|不要再", text, re.IGNORECASE))
    )
    if known and directive:
        slot, value = known
        return _preference(clause, value=value, polarity="negative" if negative else "positive", slot=slot.name)
    if direct:
        value = _value(direct["object"])
        known = closed_slot(text, direct["object"])
        slot_name = known[0].name if known else f"user/preference/{slot_part(value)}"
        return _asked(clause, text, value=known[1] if known else value, polarity="negative", slot=slot_name)
    if clause.standing:
        value = _value(text)
        slot_name = known[0].name if known and negative else f"user/rule/{slot_part(value)}"
        return _asked(
            clause,
            text,
            value=known[1] if known and negative else value,
            polarity="negative" if negative else "positive",
            slot=slot_name,
        )
    return None


def _preference(clause: Clause, *, value: str, polarity: Polarity, slot: str) -> Finding:
    return Finding(
        text=_worded(clause, value=value, polarity=polarity, slot=slot),
        kind=Kind.SEMANTIC,
        category="preference",
        triggers=(Trigger.PREFERENCE,),
        polarity=polarity,
        slot=slot,
        value=value.strip(),
        conditions=conditions_of(clause.text, chinese=clause.language == "zh"),
    )


def _asked(clause: Clause, text: str, *, value: str, polarity: Polarity, slot: str) -> Finding:
    return Finding(
        text=request(text),
        kind=Kind.SEMANTIC,
        category="preference",
        triggers=(Trigger.PREFERENCE,),
        polarity=polarity,
        slot=slot,
        value=value,
        conditions=conditions_of(clause.text, chinese=clause.language == "zh"),
    )


def _worded(  # noqa: PLR0911 (one return per sort of wording)
    clause: Clause, *, value: str, polarity: Polarity, slot: str
) -> str:
    """The statement: the clause itself where its speaker is in it, else a sentence around the value."""
    zh = clause.language == "zh"
    if slot.endswith("/report_channel"):
        about = REPORTS_ZH.search(clause.text)
        if zh:
            return f"用户{'不希望' if polarity == 'negative' else '偏好'}用{value}{about[0] if about else '汇报'}"
        return f"The user {'does not want' if polarity == 'negative' else 'prefers'} reports and messages by {value}"
    if slot.endswith("/lodging") and not FIRST_PERSON.search(clause.text):
        liked = polarity == "positive"
        return (
            f"用户{'偏好' if liked else '不喜欢'}{value}"
            if zh
            else f"The user {'prefers' if liked else 'dislikes'} {value}"
        )
    if clause.text.startswith((USER_ZH, USER_EN)):
        return strip_fillers(clause.text)
    if slot.endswith(("/language", "/reply_length", "/tone", "/reply_format")) and not re.search(
        r"^(?:偏好|喜欢|习惯|倾向)|我(?:更|很|最)?(?:喜欢|偏好|习惯|不)|\bI\b", clause.text
    ):
        if not zh and not IMPERATIVE_EN.match(clause.text):
            return f"{USER_EN} wants {re.sub('^(?:as|in|with) ', '', strip_fillers(clause.text))}"
        return request(clause.text)
    if clause.standing and IMPERATIVE_EN.match(clause.text):
        return request(clause.text)
    bare = not FIRST_PERSON.search(clause.text)
    if bare and not zh:
        opening = BARE_EN.match(strip_fillers(clause.text))
        if opening:
            verb = {"can't stand": "cannot stand", "no": "wants no"}.get(
                (opening["pos"] or opening["neg"]).lower(), (opening["pos"] or opening["neg"]).lower() + "s"
            )
            return f"The user {verb} {ASKED_FOR.sub('', opening['object']).strip(' ,')}"
        return request(clause.text)
    return third_person(clause.text)


def _value(said: str) -> str:
    """The thing itself: "吃火锅" → 火锅, "to drink tea than coffee" → tea."""
    bare = THAN.sub("", said.strip(" ，,。.!"))
    stripped = VERB_ZH.sub("", bare) if re.match(r"[\u4e00-\u9fff]", bare) else VERB_EN.sub("", bare)
    stripped = TAIL.sub("", stripped).strip(" ，,")
    return (stripped or bare)[:80]
