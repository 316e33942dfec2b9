"""Which data sets are parts of one source, by names, sizes and scores."""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from benchmark_names import LISTS

from fairtrial.results import read_scores
from fairtrial.verdict.guards.notices_in_answer import GUARD
from fairtrial.verdict.guards.sources import first_parts, versions


def judged(names, lead=0.0, within=0.0, sources=None, seed=1, **asked):
    """Three methods; the lead of the first differs by source."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.6, 0.8, len(names))
    own = rng.normal(0, within, 1 + max(sources or [0]))[sources] if sources else 0.0
    frame = pd.DataFrame({"dataset": names, "a": base + lead + own + rng.normal(0, 0.01, len(names)), "b": base})
    frame["c"] = base - 0.02 + rng.normal(0, 0.01, len(names))
    return read_scores(frame, measure="accuracy").verdict(**asked)


def said(verdict):
    return [n for n in verdict.notices if n.guard == GUARD]


class TestVersions:
    """Names as the tables of real benchmarks have them; two detectors of these lists were never the same person."""

    def test_few_groups_are_not_of_one_source(self):
        wrong, found, truth, right = 0, 0, 0, 0
        for known in LISTS.values():
            families = [set(map(frozenset, combinations(own, 2))) for own in (*known.families, *known.uncertain)]
            pairs = set().union(*families) if families else set()
            groups = versions(known.names)
            of = [set(map(frozenset, combinations(own, 2))) for own in groups.values()]
            found += len(of)
            wrong += sum(not (own & pairs) for own in of)
            truth += len(known.families)
            got = set().union(*of) if of else set()
            right += sum(bool(got & own) for own in families[: len(known.families)])
        assert wrong <= 0.04 * found  # 9 of 275
        assert right >= 0.65 * truth  # 209 of 306; some share no letter

    @pytest.mark.parametrize("names", [
        [f"f{i}" for i in range(1, 25)], [f"dataset_{i:02}" for i in range(20)], list("abcdefgh"),
        ["credit-a", "credit-g", "breast-w", "breast-cancer", "heart-c", "heart-h", "kr-vs-kp", "iris"],
        ["HalfCheetah-v4", "Hopper-v4", "Walker2d-v4", "Ant-v4"], [f"tree-{i}-{c}" for i, c in enumerate("abcdefgh")],
    ])  # fmt: skip
    def test_none(self, names):
        assert versions(names) == {}

    @pytest.mark.parametrize(("names", "stems"), [
        (["rl-1", "rl-2", "adult", "wine"], {"rl"}),
        (["ecoli1", "ecoli2", "iris", "wine"], {"ecoli"}),
        (["xnli-de", "xnli-fr", "iris", "wine"], {"xnli"}),
        (["a0-q1", "a0-q2", "a1-q1", "a1-q2"], {"a0", "a1"}),
        (["m4/H/short", "m4/D/long", "solar/H/short", "solar/D/short"], {"m4", "solar"}),
        (["CricketX", "CricketY", "CricketZ", "Beef", "Car"], {"cricket"}),
        (["hopper-medium", "hopper-expert", "walker-medium", "walker-expert", "x"], {"hopper", "walker"}),
        (["why/medium-0-rl", "why/medium-1-rl", "why/medium-0-pol", "why/medium-1-pol"],
         {"medium … rl", "medium … pol"}),
    ])  # fmt: skip
    def test_found(self, names, stems):
        assert set(versions(names)) == stems

    def test_first_parts_are_wider(self):
        assert first_parts(["mnist_noise", "mnist_rot", "iris"]) == {"mnist": ["mnist_noise", "mnist_rot"]}


class TestPartsOfSources:
    NAMES = tuple(
        f"{s}/{f}" for s in ["elec", "solar", "bike", "taxi", "covid", "hosp"] for f in ["15T", "H", "D", "W"]
    )

    def test_most_data_sets_have_sources(self):
        found = judged(self.NAMES, 0.01)
        (doubt,) = said(found)
        assert doubt.severity == "doubt"
        assert (doubt.evidence["members"], doubt.evidence["sources"], doubt.evidence["counted"]) == (24, 6, True)
        assert found.finding.scope.n == 6

    def test_fewer_than_six_sources_give_no_verdict(self):
        found = judged([f"task{t}_{f}" for t in range(4) for f in range(3)], 0.05)
        assert found.winner is None
        assert found.rule == "too little is known"

    def test_a_few_versions_change_nothing(self):
        names = ["iris", "wine", "glass", "vote", "sonar", "car", "adult", "zoo", "mnist_noise", "mnist_rot"]
        (check,) = said(judged(names, 0.05))
        assert check.severity == "fine"
        assert check.sentence.endswith("if each source counts once, the answer is the same")

    def test_a_few_versions_change_the_answer(self):
        names = ["iris", "wine", "glass", "vote", "sonar", "car", *(f"rl-{i}" for i in range(6))]
        lead = np.r_[np.full(3, -0.03), np.full(3, 0.05), np.full(6, 0.08)]
        (doubt,) = said(judged(names, lead))
        assert doubt.severity == "doubt"
        assert doubt.sentence.endswith("if each source counts once, the best would be one of 2: a and b")

    def test_scores_show_that_first_parts_are_sources(self):
        names = [f"{s}_{w}" for s in ["mnist", "fonts", "cars", "birds"] for w in ["alpha", "beta", "gamma", "delta"]]
        names += [f"{w}set" for w in ["iris", "wine", "glass", "vote", "sonar", "adult", "zoo", "lung"]]
        names = [n.replace("_alpha", f"_{n[0]}al") for n in names]  # no two first parts share their second ones
        names = [f"{n}{n[:2]}" if "_" in n else n for n in names]
        sources = [i // 4 for i in range(16)] + list(range(4, 12))
        doubt = said(judged(names, 0.0, 0.05, sources))
        assert doubt[0].evidence["counted"]
        assert "and their differences are alike (p = " in doubt[0].sentence

    def test_one_source_in_several_languages(self):
        (doubt,) = said(judged([f"xnli-{c}" for c in ["de", "fr", "en", "es", "ru", "zh", "ar", "hi"]]))
        assert doubt.sentence.startswith("all 8 data sets are xnli in several languages")

    def test_where_each_data_set_is_judged_by_itself_nothing_is_said(self):
        rng = np.random.default_rng(1)
        rows = [
            (d, m, f, 0.8 + (m == "a") * 0.1 + rng.normal(0, 0.01))
            for d in ("rl-1", "rl-2", "rl-3", "iris")
            for m in "ab"
            for f in range(10)
        ]
        frame = pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy"])
        found = read_scores(frame, measure="accuracy", resampling="10-fold").verdict(smallest_difference=0.01)
        assert len(found.parts) == 4
        assert said(found) == []

    def test_given_families_are_not_doubted(self):
        assert said(judged(self.NAMES, family={"none": []})) == []
        assert said(judged(self.NAMES, family={"elec": [n for n in self.NAMES if n[0] == "e"]})) == []


@pytest.mark.parametrize("name", [n for n, known in LISTS.items() if not known.families and not known.uncertain])
def test_clean_lists_raise_no_doubt(name):
    """Names that share nothing: no doubt in 5 worlds each."""
    found = [said(judged(LISTS[name].names, 0.01, seed=seed)) for seed in range(5)]
    assert not [n for own in found for n in own if n.severity == "doubt"]
