"""Search: documents are fetched from an index, and the best passages inside them are found."""
