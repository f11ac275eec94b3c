"""A collection drawn from a seed, with systems that search it."""
