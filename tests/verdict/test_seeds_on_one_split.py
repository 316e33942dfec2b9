"""What the verdict makes of seeds on one fixed split: means over data sets, never a test on one of them."""

import os
import re

import numpy as np
import pandas as pd
import pytest

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.figures.comparisons.fold_strip import folds_view
from fairtrial.statements import Role

REPEATS = int(os.environ.get("FAIRTRIAL_REPEATS", "100"))
SPLITS = re.compile(r"[^.;:|\n]*\b(?:folds?|splits?)\b[^.;:|\n]*", re.IGNORECASE)
RIGHT = re.compile(
    r"one (fixed )?split|the same split is (unknown|assumed)|its split was made|on several splits of|"
    r"splits whose scheme is known\?"
)
"""Where a page may speak of splits: of the one that all seeds share, and of those that would help."""


def scores(sets=12, methods=3, seeds=5, *, lead=0.03, rng=0, **more):
    random = np.random.default_rng(rng)
    base = random.uniform(0.6, 0.8, (sets, 1, 1))
    ahead = lead * np.arange(methods)[::-1, None]
    values = base + ahead + random.normal(0, 0.01, (sets, methods, seeds))
    rows = [(f"d{d}", "abcdef"[m], s, values[d, m, s]) for d, m, s in np.ndindex(*values.shape)]
    return pd.DataFrame(rows, columns=["dataset", "method", "seed", "accuracy"]).assign(**more)


def read(**options):
    return ft.read_scores(scores(**options), measure="accuracy")


def said_of_splits(text):
    plain = re.sub(r"\s+", " ", re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", text, flags=re.DOTALL))
    return [found for found in SPLITS.findall(plain) if not RIGHT.search(found)]


class TestOnOneDataset:
    @pytest.mark.parametrize("methods", [2, 3])
    def test_no_lead_is_large_enough(self, methods):
        verdict = read(sets=1, methods=methods, lead=0.1).verdict()
        assert verdict.winner is None
        assert not verdict.finding.pairs
        assert verdict.sentence.startswith("Whether the methods differ in accuracy is open: 1 data set is too few")
        noise = "seeds show the noise of training on one fixed split, not how scores vary with the data"
        assert noise in verdict.sentence
        assert any(notice.sentence == noise for notice in verdict.notices)

    def test_means_and_deviations_of_seeds(self):
        made = scores(sets=1, methods=2)
        (row,) = ft.read_scores(made, measure="accuracy").verdict().finding.table.rows
        by_method = made.groupby("method")["accuracy"]
        assert [cell.center for cell in row[1:3]] == pytest.approx(by_method.mean().tolist())
        assert [cell.spread for cell in row[1:3]] == pytest.approx(by_method.std().tolist())
        assert "mean ± standard deviation over seeds" in read(sets=1).verdict().finding.table.caption

    def test_next_asks_for_other_splits_and_for_no_declaration(self):
        text = str(read(sets=1).verdict())
        assert "Next      scores on several splits of the data, or 6 or more data sets" in text
        assert "resampling=" not in text
        assert "unknown (" not in text

    def test_one_method(self):
        verdict = read(sets=1, methods=1).verdict()
        assert verdict.finding.table.caption == "accuracy on d0, mean over 5 seeds ± their standard deviation"
        claimed = str(read(sets=1, methods=1).verdict(claim=0.5))
        assert claimed.startswith("Undefined: whether the accuracy of a on d0 is above 0.5 can't be tested, because")
        assert not said_of_splits(claimed.replace("needs honest scores on several splits, whose scheme is known", ""))

    @pytest.mark.parametrize("test", ["paired_t", "corrected_t"])
    def test_no_test_by_name(self, test):
        with pytest.raises(InputError, match=f"per_dataset='{test}' is for splits, but d0 has 5 seeds on one of them"):
            read(sets=2).verdict(control="a", per_dataset=test)
        with pytest.raises(InputError, match="scheme '5 seeds'; bring scores on several splits"):
            read(sets=1).verdict(test="repeated_anova")


class TestOverDatasets:
    def test_the_means_over_seeds_are_the_evidence(self):
        made = scores()
        means = made.groupby(["dataset", "method"], sort=False)["accuracy"].mean().reset_index()
        by_seeds, by_means = (ft.read_scores(table, measure="accuracy").verdict() for table in (made, means))
        assert by_seeds.winner == by_means.winner == "a"
        assert [p.p_value for p in by_seeds.finding.pairs] == [p.p_value for p in by_means.finding.pairs]
        assert by_seeds.finding.table.caption == "accuracy, mean over 5 seeds per data set, then over 12 data sets"

    def test_what_seeds_tell(self):
        verdict = read().verdict()
        text = " ".join(str(verdict.full).split())
        assert "since seeds on one split of one data set aren't independent evidence" in verdict.why
        assert "seeds show the noise of training on one fixed split, not how scores vary with the data" in text
        assert "the random seed's share in the variance of scores, beside data sets: a (" in text

    def test_about_each_of_these(self):
        text = " ".join(str(read().verdict(domains="these").full).split())
        assert "which needs scores on several splits of each; this answer is about data sets such as these" in text

    def test_equal_on_average(self):
        verdict = read(methods=2, lead=0.0).verdict(smallest_difference=0.02)
        assert not any("resampling" in text.render() for text in verdict.said(Role.NEXT))

    def test_a_method_without_chance(self):
        made = scores()
        made.loc[made["method"] == "a", "accuracy"] = made.groupby(["dataset", "method"])["accuracy"].transform("mean")
        notices = ft.read_scores(made, measure="accuracy").verdict().notices
        assert any("all 5 seeds of a gave the same numbers" in notice.sentence for notice in notices)

    def test_a_missing_score(self):
        made = scores().drop(index=7)
        verdict = ft.read_scores(made, measure="accuracy", baseline="c").verdict()
        assert "1 of 180 scores are missing: b on d0 (1); scored as the baseline 'c' on those seeds" in " ".join(
            str(verdict).split()
        )

    @pytest.mark.slow
    def test_training_noise_alone_is_no_difference(self):
        """Equal methods are called different in 5 % of runs at most; of 100 runs, three standard errors allow 11."""
        called = 0
        for rng in range(REPEATS):
            verdict = read(methods=2 + rng % 2, lead=0.0, rng=rng).verdict()
            called += verdict.winner is not None or any(p.different for p in verdict.finding.pairs)
        assert called / REPEATS < 0.05 + 3 * np.sqrt(0.05 * 0.95 / REPEATS)

    @pytest.mark.slow
    def test_a_lead_over_data_sets_is_found(self):
        assert sum(read(lead=0.02, rng=rng).verdict().winner == "a" for rng in range(10)) >= 9


class TestNoPageCallsSeedsSplits:
    @pytest.mark.parametrize(("sets", "methods"), [(1, 2), (1, 3), (3, 3), (12, 2), (12, 3)])
    def test_verdict_and_tables(self, sets, methods):
        results = read(sets=sets, methods=methods)
        verdict = results.verdict()
        pages = [verdict, verdict.full, verdict.explained, results.table("scores"), results.to_table()]
        assert [found for page in pages for found in said_of_splits(str(page))] == []

    @pytest.mark.slow
    @pytest.mark.parametrize("sets", [1, 12])
    def test_report(self, sets, tmp_path):
        read(sets=sets).report(tmp_path / "report.html")
        text = (tmp_path / "report.html").read_text(encoding="utf-8")
        assert "with 5 seeds on one fixed split" in text
        assert said_of_splits(text) == []

    def test_figure(self):
        view = folds_view(read(), dataset="d1", joined=True)
        assert view.words.startswith("accuracy on 5 seeds of d1")
        assert view.title == "d1, 5 seeds"
        assert said_of_splits(view.words) == []

    def test_levels_of_a_factor(self):
        made = pd.concat([scores(sets=1, label_noise=noise) for noise in (0.0, 0.1)])
        found = ft.read_scores(made, measure="accuracy").verdicts()
        assert "mean over seeds and then over data sets" in found.to_table().caption


class TestStudiesWithOneSplit:
    def test_replicates_on_one_split_have_a_verdict(self, tmp_path):
        study = ft.Study(
            datasets=["iris", "wine"], methods=["majority", "one_rule"], resampling="holdout 0.3", replicates=2,
            measures=["accuracy"],
        )  # fmt: skip
        verdict = study.run(tmp_path / "x.trial", workers=0, progress=False).verdict()
        share = "the random seed's share in the variance of scores, beside data sets: "
        assert any(notice.sentence.startswith(share) for notice in verdict.notices)
