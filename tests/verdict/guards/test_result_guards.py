"""Guards: what was looked at before the numbers were believed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_scores import CLEAR, table, texts
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.results import read_scores


class TestGuards:
    def test_ceiling(self):
        columns = {"a": np.r_[np.full(2, 0.999), CLEAR["high"]], "b": np.r_[np.full(2, 0.998), CLEAR["low"]]}
        assert "ceiling: on 2 of 14 data sets (d0 and d1) even the weakest method is close to the best" in texts(
            read_scores(table(columns), measure="accuracy").verdict()
        )

    @pytest.mark.slow
    def test_small_folds(self, weka):
        assert "labor-neg-data (5)" in texts(weka.verdict())


class TestPickedMethods:
    @pytest.mark.slow
    def test_a_pilot_in_the_same_file_is_named(self, tmp_path):
        parts = {"datasets": ["iris", "labor"], "resampling": "2-fold"}
        bayes = {f"nb{i}": GaussianNB(var_smoothing=10.0**-i) for i in range(4)}
        for methods in (bayes, {"nb0": bayes["nb0"], "nb3": bayes["nb3"]}):
            results = ft.Study(methods=methods, **parts).run(tmp_path / "study.trial", workers=0, progress=False)
        (found,) = (n for n in results.verdict().notices if n.guard == "picked_methods")
        assert found.text == (
            "nb1 and nb2 were tried on the same data before, and left out of this comparison of 2 methods: if the "
            "scores decided which methods stay, the lead of the best is exaggerated (regression to the mean); "
            "compare all methods that were tried, or try those that are left on new data sets"
        )
        assert found.evidence == {"dropped": ["nb1", "nb2"], "compared": 2}

    @pytest.mark.slow
    def test_a_method_that_was_edited_is_named_as_such(self, tmp_path):
        for smoothing in (1e-9, 1e-3):
            methods = {"nb": GaussianNB(), "mine": GaussianNB(var_smoothing=1.0 + smoothing)}
            study = ft.Study(datasets=["iris", "labor"], methods=methods, resampling="2-fold")
            verdict = study.run(tmp_path / "study.trial", workers=0, progress=False).verdict()
        (found,) = (n for n in verdict.notices if n.guard == "picked_methods")
        assert found.text.startswith("an earlier version of mine was tried on the same data before, and left out of ")
        assert verdict.asked.changed == ("method mine changed",)

    def test_earlier_versions_are_counted(self, tmp_path):
        study = ft.Study(datasets=["iris"], methods={"nb": GaussianNB(), "fun": GaussianNB(var_smoothing=0.1)},
                         resampling="2-fold")  # fmt: skip
        found = study.run(tmp_path / "study.trial", workers=0, progress=False)
        tried = replace(found, provenance=replace(found.provenance, dropped=("nb", "fun", "fun")))
        (notice,) = (n for n in tried.verdict().notices if n.guard == "picked_methods")
        assert notice.text.startswith("an earlier version of nb and 2 earlier versions of fun were tried on the same")

    def test_nothing_to_say_where_all_stay(self, tmp_path):
        study = ft.Study(datasets=["iris"], methods={"nb": GaussianNB()}, resampling="2-fold")
        notices = study.run(tmp_path / "study.trial", workers=0, progress=False).verdict().notices
        assert not [n for n in notices if n.guard == "picked_methods"]
