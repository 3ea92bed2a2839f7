"""The demo: a small conversation in English and Chinese, and what is recalled from it."""
