"""Readers of results that were made elsewhere: tables of scores and of predictions, result files of other programs.

``read_scores`` and ``read_predictions`` are the public functions. ``reading.py`` says which reader takes which
kind of file: a new reader is a module here and a row there.
"""
