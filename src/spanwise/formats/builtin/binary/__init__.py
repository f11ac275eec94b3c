"""Files that are not text; the first bytes tell the format."""
