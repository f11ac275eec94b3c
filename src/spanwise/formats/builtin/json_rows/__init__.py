"""Rows that are JSON objects."""
