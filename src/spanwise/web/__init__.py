"""Pages that a server on this machine shows: search, ranked documents, documents to read."""

HOST, PORT = "127.0.0.1", 8642
"""Where pages are served if nothing else is asked for."""
