"""Which factors matter, by how much, and what interacts."""
