"""Results that were made elsewhere: tables of scores and of predictions, result files of other programs.

``read_scores`` and ``read_predictions`` are the doors; which content is read by whom is in ``reader_table.py``. A
reader of one more kind of file is a module here and a row there.
"""
