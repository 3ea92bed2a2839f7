"""What processes load when they start, and what a refused start tells."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import pytest
from typer.main import get_command

from memplane.bootstrap import setup
from memplane.cli.app import app
from memplane.domain.generations import EmbeddingSpec

SPEC = EmbeddingSpec(
    model="acme/embedder", revision="r1", dim=384, dtype="int8", normalise=True, query_prompt="查询: ",
    document_prompt="", fingerprint="0123456789abcdef",
)  # fmt: skip


@pytest.mark.parametrize(
    ("module", "unneeded"),
    [
        ("serve_apps.models", {"pymilvus", "clickhouse_connect", "fastapi", "ray"}),
        ("serve_apps.recorder", {"pymilvus", "onnx", "onnxruntime", "fastapi", "ray"}),
        ("serve_apps.admin", {"pymilvus", "onnx", "onnxruntime", "tokenizers"}),
        ("serve_apps.ingest", {"onnx", "onnxruntime", "tokenizers"}),
        ("serve_apps.writer", {"onnx", "onnxruntime", "tokenizers"}),
        ("serve_apps.retrieval", {"onnx", "onnxruntime", "tokenizers"}),
        ("memplane.bootstrap.leases", {"pymilvus", "onnx", "onnxruntime", "ray.serve"}),
        ("memplane.bootstrap.setup", {"ray", "fastapi", "onnx", "onnxruntime"}),
        ("memplane.bootstrap.model_directory", {"ray", "fastapi", "pymilvus", "clickhouse_connect"}),
        ("memplane.cli.app", {"ray", "fastapi", "pymilvus", "clickhouse_connect", "onnx", "jieba"}),
    ],
)
def test_a_process_loads_no_engine_that_it_does_not_use(module: str, unneeded: set[str]) -> None:
    code = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert loaded & unneeded == set()


def test_the_refusal_of_another_model_names_no_command_that_does_not_exist() -> None:
    told = setup._refusal(SPEC, replace(SPEC, model="acme/other"))
    assert SPEC.generation_id in told
    assert "embedding.model_dir" in told
    commands = get_command(app).commands  # type: ignore[attr-defined]
    assert all(name in commands for name in re.findall(r"memplane ([a-z]+)", told))
