"""Statistics: is a difference between runs significant, and how precise is a mean."""
