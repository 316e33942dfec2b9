"""The grids of the lab by name."""

import pandas as pd
import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.lab.grids import GRIDS, experiments_of


def test_every_grid_but_tables_has_experiments():
    for name in GRIDS:
        if name != "tables":
            assert experiments_of([name])


def test_all_grids_together_have_names_of_their_own():
    every = experiments_of([])
    assert len(every) == sum(len(experiments_of([name])) for name in GRIDS if name != "tables")


def test_rows_of_a_table(tmp_path):
    scores = pd.DataFrame({f"m{j}": [0.5 + 0.01 * ((7 * i + 3 * j) % 11) for i in range(25)] for j in range(5)})
    scores.to_csv(tmp_path / "mine.csv")
    assert list(experiments_of(["tables"], [tmp_path / "mine.csv"])) == [
        f"rows of real tables: 5 methods of mine × {n} rows" for n in (10, 20, 30)
    ]
    assert len(experiments_of(["tables"], log_tables=[tmp_path / "mine.csv"])) == 3
    assert len(experiments_of(["tables"], [tmp_path / "mine.csv"], [tmp_path / "mine.csv"])) == 6


def test_says_what_was_wrong():
    with pytest.raises(UnknownName, match="no grid of the lab is called 'familys'; did you mean 'families'"):
        experiments_of(["familys"])
    with pytest.raises(InputError, match="needs tables of scores"):
        experiments_of(["tables"])
