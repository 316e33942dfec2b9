"""What is looked at before a run begins, and how it is shown."""

import bad_methods
import pytest
from engine_runs import small_study

import fairtrial as ft
from fairtrial.engine import run
from fairtrial.engine.run import ComingRun
from fairtrial.notices import all_guards, look


def found(run: ComingRun) -> dict[str, str]:
    return {notice.guard: notice.text for notice in look("run", run)}


class TestGuards:
    def test_are_registered(self):
        names = {g.name for g in all_guards() if g.stage == "run"}
        assert {"no_difference_can_show", "limits_not_kept", "failed_before"} <= names

    def test_nothing_to_say(self):
        assert found(ComingRun(small_study(time_limit=1.0).plan(), ft.Processes(1))) == {}


class TestLimits:
    def test_both(self):
        coming = ComingRun(small_study(time_limit=1.0, memory_limit="1 GB").plan(), ft.Serial())
        text = (
            "time_limit and memory_limit are not kept by Serial(); run in worker processes (workers=1 or more) to keep"
        )
        assert found(coming)["limits_not_kept"].startswith(text)
        (notice,) = look("run", coming)
        assert (notice.stage, dict(notice.evidence)) == ("run", {"time_limit": 1.0, "memory_limit": 1_000_000_000})

    def test_one(self):
        text = found(ComingRun(small_study(time_limit=1.0).plan(), ft.Serial()))["limits_not_kept"]
        assert text.startswith("time_limit is not kept by Serial()")

    def test_none(self):
        assert found(ComingRun(small_study().plan(), ft.Serial())) == {}


class TestHeader:
    @pytest.mark.slow
    def test_notices_stand_above_the_progress(self, tmp_path, capsys, recwarn):
        methods = {"bad": bad_methods.Raises(every=1)}
        study = small_study(datasets=["labor"], methods=methods, time_limit=9.0, resampling="2-fold")
        run(study, tmp_path / "a.trial", workers=0)
        first = capsys.readouterr().err
        assert "\n  note: time_limit is not kept by Serial(); " in first
        assert "failed before" not in first
        larger = small_study(datasets=["labor"], methods=methods, resampling="2x2-fold")
        run(larger, tmp_path / "a.trial", workers=0)
        again = capsys.readouterr().err
        assert "; 4 done before\n  note: 2 trials failed before; --retry-failed (retry_failed=True) runs them" in again
        run(larger, tmp_path / "a.trial", workers=0, retry_failed=True)
        assert "failed before" not in capsys.readouterr().err
        assert not [w for w in recwarn if "limit" in str(w.message)]  # notes are shown, never warned

    @pytest.mark.parametrize("n", [6, 7])
    def test_too_few_data_sets(self, n):
        names = ["iris", "labor", "wine", "vote", "glass", "ionosphere", "pima-diabetes"][:n]
        plan = small_study(datasets=names, resampling="2-fold").plan()
        text = found(ComingRun(plan, ft.Serial())).get("no_difference_can_show", "")
        assert ("no difference between two methods over data sets, since with 6 data sets" in text) == (n == 6)
