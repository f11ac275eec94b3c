"""Pages that a server on this machine shows: search, ranked documents, documents to read."""
