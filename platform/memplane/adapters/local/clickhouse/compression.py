"""Content encodings of the HTTP interface: lz4 and zstd frames, gzip, deflate; bounded when reading."""

import gzip
import zlib
from typing import Protocol

import lz4.frame
from backports import zstd

from memplane.adapters.local.clickhouse.errors import BAD_COMPRESSION, TOO_LARGE, StatementError

# Below this an answer is sent as it is: framing costs more than it saves on loopback.
MIN_SIZE_TO_COMPRESS = 4096
_PREFERENCE = ("lz4", "zstd", "gzip", "deflate")


class _Decoder(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes | None: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def decode(body: bytes, encoding: str, *, limit: int) -> bytes:
    """Decompress a request body of one or several concatenated frames.

    Raises StatementError for an unknown encoding, broken data, or more than `limit` bytes of content.
    """
    if not body or encoding in ("", "identity"):
        return body
    parts: list[bytes] = []
    rest, room = body, limit + 1
    try:
        while rest:
            decoder = _decoder(encoding)
            piece = decoder.decompress(rest, room)
            parts.append(piece)
            room -= len(piece)
            if room <= 0:
                raise StatementError(TOO_LARGE, f"Request content exceeds {limit} bytes")
            if not decoder.eof:
                raise StatementError(BAD_COMPRESSION, f"Compressed request body ({encoding}) is cut short")
            rest = decoder.unused_data or b""
    except (RuntimeError, EOFError, ValueError, zlib.error, zstd.ZstdError) as error:
        raise StatementError(BAD_COMPRESSION, f"Cannot decompress the request body ({encoding})") from error
    return b"".join(parts)


def choose(accept_encoding: str) -> str | None:
    """Return the preferred encoding that the client accepts, or None for plain bytes."""
    accepted = {part.split(";")[0].strip().lower() for part in accept_encoding.split(",")}
    return next((name for name in _PREFERENCE if name in accepted), None)


def encode(content: bytes, encoding: str) -> bytes:
    """Compress an answer with one of the encodings that `choose` returns."""
    if encoding == "lz4":
        return bytes(lz4.frame.compress(content))
    if encoding == "zstd":
        return bytes(zstd.compress(content, 1))
    if encoding == "gzip":
        return gzip.compress(content, 1)
    return zlib.compress(content, 1)


def _decoder(encoding: str) -> _Decoder:
    if encoding == "lz4":
        return lz4.frame.LZ4FrameDecompressor()  # type: ignore[no-any-return]
    if encoding == "zstd":
        return zstd.ZstdDecompressor()
    if encoding == "gzip":
        return zlib.decompressobj(wbits=31)
    if encoding == "deflate":
        return zlib.decompressobj()
    raise StatementError(BAD_COMPRESSION, f"Unsupported Content-Encoding {encoding[:20]!r}")
