"""Lines of columns separated by blanks."""
