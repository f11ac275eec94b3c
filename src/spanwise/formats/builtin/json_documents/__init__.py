"""JSON documents: one object with a long list in it."""
