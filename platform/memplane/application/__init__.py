"""Use-cases: what memplane does, step by step, in terms of ports and domain only."""
