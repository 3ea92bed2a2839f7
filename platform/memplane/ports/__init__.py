"""What memplane needs of the outside world, as Protocols. Batch-first, keyword-only, the scope always a parameter."""
