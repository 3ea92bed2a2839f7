"""Text as memplane sees it: normal form and hash, tokens, summary, language. Pure, and the same on write and read."""

from memplane.domain.text.graphemes import graphemes
from memplane.domain.text.language import Language, language_of
from memplane.domain.text.normalise import clean, collapse_whitespace, content_hash, fold, is_cjk, normalise_for_hash
from memplane.domain.text.summary import SUMMARY_CHARACTERS, summarise
from memplane.domain.text.tokens import MAX_CHARACTERS, MAX_TOKEN_LENGTH, MAX_TOKENS, query_terms, term_weight, tokenize

__all__ = [
    "MAX_CHARACTERS",
    "MAX_TOKENS",
    "MAX_TOKEN_LENGTH",
    "SUMMARY_CHARACTERS",
    "Language",
    "clean",
    "collapse_whitespace",
    "content_hash",
    "fold",
    "graphemes",
    "is_cjk",
    "language_of",
    "normalise_for_hash",
    "query_terms",
    "summarise",
    "term_weight",
    "tokenize",
]
