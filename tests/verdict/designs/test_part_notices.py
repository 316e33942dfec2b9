"""Notices of data sets that are judged singly: each says where it holds, and only what holds everywhere comes first."""

from __future__ import annotations

import numpy as np
import pandas as pd
from made_scores import folds

from fairtrial.notices import Notice
from fairtrial.results import read_scores
from fairtrial.tables import Table
from fairtrial.verdict.designs.part_notices import notices_of_parts
from fairtrial.verdict.finding import Finding

ANSWER = "which always answers the most frequent class"


def verdict(*leads: float):
    """Two methods on a few data sets, ahead of the majority by these leads."""
    rng = np.random.default_rng(3)
    frames = []
    for i, lead in enumerate(leads):
        noise = rng.normal(0, 0.02, (3, 10))
        columns = {"a": 0.5 + lead + noise[0], "b": 0.5 + lead + noise[1], "majority": 0.5 + noise[2]}
        frames.append(folds(columns, f"d{i}"))
    return read_scores(pd.concat(frames), measure="accuracy", resampling="10-fold").verdict()


def parts(*notices: tuple[Notice, ...]):
    return [(f"d{i}", Finding((), Table((), ()), "t", notices=own)) for i, own in enumerate(notices)]


class TestNotBetterThanTrivial:
    def test_on_one_of_three_it_is_no_headline(self):
        found = verdict(0.3, 0.25, 0.0)
        assert found.sentence.startswith("On none of these 3 data sets does one method beat all others")
        (notice,) = (n for n in found.notices if n.guard == "no_better_than_trivial")
        assert notice.severity == "doubt"
        assert notice.sentence == f"on d2 no method is shown to do better than majority ({ANSWER})"
        assert any(s.startswith("On d2 no method is shown") for s in found.finding.sentences[1:])
        assert len(found.notices) == len({n.sentence for n in found.notices})

    def test_on_two_of_three(self):
        found = verdict(0.0, 0.25, 0.0)
        assert any(s.startswith("On d0 and d2 no method is shown to do better") for s in found.finding.sentences[1:])

    def test_on_all_it_comes_first_and_once(self):
        found = verdict(0.0, 0.0)
        first = f"On none of these 2 data sets is a method shown to do better than majority ({ANSWER})."
        assert found.finding.sentences[0] == first
        assert sum(n.guard == "no_better_than_trivial" for n in found.notices) == 1

    def test_on_none(self):
        assert not any(n.guard == "no_better_than_trivial" for n in verdict(0.3, 0.25).notices)


class TestOtherNotices:
    def test_each_names_its_data_set(self):
        odd = Notice("the difference is the same on every split", "warning")
        assert [n.sentence for n in notices_of_parts(parts((odd,), ()))] == [f"on d0: {odd.sentence}"]

    def test_what_holds_on_all_is_said_once(self):
        odd = Notice("this is about fixed models", "doubt")
        assert list(notices_of_parts(parts((odd,), (odd,)))) == [odd]
