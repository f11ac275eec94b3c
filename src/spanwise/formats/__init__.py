"""Files in and out: every format, what rows mean, and how files are opened and written."""
