"""Which reader reads what."""

from pathlib import Path

import pandas as pd
import pytest

from fairtrial.results.readers.reading import PREDICTIONS, SCORES, Reader, reader_of
from fairtrial.results.readers.tabular_predictions import read_prediction_table
from fairtrial.results.readers.tabular_scores import read_score_table
from fairtrial.results.readers.weka import read_experimenter


class TestReaderOf:
    @pytest.mark.parametrize(
        ("source", "read"),
        [
            ("a.arff", read_experimenter),
            (Path("A.ARFF"), read_experimenter),
            ("a.csv", read_score_table),
            (pd.DataFrame({"arff": [1]}), read_score_table),
        ],
    )
    def test_scores(self, source, read):
        assert reader_of(source, SCORES).made_by is read

    def test_predictions_are_tables(self):
        assert reader_of("a.parquet", PREDICTIONS).made_by is read_prediction_table

    def test_the_first_that_fits_is_taken(self):
        log = Reader("a log", lambda source: str(source).endswith(".log"), lambda *_: "from a log")
        assert reader_of("a.log", (log, *SCORES)).read("a.log", None) == "from a log"
        assert reader_of("a.csv", (log, *SCORES)).made_by is read_score_table
