"""Passwords, where the text says that one follows: "密码是 …", "my password is …", ``DB_PASSWORD=…``, ``user:…@host``.

The words alone prove nothing ("密码是什么", "my password is wrong"), so what follows must look like a password.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memplane.domain.pii.spans import Found

_URL: Final = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/@:\ue000]{0,128}+:([^\s/@\ue000]{1,128}+)@"
)
_LABEL: Final = re.compile(
    r"(?P<pin>(?<![A-Za-z])(?:pin(?: ?code| ?码)?))(?![A-Za-z])"
    r"|密码|口令|password|passwd|passcode|passphrase|(?<![A-Za-z])(?:pwd|pw)(?![A-Za-z])",
    re.IGNORECASE,
)
_ASSIGNED: Final = re.compile(r"[\"']?\s{0,3}(?:(?:is|are|was|是|为)\s{0,3})?[:=]\s{0,3}", re.IGNORECASE)
_SAID: Final = re.compile(
    r"(?:\s{1,3}for [^\s:\ue000]{1,32}(?: [^\s:\ue000]{1,32})?)?\s{1,3}(?:is|was)\s{1,3}(?:now |currently |still )?",
    re.IGNORECASE,
)
_SAID_ZH: Final = re.compile(r"\s{0,3}(?:就?是|为|改成了?|改为了?|换成了?|设为|设成了?|设置为|设置成)\s{0,3}")
_CHANGED: Final = re.compile(r"\s{1,3}to\s{1,3}", re.IGNORECASE)
_BESIDE: Final = re.compile(r"\s{1,3}")
_QUOTED: Final = re.compile(r"[\"'`“「『‘]([^\"'`”」』’\n\ue000]{1,128})[\"'`”」』’]")
_VALUE: Final = re.compile(r"[!-;=?-~][!-;=?-~]{2,127}+")
_SYMBOLS: Final = "!@#$%^&*_+=~|"
_MASKS: Final = frozenset("*xX.-_")
_TRAILING: Final = ".,;:)]}\"'`?"
_WORD_END: Final = re.compile(r"\s*(?:[.,;!?。!?]|$|\n|[^\x00-\x7f\ue000])")
_UNIT: Final = re.compile(r"\s?(?:位|个|字符|characters?\b|chars?\b|digits?\b|letters?\b)", re.IGNORECASE)
_PIN: Final = re.compile(r"\d{4,8}(?![A-Za-z0-9_])")
# Source code and templates name passwords without saying them: ``form['password']``, ``hash(pw)``, ``user.password``,
# ``new_password``, ``${DB_PASSWORD}``.
_EXPRESSION: Final = re.compile(
    r"[A-Za-z_][\w.]*[\[(]|[A-Za-z]+(?:[._][A-Za-z]+)+(?![^\s,;)\]}])|\$?\{|\$[A-Z_(]|%[({s]"
)
_WORDS: Final = """
required optional string str null none true false wrong incorrect invalid correct right fine good bad weak
strong easy hard simple long short safe secure insecure unsafe stored saved hashed encrypted hidden set unset
empty blank gone lost missing new old different same unique known unknown private public here there this that
these those it its what which who why how when where not no yes too very really so also just always never still
now only already being the a an my your his her our their and or but expired reset ready done important
protected compromised leaked shared complicated complex guessable text field prompt manager policy redacted
placeholder secret
"""
_NO_PASSWORD: Final = frozenset(_WORDS.split())
_OPERATORS: Final = (_ASSIGNED, _SAID, _SAID_ZH, _CHANGED, _BESIDE)


def find_passwords(text: str) -> Iterator[Found]:
    """Yield the values that are announced as a password, in order; the hint is always empty."""
    found = {match.span(1) for match in _URL.finditer(text)} if "://" in text else set()
    for label in _LABEL.finditer(text):
        if (span := _after_label(text, label)) is not None:
            found.add(span)
    end = -1
    for start, stop in sorted(found):
        if start >= end:
            end = stop
            yield Found(start, stop)


def _after_label(text: str, label: re.Match[str]) -> tuple[int, int] | None:
    for operator in _OPERATORS:
        said = operator.match(text, label.end())
        if said is None:
            continue
        if label["pin"] is not None:
            pin = _PIN.match(text, said.end())
            return pin.span() if pin and not _UNIT.match(text, pin.end()) else None
        quoted = None if operator is _BESIDE else _QUOTED.match(text, said.end())
        if quoted is not None:
            return quoted.span(1)
        span = _value_at(text, said.end())
        return span if span is not None and _is_password(text, span, operator) else None
    return None


def _value_at(text: str, start: int) -> tuple[int, int] | None:
    match = _VALUE.match(text, start)
    if match is None or _EXPRESSION.match(text, start):
        return None
    value = match.group().rstrip(_TRAILING)
    end = start + len(value)
    if len(value) < 3 or set(value) <= _MASKS or "://" in value or _LABEL.fullmatch(value) or _UNIT.match(text, end):
        return None
    return start, end


def _is_password(text: str, span: tuple[int, int], operator: re.Pattern[str]) -> bool:
    value = text[slice(*span)]
    if any(map(str.isdigit, value)):
        return True
    if operator is _BESIDE:
        return False
    if any(map(_SYMBOLS.__contains__, value)) or (value[1:] != value[1:].lower() and value != value.upper()):
        return True
    return operator is not _CHANGED and _is_word(text, span, operator)


def _is_word(text: str, span: tuple[int, int], operator: re.Pattern[str]) -> bool:
    """Whether plain letters stand where a password is assigned, or end the clause that says it."""
    word = text[slice(*span)].lower()
    if word in _NO_PASSWORD:
        return False
    if operator is _SAID:
        return not word.endswith(("ed", "ing", "ly")) and _WORD_END.match(text, span[1]) is not None
    return True
