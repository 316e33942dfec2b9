"""Checks of study files: rows, JSON, digests, seals, and whole files."""
