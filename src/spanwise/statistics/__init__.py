"""Statistics: is a difference between runs more than luck, and how sure is a mean."""
