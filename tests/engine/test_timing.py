"""One trial at a time, in an order that favours no method, and the order that is stored is the one that was."""

from itertools import pairwise

import bad_methods
import numpy as np
import pytest

import fairtrial as ft
from fairtrial.engine import run
from fairtrial.errors import InputError, UnknownName


def study(**changes: object) -> ft.Study:
    methods = {"slow": bad_methods.Slow(0.03), "slower": bad_methods.Slow(0.06), "quick": bad_methods.Majority(1)}
    options: dict = {"datasets": ["labor"], "methods": methods, "resampling": "5-fold", "timing": "exclusive"}
    return ft.Study(**{**options, **changes})


def stretches(file: object) -> list[tuple[int, float, float]]:
    """Planned place, begin and end of each trial, in the order in which they began."""
    query = "SELECT position, begun, begun + fit_time + predict_time FROM trial ORDER BY begun"
    return file.query(query)


class TestExclusive:
    @pytest.mark.slow
    @pytest.mark.parametrize("workers", [None, 0])
    def test_one_at_a_time_in_the_order_of_the_plan(self, workers):
        found = stretches(run(study(), None, workers=workers, progress=False))
        assert [position for position, _, _ in found] == list(range(20))
        assert all(end <= begun + 0.005 for (_, _, end), (_, begun, _) in pairwise(found))

    def test_several_workers_are_refused(self, tmp_path):
        refusal = (
            r"timing='exclusive' runs one trial at a time, which Processes\(workers=4\) can't keep; run with workers=1"
        )
        with pytest.raises(InputError, match=refusal):
            study().run(tmp_path / "a.trial", workers=4)
        assert not (tmp_path / "a.trial").exists()

    def test_a_timing_that_is_none(self):
        with pytest.raises(UnknownName, match="no timing is called 'exclusiv'; did you mean 'exclusive'"):
            study(timing="exclusiv")

    def test_is_kept_with_the_study_and_changes_no_trial(self):
        exclusive, shared = study(), study(timing="shared")
        assert exclusive.to_dict()["timing"] == "exclusive"
        assert [t.key for t in exclusive.plan().trials()] == [t.key for t in shared.plan().trials()]


class TestOrder:
    def test_no_method_has_a_favourite_place(self):
        """Places inside the blocks, over 1,000 of them: uniform, by a chi-square test of 3 × 3 counts."""
        from scipy.stats import chisquare

        plan = study(resampling="200x5-fold", methods=["majority", "one_rule", "uniform"]).plan()
        assert np.array_equal(plan.split, np.repeat(np.arange(1000), 3))  # block after block
        places = plan.method.reshape(1000, 3)
        assert np.array_equal(np.sort(places, axis=1), np.tile([0, 1, 2], (1000, 1)))
        counts = np.array([np.bincount(places[:, place], minlength=3) for place in range(3)])
        assert chisquare(counts.ravel(), ddof=4).pvalue > 0.001
        follows = np.bincount(places[:, 0] * 3 + places[:, 1], minlength=9).reshape(3, 3)
        assert chisquare(follows[~np.eye(3, dtype=bool)]).pvalue > 0.001  # nor a favourite to come after

    @pytest.mark.slow
    def test_what_is_stored_is_when_trials_began(self):
        """With two workers two trials run at a time, and never three: so a test of exclusive runs can fail."""
        found = stretches(run(study(timing="shared", resampling="4x5-fold"), None, workers=2, progress=False))
        begun = [b for _, b, _ in found]
        assert len(set(begun)) == len(found) == 80
        together = [sum(b <= now < e for _, b, e in found) for now in begun]
        assert max(together) == 2  # never more at a time than there are workers
