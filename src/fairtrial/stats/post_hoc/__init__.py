"""Which of several methods differ, over data sets: pairs, average ranks, groups, and ranks that stay open."""
