"""Data sets: what is learned from, where it comes from, and its fingerprint.

:func:`datasets` (``named_datasets``) finds them by name or file, from ``files`` (``delimited`` text, ``arff``, read as
``file_text`` with ``spellings`` of numbers and labels), ``frames`` of any library, ``openml`` or those that are
``bundled``. ``build_dataset`` makes a :class:`Dataset` of columns. ``encode`` is the default preprocessing. Guards see
the whole (``dataset_guards``), its columns and its rows. pandas and scikit-learn are imported only when needed.
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
