"""A small writer for ONNX graphs: adds nodes and constants, hands back value names, and closes the model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

MICROSOFT = "com.microsoft"
"""The operator domain of ONNX Runtime's own kernels."""

_OPSET = 20
_IR_VERSION = 10

Attribute = int | float | str | Sequence[int]


class GraphWriter:
    """Collects the nodes and constants of one graph. Values are named by strings; '' is an input left out."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, array: NDArray[np.generic]) -> str:
        """Add a constant, or find the one of that name again; returns the name."""
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def scalar(self, value: float, dtype: type[np.generic] = np.float32) -> str:
        """A constant of rank 0, shared by all that ask for the same value and type."""
        return self.constant(f"scalar_{np.dtype(dtype).name}_{value!r}", np.array(value, dtype))

    def axes(self, *axes: int) -> str:
        """A constant int64 vector of axes or positions."""
        return self.constant("axes_" + "_".join(map(str, axes)), np.array(axes, np.int64))

    def add(self, operator: str, *inputs: str, name: str = "", domain: str = "", **attributes: Attribute) -> str:
        """Add a node with one output; returns the output's name (`name` where one is given)."""
        return self._add(operator, inputs, [name or self._fresh(operator)], domain, attributes)[0]

    def split(self, value: str, parts: int) -> list[str]:
        """Cut the last axis of a value into equal parts."""
        outputs = [f"{self._fresh('Split')}_{part}" for part in range(parts)]
        return self._add("Split", [value], outputs, "", {"axis": -1, "num_outputs": parts})

    def close(
        self, name: str, inputs: Sequence[onnx.ValueInfoProto], outputs: Sequence[onnx.ValueInfoProto]
    ) -> onnx.ModelProto:
        """The finished model."""
        graph = helper.make_graph(self._nodes, name, inputs, outputs, list(self._constants.values()))
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="memplane")

    def _fresh(self, operator: str) -> str:
        return f"{operator}_{len(self._nodes)}"

    def _add(
        self,
        operator: str,
        inputs: Sequence[str],
        outputs: list[str],
        domain: str,
        attributes: dict[str, Attribute],
    ) -> list[str]:
        node = helper.make_node(operator, list(inputs), outputs, name=f"node_{outputs[0]}", domain=domain, **attributes)
        self._nodes.append(node)
        return outputs
