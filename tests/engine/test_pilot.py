"""The pilot: one trial of each data set and method, performed and not kept."""

import importlib

import bad_methods
import pytest
from engine_runs import small_study
from sklearn.naive_bayes import GaussianNB

from fairtrial.engine import pilot

pilot_of_settings = importlib.import_module("fairtrial.engine.pilot")


@pytest.mark.slow
class TestPilot:
    def test_the_first_trial_of_each_pair_is_timed(self):
        methods = {"slow": bad_methods.Slow(0.3), "bayes": GaussianNB()}
        plan = small_study(methods=methods, resampling="5-fold").plan()
        seconds = pilot(plan).seconds
        assert seconds.keys() == {(d, m, 0) for d in range(2) for m in range(3)}  # with the yardstick
        assert all(0.3 <= seconds[d, 0, 0] < 3 for d in range(2))
        assert all(0 < seconds[d, 1, 0] < 0.3 for d in range(2))

    def test_a_trial_that_fails_counts_as_nothing_and_one_that_is_stopped_as_its_limit(self):
        methods = {"raises": bad_methods.Raises(every=1), "hangs": bad_methods.Hangs(every=1)}
        plan = small_study(datasets=["labor"], methods=methods, time_limit=1.0).plan()
        seconds = pilot(plan).seconds
        assert seconds[0, 0, 0] == 0
        assert seconds[0, 1, 0] == 1.0

    def test_the_plan_tells_the_cost(self):
        study = small_study(datasets=["labor"], methods={"slow": bad_methods.Slow(0.2), "bayes": GaussianNB()})
        assert "most of it for slow" in study.plan(pilot=True).cost()

    def test_each_setting_is_timed(self):
        methods = {"slow": bad_methods.Slow(0.1), "bayes": GaussianNB()}
        study = small_study(datasets=["labor"], methods=methods, factors={"slow.seconds": [0.01, 0.4]})
        plan = study.plan(pilot=True)
        times = {plan.levels[v].get("slow.seconds"): s for (_, m, v), s in plan.seconds.items() if m == 0}
        assert times.keys() == {0.01, 0.4}
        assert 0.4 <= times[0.4] < 2
        assert 0.01 <= times[0.01] < 0.3
        assert "the dearest trials are those of slow (seconds 0.4) on labor" in plan.cost()

    def test_of_many_settings_some_are_timed_and_the_others_predicted(self, monkeypatch):
        ran = []
        run = pilot_of_settings._run
        monkeypatch.setattr(pilot_of_settings, "_run", lambda plan, trials: run(plan, ran.append(trials) or trials))
        levels = [1e-3 * n for n in range(1, 41)]
        study = small_study(datasets=["labor"], methods={"bayes": GaussianNB()}, factors={"var_smoothing": levels})
        seconds = pilot(study.plan()).seconds
        assert len(ran[0]) == 32 + 1  # and the yardstick
        assert len(seconds) == 40 + 1
        assert all(s > 0 for s in seconds.values())
