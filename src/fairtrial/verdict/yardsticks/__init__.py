"""Yardsticks: levels that the question gives, and the trivial answers and policies that methods must beat."""
