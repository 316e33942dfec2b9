"""Figures of comparisons of methods: leads, ranks, differences, wins, the null distribution, the decision path."""
