"""Data sets: what is learned from, where it comes from, and its fingerprint.

:func:`datasets` finds them by name or file, :class:`Dataset` holds one. The default preprocessing of nominal columns
and missing values is in :mod:`fairtrial.data.encode`, the reader of WEKA's files in :mod:`fairtrial.data.arff`.
pandas and scikit-learn are imported only when they are needed.
"""

import fairtrial.data.column_guards
import fairtrial.data.dataset_guards
import fairtrial.data.row_guards  # noqa: F401 - all three register their guards
from fairtrial.data.bundled import bundled_names, bundled_table
from fairtrial.data.dataset import Dataset, Feature
from fairtrial.data.files import read_dataset
from fairtrial.data.named_datasets import datasets
from fairtrial.data.row_guards import shared_rows

__all__ = ["Dataset", "Feature", "bundled_names", "bundled_table", "datasets", "read_dataset", "shared_rows"]
