"""Pruning a grown tree."""
