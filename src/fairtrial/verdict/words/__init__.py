"""The words of verdicts."""

from fairtrial.verdict.words import best, dependence, difference, steadiness, support  # noqa: F401 - they register their words
