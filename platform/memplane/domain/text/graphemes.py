"""User-perceived characters: where a text may be cut without splitting an emoji, a flag or a letter from its accent.

The rules of Unicode's extended grapheme clusters (UAX 29) that matter for chat text, from general categories.
"""

import unicodedata
from typing import Final

_JOINER: Final = "\u200d"


def graphemes(text: str) -> list[str]:
    """Return `text` as its user-perceived characters; joined together they are `text` again."""
    clusters: list[str] = []
    for char in text:
        if clusters and _continues(clusters[-1], char):
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters


def _continues(cluster: str, char: str) -> bool:
    """Return whether `char` belongs to `cluster`, which stands right before it."""
    last = cluster[-1]
    if last in "\r\n":
        return last == "\r" and char == "\n"
    code = ord(char)
    if char == _JOINER or unicodedata.category(char) in ("Mn", "Me", "Mc"):
        return True
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F:
        # Skin tones, and the tags of subdivision flags.
        return True
    if last == _JOINER:
        return unicodedata.category(char) == "So" and len(cluster) > 1
    if _is_regional_indicator(char):
        return len(cluster) == 1 and _is_regional_indicator(last)
    return _is_jamo_sequence(ord(last), code)


def _is_regional_indicator(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def _is_jamo_sequence(before: int, code: int) -> bool:
    """Return whether a Hangul letter goes on with the syllable begun before it (leading, vowel, trailing)."""
    leading, syllable = 0x1100 <= before <= 0x115F, 0xAC00 <= before <= 0xD7A3
    if 0x1100 <= code <= 0x115F:
        return leading
    if 0x1160 <= code <= 0x11A7:
        return leading or 0x1160 <= before <= 0x11A7 or (syllable and (before - 0xAC00) % 28 == 0)
    return 0x11A8 <= code <= 0x11FF and (syllable or 0x1160 <= before <= 0x11FF)
