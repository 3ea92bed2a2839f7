"""Engines for embedding, reranking and generation, and what builds the local ones.

The local embedder is multilingual-e5-small on ONNX Runtime: `build.build_model` makes a model directory once from the
weights of an installed package, `onnx_engine.OnnxEmbeddingEngine` loads and serves it. Neither needs torch.
"""
