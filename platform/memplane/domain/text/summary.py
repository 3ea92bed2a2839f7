"""Extractive summaries: the part of a text that carries its entities, in at most a given number of characters.

Nothing is rewritten and no model is asked: the same text has the same summary everywhere. A text is taken apart
into sentences, a sentence that does not fit into clauses, a clause that does not fit into atoms (words, numbers,
identifiers, user-perceived characters), and never further.
"""

import re
from typing import Final

from memplane.domain.text.graphemes import graphemes
from memplane.domain.text.normalise import collapse_whitespace, is_cjk

SUMMARY_CHARACTERS: Final = 100
"""Length limit of a stored summary, in code points."""

ELLIPSIS = "…"

_SENTENCE = re.compile(r".+?(?:[。！？!?…]+[\"'”’」』）)]*|\.(?=\s)|[;；](?=\s|[^\x00-\x7f])|$)\s*", re.DOTALL)
_CLAUSE = re.compile(r".+?(?:[，,、；;：:](?!\d)|\s[-–—]+\s|$)\s*", re.DOTALL)
# What is never cut inside: addresses and identifiers, numbers with signs, units and counters, words.
_ATOM = re.compile(
    r"[a-zA-Z][a-zA-Z0-9+.-]{0,15}://[^\s<>\"'，。；、）】]+"
    r"|[+\-#$€£¥￥@]?[A-Za-z0-9_\u00c0-\u024f]+(?:['’,.:/@+&=~-][A-Za-z0-9_\u00c0-\u024f]+)*"
    r"(?:[%％]|°[CF]?|(?<=\d)(?:[年月日号时点分秒]\d*)+|(?<=\d)[万亿千百]?[元块个天周次条字位岁]?)?"
)
# "Caroline: …", "用户：…": who speaks is the subject of everything that follows.
_SPEAKER = re.compile(r"[^\W\d][\w .'’-]{0,23}[:：](?!//)\s?(?=\S)")
_ENTITIES: Final = (
    (re.compile(r"(?<!\w)[+\-#$€£¥￥]?\d[\d,.:/-]*"), 1.5),
    (re.compile(r"(?<!\w)(?=\w{0,64}[A-Z_])(?=[\w-]{0,64}\d)[A-Za-z][\w-]+"), 1.5),
    (re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]+|https?://\S+"), 1.5),
    (re.compile(r"[《「『“][^》」』”]{1,40}[》」』”]|\"[^\"]{1,40}\""), 1.0),
    (re.compile(r"(?<=[a-z,;:] )[A-Z][\w'’-]+|\b[A-Z]{2,}\b"), 0.7),
    (
        re.compile(
            r"(?i:\b(?:ago|yesterday|today|tomorrow|tonight"
            r"|(?:last|next|this) (?:week|month|year|night|summer|winter|spring|fall)"
            r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october"
            r"|november|december)\b)"
            r"|[昨今明后前]天|[上下本这](?:周|个月|星期)|周[一二三四五六日末]|星期[一二三四五六日天]|[去今明]年"
        ),
        1.0,
    ),
    (
        re.compile(
            r"(?i:\b(?:prefer\w*|likes?|loves?|hates?|don['’]?t|always|never|decided?|confirmed?|agreed?|because|changed?)\b)"
            r"|偏好|喜欢|不要|结论|决定|确认|改为|改成|必须|记住|因为"
        ),
        0.8,
    ),
)
_OPENING_BONUS = 0.2
_QUESTION_PENALTY = 0.5
_PLEASANTRY = re.compile(
    r"(?i:wow|thanks?|thank you|hey|hi|hello|glad|great|cool|awesome|yeah|yes|sure|bye)\b|谢谢|你好|您好|好的|哈哈|嗯"
)
_PLEASANTRY_PENALTY = 1.0
_WORD = re.compile(r"[^\W\d_]+")
_WORD_WEIGHT, _MAX_WORDS = 0.1, 20
_CJK_CHARACTERS_PER_WORD = 2
_MAX_STARTS = 200


def summarise(text: str, limit: int = SUMMARY_CHARACTERS) -> str:
    """Return `text` with its white space collapsed, or what of it says most, in at most `limit` code points.

    The parts are in the order of the text, after the speaker's label where it begins with one ("Anna: …"). Where one
    had to be cut, "…" marks the place; numbers, identifiers, words and user-perceived characters are never split, save
    a single one that is longer than `limit` by itself.
    Raises `ValueError` for a limit below 1.
    """
    if limit < 1:
        raise ValueError(f"summary limit must be at least 1 character, got {limit}")
    whole = collapse_whitespace(text)
    if len(whole) <= limit:
        return whole
    speaker = _SPEAKER.match(whole)
    label = speaker[0] if speaker and len(speaker[0]) <= limit // 2 else ""
    return label + _extract(whole.removeprefix(label), limit - len(label))


def _extract(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    sentences = _split(_SENTENCE, text)
    return _best_that_fit(sentences, limit) or _within_sentence(max(sentences, key=_richness), limit)


def _split(pattern: re.Pattern[str], text: str) -> list[str]:
    """Return the parts of `text` that `pattern` matches end to end, none beginning inside a grapheme."""
    parts: list[str] = []
    for part in pattern.findall(text):
        if parts and len(graphemes(parts[-1][-1] + part[0])) == 1:
            parts[-1] += part
        else:
            parts.append(part)
    return parts


def _richness(part: str) -> float:
    """Return how much `part` names: numbers, identifiers, dates, names, quotations, preferences, decisions."""
    score = sum(weight * min(3, len(pattern.findall(part))) for pattern, weight in _ENTITIES)
    words = sum(len(word) / _CJK_CHARACTERS_PER_WORD if is_cjk(word[0]) else 1 for word in _WORD.findall(part))
    score += _WORD_WEIGHT * min(words, _MAX_WORDS)
    if _PLEASANTRY.match(part):
        score -= _PLEASANTRY_PENALTY
    return score - (_QUESTION_PENALTY if part.rstrip().endswith(("?", "？")) else 0.0)


def _best_that_fit(parts: list[str], limit: int) -> str:
    """Return the richest parts that fit together, in their order; empty when the richest of all does not fit."""
    scores = [_richness(part) + (_OPENING_BONUS if index == 0 else 0.0) for index, part in enumerate(parts)]
    chosen: list[int] = []
    for index in sorted(range(len(parts)), key=lambda i: (-scores[i], i)):
        trial = sorted((*chosen, index))
        if len("".join(parts[i] for i in trial).strip()) <= limit:
            chosen = trial
        elif not chosen:
            return ""
    return "".join(parts[i] for i in chosen).strip()


def _within_sentence(sentence: str, limit: int) -> str:
    clauses = _split(_CLAUSE, sentence)
    if len(clauses) > 1:
        chosen = _best_that_fit(clauses, limit)
        if chosen:
            return chosen.rstrip("，,、；;：: ")
    return _window(max(clauses, key=_richness), limit)


def _window(clause: str, limit: int) -> str:
    """Return the earliest run of whole atoms within `limit` that names most, with "…" where the clause goes on."""
    atoms = _atoms(clause.strip())
    if limit <= 2 * len(ELLIPSIS):
        return "".join(_take(atoms, limit))
    starts = [0, *(i for i in range(1, len(atoms)) if len(atoms[i]) > 1 or not atoms[i - 1][-1].isalnum())]
    best, best_score = "", float("-inf")
    for start in starts[:_MAX_STARTS]:
        room = limit - (len(ELLIPSIS) if start else 0)
        taken = _take(atoms[start:], room)
        if start + len(taken) < len(atoms):
            taken = _take(atoms[start:], room - len(ELLIPSIS))
        body = "".join(taken).strip()
        score = _richness(body)
        if body and score > best_score:
            ends = start + len(taken) == len(atoms)
            best, best_score = (ELLIPSIS if start else "") + body + ("" if ends else ELLIPSIS), score
        if start + len(taken) == len(atoms):
            break
    return best or _cut_graphemes(clause, limit)


def _atoms(clause: str) -> list[str]:
    atoms: list[str] = []
    position = 0
    for match in _ATOM.finditer(clause):
        atoms += graphemes(clause[position : match.start()])
        end = match.end()
        # Marks and joiners that follow a word belong to it.
        tail = graphemes(match[0][-1] + clause[end : end + 64])[0]
        atoms.append(match[0] + tail[1:])
        position = end + len(tail) - 1
    return atoms + graphemes(clause[position:])


def _take(atoms: list[str], room: int) -> list[str]:
    taken: list[str] = []
    for atom in atoms:
        room -= len(atom)
        if room < 0:
            break
        taken.append(atom)
    return taken


def _cut_graphemes(clause: str, limit: int) -> str:
    # One atom alone exceeds the limit: its beginning is all that can be shown.
    return "".join(_take(graphemes(clause.strip()), limit - len(ELLIPSIS))) + ELLIPSIS
