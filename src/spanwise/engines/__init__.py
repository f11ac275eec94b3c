"""Evaluations larger than memory, or than one machine: partition, call the kernel, collect."""
