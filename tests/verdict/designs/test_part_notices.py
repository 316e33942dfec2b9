"""Notices of data sets that are judged singly: each says where it holds, and only what holds everywhere comes first."""

from __future__ import annotations

import numpy as np
import pandas as pd
from made_scores import folds

from fairtrial.measures import get
from fairtrial.notices import Notice
from fairtrial.results import read_scores
from fairtrial.tables import Table
from fairtrial.verdict.designs.each_dataset import notices_of_parts
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.wording import Scope, Wording

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
    return [(f"d{i}", Finding(own, Table((), ()), Scope(Wording(get("accuracy"))))) for i, own in enumerate(notices)]


def first_of_the_page(found):
    return " ".join(str(found).split("\n\n")[0].split("\nOn none of these")[0].split())


class TestNotBetterThanTrivial:
    def test_on_one_of_three_it_is_no_headline(self):
        found = verdict(0.3, 0.25, 0.0)
        assert first_of_the_page(found) == found.answer
        (notice,) = (n for n in found.notices if n.guard == "no_better_than_trivial")
        assert notice.severity == "doubt"
        assert notice.sentence.startswith(
            f"on d2 no method is shown to do better than majority ({ANSWER}): b − majority"
        )
        assert notice.evidence["datasets"] == ["d2"]
        assert len(found.notices) == len({n.sentence for n in found.notices})

    def test_on_two_of_three(self):
        found = verdict(0.0, 0.25, 0.0)
        (notice,) = (n for n in found.notices if n.guard == "no_better_than_trivial")
        assert (notice.severity, notice.evidence["datasets"]) == ("doubt", ["d0", "d2"])

    def test_on_all_it_comes_first_and_once(self):
        found = verdict(0.0, 0.0)
        (notice,) = (n for n in found.notices if n.guard == "no_better_than_trivial")
        assert (notice.severity, notice.evidence["datasets"]) == ("grave", ["d0", "d1"])
        first = f"On none of these 2 data sets is a method shown to do better than majority ({ANSWER})."
        assert first_of_the_page(found) == first

    def test_on_none(self):
        assert not any(n.guard == "no_better_than_trivial" for n in verdict(0.3, 0.25).notices)


class TestOtherNotices:
    def test_each_names_its_data_set(self):
        odd = Notice("the difference is the same on every split", "warning")
        assert [n.sentence for n in notices_of_parts(parts((odd,), ()))] == [f"on d0: {odd.sentence}"]

    def test_what_holds_on_all_is_said_once(self):
        odd = Notice("this is about fixed models", "doubt")
        assert list(notices_of_parts(parts((odd,), (odd,)))) == [odd]
