"""What a method is, in one line; and that looking at a study file imports nothing that its author chose."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sklearn.ensemble import RandomForestClassifier, StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from fairtrial.methods.canonical_form import canonical
from fairtrial.methods.recipe import recipe


class TestRecipe:
    def test_only_what_differs(self) -> None:
        form = canonical(RandomForestClassifier(n_estimators=200, max_depth=None, class_weight={0: 1, 1: 5}))
        assert recipe(form) == "sklearn.ensemble.RandomForestClassifier(class_weight={0: 1, 1: 5}, n_estimators=200)"

    def test_methods_inside_methods(self) -> None:
        form = canonical(StackingClassifier([("a", GaussianNB())], final_estimator=LogisticRegression(C=2.0)))
        inside = "estimators=[['a', GaussianNB]], final_estimator=LogisticRegression(C=2.0)"
        assert recipe(form) == f"sklearn.ensemble.StackingClassifier({inside})"

    def test_a_version(self) -> None:
        assert recipe(canonical(GaussianNB(), version="3")) == "sklearn.naive_bayes.GaussianNB, version 3"

    def test_nothing_of_a_strangers_is_imported(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "stranger.py").write_text("raise SystemExit('executed')")
        monkeypatch.syspath_prepend(tmp_path)
        assert recipe({"class": "stranger.Net", "params": {"depth": 3}}) == "stranger.Net(depth=3)"
        assert "stranger" not in sys.modules

    @pytest.mark.slow
    def test_nothing_of_a_known_package_is_imported_either(self) -> None:
        code = (
            "import sys, sklearn; from fairtrial.methods.recipe import recipe; before = set(sys.modules); "
            "print(recipe({'class': 'sklearn.gaussian_process.GaussianProcessClassifier', 'params': {'a': 1}})); "
            "print(recipe({'class': 'sklearn.covariance', 'params': {}})); print(set(sys.modules) - before)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines() == [
            "sklearn.gaussian_process.GaussianProcessClassifier(a=1)",
            "sklearn.covariance",
            "set()",
        ]

    @pytest.mark.parametrize(
        "form",
        [
            {"class": "sklearn.pipeline.Pipeline", "params": {"steps": 3}},
            {"class": "fairtrial.methods.tuning.estimator.Tuned", "params": {}},
            {"map": [1, 2]},
            {"class": "a.B", "params": [1]},
        ],
    )
    def test_what_is_no_canonical_form_is_shown_as_it_is(self, form: object) -> None:
        assert recipe(form) == repr(form)

    @pytest.mark.parametrize("path", ["", "Net", "sklearn..x", "sklearn.no.Such", "../../etc", "sklearn.svm.nothing"])
    def test_nonsense_is_shown_as_it_is(self, path: str) -> None:
        assert recipe({"class": path, "params": {}}) == path
