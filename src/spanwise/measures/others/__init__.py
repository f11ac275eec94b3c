"""Measures of other tools, under their own names: one module for each tool."""
