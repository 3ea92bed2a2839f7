"""Adapters: every port of memplane implemented on a real library or an embedded engine."""
