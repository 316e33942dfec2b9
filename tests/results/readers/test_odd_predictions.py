"""Odd tables of predictions are read as they are meant, or refused in words; none is misread without a word."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.results import read_predictions, read_scores

N = 120
_random = np.random.default_rng(31)
Y = _random.integers(0, 2, N)
A, B = (np.clip(np.round(0.5 + s * (Y - 0.5) + _random.normal(0, 0.2, N), 3), 0, 1) for s in (0.5, 0.3))
PLAIN = pd.DataFrame({"id": range(N), "y": Y, "a": A, "b": B})
MANY = np.random.default_rng(3).integers(0, 30, 600)


def right(frame, **options):
    """Accuracy and log loss of a and b must be those of the plain table."""
    results = read_predictions(frame, truth="y", **options)
    scores = results.scores.set_index(["measure", "method"])["value"]
    assert results.method_names() == ("a", "b")
    for name, shares in (("a", A), ("b", B)):
        assert scores["accuracy", name] == pytest.approx(((shares > 0.5) == Y).mean())
        assert scores["log_loss", name] == pytest.approx(
            -np.log(np.clip(np.where(Y, shares, 1 - shares), 1e-15, 1)).mean(), rel=0.2
        )
    return str(results.reading)


class TestReadAsMeant:
    def test_plain(self):
        assert right(PLAIN) == "1 data set × 2 methods (a and b) × 120 instances"

    @pytest.mark.parametrize("title", ["text", "prompt", "latency", "tokens", "cost", "seed", "timestamp", "comment"])
    def test_columns_beside_the_predictions(self, title):
        words = title in ("text", "prompt", "comment")
        column = [f"sentence {i}" for i in range(N)] if words else np.arange(N) % 7 + 1
        column = 3 if title == "seed" else column
        assert f"not used: the column '{title}'" in right(PLAIN.assign(**{title: column}))

    def test_free_text_under_any_title(self):
        assert "not used: the column 'rationale'" in right(PLAIN.assign(rationale=[f"because {i}" for i in range(N)]))

    def test_percent(self):
        assert "probabilities in percent: 'a' and 'b'" in right(PLAIN.assign(a=100 * A, b=100 * B))

    def test_copies_of_instances(self):
        assert "3 rows that repeat another left out" in right(pd.concat([PLAIN, PLAIN.iloc[:3]], ignore_index=True))

    def test_index_of_pandas(self, tmp_path):
        PLAIN.rename(columns={"id": "question_id"}).to_csv(tmp_path / "p.csv")
        assert "not used: the column 'untitled'" in right(tmp_path / "p.csv")

    def test_a_choice_of_methods(self):
        assert "not used: the column 'c'" in right(PLAIN.assign(c=A), methods=["a", "b"])

    def test_methods_in_two_spellings(self):
        parts = [PLAIN[["id", "y"]].assign(method=m, score=s) for m, s in (("a", A), ("b", B))]
        frame = pd.concat(parts, ignore_index=True)
        frame.loc[:5, "method"] = "A"
        frame = frame.rename(columns={"score": "p_1"}).assign(p_0=lambda f: 1 - f["p_1"])
        results = read_predictions(frame, truth="y")
        assert len(results.method_names()) == 2
        assert "are one method" in str(results.reading)


class TestManyWholeNumbers:
    def wrong(self, step):
        values = MANY.copy()
        lost = np.random.default_rng(4).random(600) < 0.3
        values[lost] = step(values[lost])
        return read_predictions(pd.DataFrame({"y": MANY, "a": values, "b": MANY}), truth="y")

    def test_near_misses_are_values(self):
        assert "rmse" in self.wrong(lambda v: v + 1).measures

    def test_far_misses_are_classes(self):
        draws = np.random.default_rng(5)
        assert "accuracy" in self.wrong(lambda v: draws.permutation(v)).measures

    def test_others_are_asked_for(self):
        with pytest.raises(InputError, match="30 different whole numbers, which may be classes or values"):
            read_predictions(pd.DataFrame({"y": MANY, "a": MANY, "b": MANY}), truth="y")


class TestRefused:
    @pytest.mark.parametrize(("frame", "told"), [
        (PLAIN.assign(age=np.arange(N) % 60 + 20.5), r"'age' on .* may be predictions or not.*--methods a,b"),
        (pd.concat([PLAIN, PLAIN.iloc[:2].assign(a=0.123)]), r"each instance must be there once, but '0' of 'id'"),
        (pd.concat([PLAIN.astype(object), pd.DataFrame([["Total", "n=120", 0.8, 0.7]], columns=PLAIN.columns)]),
         r"row 121 below the titles looks like a summary"),
        (pd.concat([PLAIN.astype(object), pd.DataFrame([["Accuracy", 1, 0.8, 0.7]], columns=PLAIN.columns)]),
         r"row 121 below the titles looks like a summary"),
        (PLAIN.assign(c="Cat"), r"'c' on .* must predict one of the classes 0 or 1, or give numbers"),
    ])  # fmt: skip
    def test_in_words(self, frame, told):
        with pytest.raises(InputError, match=told):
            read_predictions(frame.reset_index(drop=True), truth="y")

    def test_predictions_read_as_scores(self, tmp_path):
        PLAIN.to_csv(tmp_path / "p.csv", index=False)
        with pytest.raises(InputError, match=r"p.csv looks like predictions.*fairtrial compare p.csv --truth y"):
            read_scores(tmp_path / "p.csv", measure="accuracy")
