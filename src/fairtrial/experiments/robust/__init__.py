"""Which setting to take for a data set like these."""
