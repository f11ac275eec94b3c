"""Documents: where they are found, their canonical text and elements, and what refers to them."""
