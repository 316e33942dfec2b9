"""Scores of several seeds: recognised by the title of a column, declared, or said to be something else."""

import numpy as np
import pandas as pd
import pytest

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.results.readers.tabular_scores import is_seed

# by hand: a has mean 0.82 and deviations −0.02, 0, 0.02, so that its standard deviation is 0.02; b has 0.70 and 0.01
SEEDS = {"a": (0.80, 0.82, 0.84), "b": (0.69, 0.70, 0.71)}


def long(title="seed", **more):
    rows = [("iris", m, seed, v) for m, values in SEEDS.items() for seed, v in zip((7, 3, 42), values, strict=True)]
    return pd.DataFrame(rows, columns=["dataset", "method", title, "accuracy"]).assign(**more)


def wide(title="seed"):
    return pd.DataFrame({"dataset": ["iris"] * 3, title: [7, 3, 42], **SEEDS})


def read(table, **options):
    return ft.read_scores(table, measure="accuracy", **options)


class TestRecognised:
    @pytest.mark.parametrize("title", ["seed", "Seed", "random_seed", "random seed", "rng_seed"])
    @pytest.mark.parametrize("table", [long, wide])
    def test_by_the_title_of_a_column(self, title, table):
        results = read(table(title))
        assert (results.dependence["iris"].scheme, results.dependence["iris"].seeds) == ("3 seeds", True)
        assert results.method_names() == ("a", "b")
        assert set(results.scores["replicate"]) == {0, 1, 2}
        assert set(results.scores["repeat"]) == set(results.scores["fold"]) == {0}

    @pytest.mark.parametrize("word", ["seed ", "seed_", "seed"])
    def test_by_the_titles_of_columns(self, word):
        columns = {f"{word}{i + 1}": [SEEDS[m][i] for m in SEEDS] for i in range(3)}
        table = pd.DataFrame({"dataset": ["iris"] * 2, "method": list(SEEDS), **columns})
        assert read(table).dependence["iris"].scheme == "3 seeds"

    @pytest.mark.parametrize("title", ["run", "rep", "repeat", "fold"])
    @pytest.mark.parametrize("table", [long, wide])
    def test_not_by_others(self, title, table):
        assert read(table(title)).dependence["iris"].scheme == "unknown"

    def test_titles(self):
        assert not any(map(is_seed, ("", "seedling", "run", "number of seeds", "fold 1")))

    def test_a_seed_for_each_row_numbers_nothing(self):
        table = pd.DataFrame({"dataset": list("xxyy"), "method": list("abab"), "seed": [1, 2, 3, 4], "accuracy": 0.5})
        assert read(table).dependence["x"].scheme == "unknown"

    def test_those_of_an_export(self, tmp_path):
        read(long()).export(scores=tmp_path / "scores.csv")
        assert read(tmp_path / "scores.csv").dependence["iris"].scheme == "3 seeds"

    def test_methods_with_seeds_of_their_own(self):
        table = long()
        table.loc[table["method"] == "b", "seed"] += 100
        results = read(table)
        assert len(results.failures) == 0
        assert results.dependence["iris"].scheme == "3 seeds"

    def test_a_seed_that_one_method_lacks_is_missing(self):
        assert len(read(long().drop(index=5)).failures) == 1

    def test_predictions(self):
        rows = [(s, i, i % 2, (i + (i == s)) % 2) for s in range(3) for i in range(10)]
        table = pd.DataFrame(rows, columns=["seed", "instance", "truth", "a"])
        results = ft.read_predictions(table, repeat="seed", measure="accuracy")
        assert next(iter(results.dependence.values())).scheme == "3 seeds"


class TestWithSplits:
    def test_seeds_beside_folds_are_replicates(self):
        table = pd.concat([long(fold=f) for f in (1, 2)])
        results = read(table)
        assert results.dependence["iris"].scheme == "unknown"
        assert (results.scores["replicate"].nunique(), results.scores["fold"].nunique()) == (3, 2)
        assert results.verdict().evidence.folds[0] == pytest.approx(np.array([[0.82, 0.70]] * 2))

    @pytest.mark.parametrize("table", [long, wide])
    def test_seeds_beside_repeats_are_replicates(self, table):
        made = pd.concat([table().assign(repeat=r) for r in (1, 2)])
        results = read(made)
        assert results.method_names() == ("a", "b")
        assert (results.scores["replicate"].nunique(), results.scores["repeat"].nunique()) == (3, 2)

    def test_a_wide_column_of_one_seed_does_not_make_seeds_of_folds(self):
        table = wide().assign(seed=1, fold=[1, 2, 3])
        assert read(table).dependence["iris"].scheme == "unknown"
        assert read(table).method_names() == ("a", "b")

    @pytest.mark.parametrize("table", [long, wide])
    def test_each_seed_may_have_drawn_a_split(self, table):
        results = read(table(), resampling="3x holdout 0.3")
        assert results.dependence["iris"].known
        assert not results.dependence["iris"].seeds
        assert results.scores["repeat"].nunique() == 3


class TestDeclared:
    @pytest.mark.parametrize("title", ["run", "fold", "seed"])
    def test_whatever_the_title(self, title):
        assert read(long(title), resampling="3 seeds").dependence["iris"].seeds

    def test_columns_of_any_title(self):
        table = pd.DataFrame({"dataset": ["iris"] * 2, "method": list("ab"), "x": [0.8, 0.7], "y": [0.9, 0.6]})
        assert read(table, resampling="2 seeds").dependence["iris"].scheme == "2 seeds"

    @pytest.mark.parametrize("title", ["run", "seed"])
    def test_another_number_is_refused(self, title):
        with pytest.raises(InputError, match=r"resampling='5 seeds' means 5 scores for each method .* 'iris' has 3"):
            read(long(title), resampling="5 seeds")


class TestTables:
    def test_means_and_deviations_by_hand(self):
        table = read(long()).table("scores")
        assert table.caption.startswith("accuracy, mean over 3 seeds ± the standard deviation over seeds")
        cells = [getattr(cell, "value", cell) for cell in table.rows[0][1:]]
        assert [cell.center for cell in cells] == pytest.approx([0.82, 0.70])
        assert [cell.spread for cell in cells] == pytest.approx([0.02, 0.01])

    def test_standard_error_by_hand(self):
        table = read(long()).table("scores", spread="standard error")
        assert "± the standard error over seeds, on one split" in table.caption
        cells = [getattr(cell, "value", cell) for cell in table.rows[0][1:]]
        assert [cell.spread for cell in cells] == pytest.approx([0.02 / np.sqrt(3), 0.01 / np.sqrt(3)])

    def test_no_interval(self):
        with pytest.raises(InputError, match="on several splits, and these are seeds on one"):
            read(long()).table("scores", spread="interval")

    def test_numbers_of_seeds_that_differ(self):
        more = read(pd.concat([long(), long().assign(dataset="wine").query("seed != 7")]))
        assert {d.scheme for d in more.dependence.values()} == {"3 seeds", "2 seeds"}
        assert more.table("scores").caption.startswith("accuracy, mean over seeds ± the standard deviation over seeds")
        assert "mean over seeds" in more.to_table().caption
