"""Text with a header that names its columns."""
