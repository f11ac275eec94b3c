"""Runs of known quality, simulated from assessments."""
