"""Unicode normal forms: the one spelling under which two texts count as the same text.

Owns cleaning (no lone surrogates, no NULs), NFKC with case folding, and the content hash. It does not split
text into words; `tokens` does.
"""

import hashlib
import re
import unicodedata

_WHITESPACE = re.compile(r"\s+")
_APOSTROPHES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201b": "'", "\uff07": "'", "\u2032": "'"})


def clean(text: str) -> str:
    """Return `text` as valid Unicode: surrogate pairs joined, lone surrogates as U+FFFD, NULs as spaces.

    Stores take UTF-8 only, so whatever leaves this package can be encoded.
    """
    if any("\ud800" <= char <= "\udfff" for char in text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\0", " ")


def fold(text: str) -> str:
    """Return the matching form of `text`: cleaned, NFKC, case-folded, typographic apostrophes as `'`."""
    folded = unicodedata.normalize("NFKC", clean(text)).casefold()
    # Case folding can leave the normal form ("ΐ", "ẖ"), so it is normalised once more: fold(fold(x)) == fold(x).
    return unicodedata.normalize("NFKC", folded).translate(_APOSTROPHES)


def collapse_whitespace(text: str) -> str:
    """Return `text` cleaned, with every run of white space as one space and none at the ends."""
    return _WHITESPACE.sub(" ", clean(text)).strip()


def normalise_for_hash(text: str) -> str:
    """Return the form under which the same statement with other case, width or spacing is the same.

    NFKC and case folding; white space survives only between two Latin letters or digits, where it separates
    words ("a b" is not "ab"); punctuation at both ends goes. Punctuation inside stays: it can carry meaning
    ("1.5" and "15"). A text that is punctuation only is kept as it is.
    """
    folded = collapse_whitespace(fold(text))
    trimmed = folded.strip(_edge_characters(folded)) or folded
    return "".join(_drop_loose_spaces(trimmed))


def content_hash(text: str) -> str:
    """Return the SHA-256 of `normalise_for_hash(text)` as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(normalise_for_hash(text).encode("utf-8")).hexdigest()


def _edge_characters(text: str) -> str:
    """Return the white space and sentence punctuation that occurs in `text` and says nothing at its ends."""
    # Signs ("-5", "+86", "#3", "15%", "$5") belong to the value next to them, so only these categories are trimmed.
    return "".join(
        char
        for char in set(text)
        if char.isspace() or (unicodedata.category(char)[0] == "P" and char not in "-#%@&*/\\_")
    )


def _drop_loose_spaces(text: str) -> list[str]:
    kept: list[str] = []
    for index, char in enumerate(text):
        if char == " ":
            before, after = text[index - 1 : index], text[index + 1 : index + 2]
            if not (_separates_words(before) and _separates_words(after)):
                continue
        kept.append(char)
    return kept


def _separates_words(char: str) -> bool:
    # CJK is written without spaces: one beside it is layout. Elsewhere letters and digits need theirs.
    return char.isalnum() and not is_cjk(char)


def is_cjk(char: str) -> bool:
    """Return whether `char` is a Han ideograph, kana or Hangul, the scripts counted in characters, not words."""
    code = ord(char) if char else 0
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3040 <= code <= 0x30FF
        or 0xAC00 <= code <= 0xD7A3
        or 0x3400 <= code <= 0x4DBF
        or code in (0x3005, 0x3007)
        or 0x31F0 <= code <= 0x31FF
        or 0x1100 <= code <= 0x11FF
        or 0x20000 <= code <= 0x323AF
    )
