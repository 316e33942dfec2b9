"""Isolation: what one method leaves behind reaches no other, whatever the order, the workers and the executor are."""

import gc
import sys

import bad_methods
import leaky_methods
import pytest
from dask_runs import on
from engine_runs import numbers, quick, small_study
from leaky_methods import Leaks, Notices
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from fairtrial.engine.isolation.between_methods import LEFT_BEHIND, Changes, Isolation, left_behind
from fairtrial.engine.progress import Lines
from fairtrial.store import Record

INNOCENT = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(),
    "logistic": LogisticRegression(),
    "notices": Notices(every=1),
}


def with_innocent(leaks: dict, resampling: str = "2-fold"):
    return small_study(datasets=["labor"], methods={**leaks, **INNOCENT}, resampling=resampling)


def notes(file) -> dict:
    """The notes on what trials left behind, by method, with the number of trials."""
    found: dict = {}
    names = dict(file.query("SELECT t.key, m.name FROM trial t JOIN method m ON m.id = t.method"))
    for record in file.read():
        for text in left_behind(record.warnings):
            place = (names[record.key], text)
            found[place] = found.get(place, 0) + 1
    return found


@pytest.fixture(scope="module")
def quiet() -> dict:
    """The numbers of the methods that leave nothing behind, alone, by resampling."""
    made = {r: numbers(quick(with_innocent({}, r), None, 0)) for r in ("2-fold", "5x4-fold")}
    assert {status for found in made.values() for status, *_ in found.values()} == {"ok"}
    return made


def alike(file, quiet: dict) -> bool:
    found = numbers(file)
    return {key: found[key] for key in quiet} == quiet


class TestIsolation:
    @pytest.mark.slow
    def test_in_this_process_all_is_put_back(self, quiet):
        patches = leaky_methods.PATCHES | leaky_methods.DEEP_PATCHES
        file = quick(with_innocent({what: Leaks(what) for what in ("state", *patches)}), None, 0)
        assert alike(file, quiet["2-fold"])
        expected = {(what, f"changed {what}; it was put back"): 2 for what in patches}
        assert notes(file) == expected

    @pytest.mark.slow
    def test_in_a_worker_where_short_trials_are_looked_after_together(self, quiet, tmp_path):
        leaks = {"state": Leaks("state", every=4), "argmax": Leaks("numpy.argmax", every=9)}
        file = quick(with_innocent(leaks, "5x4-fold"), tmp_path / "leaks.trial", 1)
        assert alike(file, quiet["5x4-fold"])
        ((place, trials),) = notes(file).items()
        assert place == ("argmax", "changed numpy.argmax; its worker process was replaced")
        assert 0 < trials < 20

    @pytest.mark.slow
    def test_a_class_of_the_study_that_a_fit_changes(self, quiet, tmp_path):
        what = "sklearn.tree._classes.DecisionTreeClassifier.fit"
        file = quick(with_innocent({"logs": Leaks(what)}), tmp_path / "logs.trial", 1)
        assert alike(file, quiet["2-fold"])
        assert notes(file) == {("logs", f"changed {what}; its worker process was replaced"): 2}

    @pytest.mark.slow
    def test_streams_that_were_closed_are_whole_again(self, tmp_path):
        methods = {"wraps": leaky_methods.Wraps(every=1), "talks": bad_methods.Talks(every=1)}
        study = small_study(datasets=["labor"], methods=methods, resampling="4-fold")
        file = quick(study, tmp_path / "wraps.trial", 1)
        assert {r.status for r in file.read()} == {"ok"}
        assert sum("hello from python" in (r.output or "") for r in file.read()) == 4

    def test_streams_of_the_caller_too(self, capfd):
        study = small_study(datasets=["labor"], methods={"wraps": leaky_methods.Wraps(every=1)})
        streams = sys.stdout, sys.stderr
        quick(study, None, 0)
        gc.collect()
        print("still open")
        assert (sys.stdout, sys.stderr, capfd.readouterr().out) == (*streams, "still open\n")

    @pytest.mark.slow
    def test_on_a_cluster(self, quiet, client):
        file = on(client, with_innocent({"state": Leaks("state"), "argmax": Leaks("numpy.argmax")}))
        assert alike(file, quiet["2-fold"])
        assert notes(file) == {("argmax", "changed numpy.argmax; its worker process was replaced"): 2}

    def test_what_loading_a_method_changes_belongs_to_its_trials(self, monkeypatch):
        monkeypatch.delenv("LEFT", raising=False)
        isolation, environment = Isolation(), leaky_methods.os.environ
        leaky_methods.STATE["environment"]()
        own = isolation.own_state()
        assert "LEFT" not in environment
        own.set()
        assert environment["LEFT"] == "behind"
        assert isolation.undo() == Changes(state=("environment",))
        assert "LEFT" not in environment


class TestChanges:
    def test_a_note_only_on_what_may_last(self):
        record = Record(b"key", "ok", warnings=(("UserWarning: careful", 3),))
        assert Changes(state=("environment",)).noted(record, "so") is record
        noted = Changes(("limits",), ("limits",), ("numpy.pi",)).noted(record, "so")
        assert noted.warnings[1:] == ((f"{LEFT_BEHIND}changed limits and numpy.pi; so", 1),)
        assert left_behind(noted.warnings) == ["changed limits and numpy.pi; so"]

    @pytest.mark.slow
    def test_the_run_says_it_once_for_each_method(self, monkeypatch):
        said: list[str] = []
        monkeypatch.setattr(Lines, "say", lambda _, text: said.append(text))
        leaky = {"patches": Leaks("numpy.pi"), **INNOCENT}
        from fairtrial.engine import run

        run(small_study(datasets=["labor"], methods=leaky), None, workers=0)
        told = [text for text in said if "patches" in text]
        assert told == ["note: method patches changed numpy.pi; it was put back"]
