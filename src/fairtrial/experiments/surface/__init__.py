"""Which setting of numeric factors is best: response surfaces."""
