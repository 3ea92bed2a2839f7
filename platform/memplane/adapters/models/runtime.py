"""How ONNX Runtime is used here: few threads, no spinning, no second fusion of the graph, and its errors as ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as states

from memplane.adapters.models.errors import ModelDirectoryError, ModelMemoryError, ModelOutputError

_ERRORS = tuple(kind for kind in vars(states).values() if isinstance(kind, type) and issubclass(kind, Exception))
"""The runtime's exceptions. They share no base class but `Exception`."""

_MEMORY_SIGNS = ("bad_alloc", "allocate memory", "bad allocation")


def open_session(model: Path | bytes, *, threads: int) -> ort.InferenceSession:
    """A session on the CPU.

    Args:
        model: the model's file, or its bytes.
        threads: threads that one run may use; they sleep between runs.

    Raises:
        ModelDirectoryError: the runtime cannot load the model.
    """
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.log_severity_level = 4
    # An idle replica must not burn a core while it waits for the next batch.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    source = model if isinstance(model, bytes) else str(model)
    name = "in memory" if isinstance(model, bytes) else repr(source)
    try:
        return ort.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    except _ERRORS as error:
        raise ModelDirectoryError(f"onnxruntime cannot load model {name}: {str(error)[:300]}") from error


def run(
    session: ort.InferenceSession, outputs: Sequence[str], inputs: Mapping[str, NDArray[np.int64]]
) -> list[NDArray[np.float32]]:
    """One run of a session.

    Raises:
        ModelMemoryError: there was no memory for it.
        ModelOutputError: the runtime failed otherwise.
    """
    shapes = {name: value.shape for name, value in inputs.items()}
    try:
        values: list[NDArray[np.float32]] = session.run(list(outputs), dict(inputs))
    except MemoryError as error:
        raise ModelMemoryError(f"no memory for a batch of shapes {shapes}: use a smaller token budget") from error
    except _ERRORS as error:
        if any(sign in str(error) for sign in _MEMORY_SIGNS):
            raise ModelMemoryError(f"no memory for a batch of shapes {shapes}: use a smaller token budget") from error
        raise ModelOutputError(f"onnxruntime failed on shapes {shapes}: {str(error)[:300]}") from error
    return values
