"""The words of verdicts."""
