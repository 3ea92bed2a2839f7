"""The local embedding engine: a model directory served by ONNX Runtime on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from tokenizers import Tokenizer

from memplane.adapters.models.bert_graph import ATTENTION_MASK, INPUT_IDS, SENTENCE_EMBEDDING
from memplane.adapters.models.errors import ModelDirectoryError, ModelOutputError, TooManyTextsError
from memplane.adapters.models.manifest import Manifest, read_manifest, verify_files
from memplane.adapters.models.runtime import open_session, run
from memplane.adapters.models.token_batches import pad_tokens, plan_batches
from memplane.domain.generations import AGREEMENT, PROBE_TEXTS, EmbeddingSpec, least_cosine
from memplane.ports.embedder import TextKind

_MAX_CHARACTERS = 32_768
"""Characters of a text that are read at all: far more than fill the longest input, and a bound on time."""

_LENGTH_TOLERANCE = 1e-3


class OnnxEmbeddingEngine:
    """Turns texts into vectors. Synchronous, without state between calls, safe to call from several threads."""

    def __init__(
        self,
        *,
        session: ort.InferenceSession,
        tokenizer: Tokenizer,
        manifest: Manifest,
        max_tokens_per_batch: int,
        max_texts: int,
    ) -> None:
        """Use `load`."""
        self._session = session
        self._tokenizer = tokenizer
        self._max_tokens = manifest.max_tokens
        self._pad_id = manifest.pad_id
        self._max_tokens_per_batch = max_tokens_per_batch
        self._max_texts = max_texts
        self.spec: EmbeddingSpec = manifest.spec

    @classmethod
    def load(
        cls, model_dir: Path, *, threads: int = 1, max_tokens_per_batch: int = 1024, max_texts: int = 10_000
    ) -> OnnxEmbeddingEngine:
        """Open a model directory: verify its files, load it, and check that it reproduces its probe vectors.

        Args:
            model_dir: what `build.build_model` made.
            threads: threads of one call.
            max_tokens_per_batch: tokens that go through the model at once, padding included; what fits the
                processor's caches is fastest, and memory grows with it.
            max_texts: texts that one call may bring.

        Raises:
            ModelDirectoryError: the directory is missing, incomplete, changed, of another format, or its model does
                not reproduce the probe vectors on this machine.
            ValueError: a limit below 1.
        """
        if min(threads, max_tokens_per_batch, max_texts) < 1:
            raise ValueError("threads, max_tokens_per_batch and max_texts are at least 1")
        manifest = read_manifest(model_dir)
        verify_files(model_dir, manifest)
        engine = cls(
            session=open_session(model_dir / manifest.model_file, threads=threads),
            tokenizer=_load_tokenizer(model_dir / manifest.tokenizer_file),
            manifest=manifest,
            max_tokens_per_batch=max_tokens_per_batch,
            max_texts=max_texts,
        )
        engine._check_probe(manifest, model_dir)
        return engine

    def embed(self, texts: Sequence[str], *, kind: TextKind | Literal["query", "document"]) -> NDArray[np.float32]:
        """The vectors of texts, in their order.

        Args:
            texts: any strings, empty ones too; what is beyond the model's longest input is left out.
            kind: which prompt goes before each text.

        Returns:
            float32 (texts, dim), rows of length 1; (0, dim) for no texts. A text's row does not depend on the others.

        Raises:
            TooManyTextsError: more texts than the engine takes in a call.
            ModelOutputError: a vector is not finite, not of length 1, or the runtime failed.
            ModelMemoryError: no memory for a batch.
            TypeError: `texts` is one string.
            ValueError: an unknown kind.
        """
        prompt = self._prompt(kind)
        tokens = [self.token_ids(prompt + text) for text in self._checked(texts)]
        vectors = np.empty((len(tokens), self.spec.dim), np.float32)
        for positions in plan_batches([len(ids) for ids in tokens], self._max_tokens_per_batch):
            ids, mask = pad_tokens([tokens[position] for position in positions], self._pad_id)
            (rows,) = run(self._session, [SENTENCE_EMBEDDING], {INPUT_IDS: ids, ATTENTION_MASK: mask})
            vectors[positions] = self._checked_rows(rows, len(positions))
        return vectors

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text without prompt, the two that mark its ends included, before any shortening.

        Raises:
            TooManyTextsError: more texts than the engine takes in a call.
            TypeError: `texts` is one string.
        """
        return [len(self._tokenize(text)) for text in self._checked(texts)]

    def token_ids(self, text: str) -> list[int]:
        """What the model reads of a text as it stands, without prompt: at most its longest input, the end mark kept."""
        ids = self._tokenize(text)
        return ids if len(ids) <= self._max_tokens else [*ids[: self._max_tokens - 1], ids[-1]]

    def _prompt(self, kind: str) -> str:
        return self.spec.query_prompt if TextKind(kind) is TextKind.QUERY else self.spec.document_prompt

    def _checked(self, texts: Sequence[str]) -> Sequence[str]:
        if isinstance(texts, str):
            raise TypeError("texts is one string; a sequence of strings is needed")
        if len(texts) > self._max_texts:
            raise TooManyTextsError(len(texts), self._max_texts)
        return texts

    def _tokenize(self, text: str) -> list[int]:
        # Half a surrogate pair is no text: it becomes '?', as `errors="replace"` writes it.
        clean = text[:_MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(clean).ids
        return ids

    def _checked_rows(self, rows: NDArray[np.float32], count: int) -> NDArray[np.float32]:
        if rows.shape != (count, self.spec.dim):
            raise ModelOutputError(f"model {self.spec.model!r} returned {rows.shape} for {count} texts")
        lengths = np.linalg.norm(rows, axis=1)
        # A NaN or an infinity makes the comparison false.
        wrong = int((~(np.abs(lengths - 1.0) <= _LENGTH_TOLERANCE)).sum())
        if wrong:
            raise ModelOutputError(f"model {self.spec.model!r} returned {wrong} of {count} vectors not of length 1")
        return rows

    def _check_probe(self, manifest: Manifest, model_dir: Path) -> None:
        cosine = least_cosine(manifest.probe, self.embed(PROBE_TEXTS, kind="document"))
        if cosine < AGREEMENT:
            raise ModelDirectoryError(
                f"model directory {str(model_dir)!r} reproduces its probe vectors to a cosine of {cosine:.5f}, "
                f"{AGREEMENT} is needed: this processor computes {self.spec.dtype!r} differently; "
                "build the model with float32, which is another generation"
            )


def _load_tokenizer(path: Path) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exception and nothing narrower
        raise ModelDirectoryError(f"tokenizer {str(path)!r} cannot be loaded: {str(error)[:300]}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
