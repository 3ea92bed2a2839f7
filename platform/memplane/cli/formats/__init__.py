"""Conversation files: three formats, one result. Parsing is pure and the same for the same file."""

from memplane.cli.formats.conversation import ConversationBatch, Format, FormatError
from memplane.cli.formats.reader import read_batches

__all__ = ["ConversationBatch", "Format", "FormatError", "read_batches"]
