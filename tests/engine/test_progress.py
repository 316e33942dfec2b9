"""How far a run is, as a bar or as lines: what is counted and what is said."""

import io

from fairtrial.engine import progress
from fairtrial.engine.progress import CellLine, Lines, progress_for
from fairtrial.store import Record


class TestProgress:
    def test_plain_lines_where_there_is_no_terminal(self):
        stream = io.StringIO()
        shown = progress_for(True, stream)
        assert isinstance(shown, Lines)
        shown.start(10, 2, "1 data set × 1 method")
        shown.record(Record(b"k", "failed", "ValueError: no\ntrace"), "svm on sonar")
        shown.record(Record(b"l", "ok"), "svm on sonar")
        shown.stop()
        first, last = stream.getvalue().splitlines()
        assert first == "  1 data set × 1 method; 2 done before"
        assert "4/10" in last
        assert "1 failed (svm on sonar: ValueError: no)" in last

    def test_counts_what_is_run_again_once(self):
        stream = io.StringIO()
        shown = Lines(stream)
        shown.start(3, 0, "a study")
        for status in ("ok", "failed", "failed"):
            shown.record(Record(b"", status, "ValueError: no"), "m on d")
        shown.again(2, "retry 1 of 2")
        for status in ("ok", "failed"):
            shown.record(Record(b"", status, "ValueError: no"), "m on d")
        shown.stop()
        _, before, after = stream.getvalue().splitlines()
        assert before.startswith("  3/3 ")
        assert before.endswith("2 failed (m on d: ValueError: no); retry 1 of 2, for 2 failed trials")
        assert after.startswith("  3/3 ")
        assert after.endswith("1 failed (m on d: ValueError: no)  retry 1 of 2")

    def test_nothing_where_it_is_not_wanted(self, capsys):
        shown = progress_for(False)
        shown.start(total=3, already=0, headline="a study")
        shown.record(Record(b"k", "ok"), "m on d")
        shown.again(1, "retry 1 of 1")
        shown.say("hello")
        shown.tick()
        shown.stop()
        assert capsys.readouterr() == ("", "")


class Live:
    """All texts of an output area, the last of which is left."""

    is_due = True

    def __init__(self):
        self.texts = []

    def show(self, text):
        self.texts.append(text)


class TestCellLine:
    def start(self, monkeypatch):
        monkeypatch.setattr(progress, "in_notebook", lambda: True)
        monkeypatch.setattr(progress, "LiveText", Live)
        shown = progress_for(True)
        assert isinstance(shown, CellLine)
        shown.say("note: before the run")
        shown.start(3, 1, "1 data set × 3 methods = 3 trials", ["labor is small"])
        return shown

    def test_one_line_below_the_notes(self, monkeypatch):
        shown = self.start(monkeypatch)
        shown.record(Record(b"k", "failed", "ValueError: no\ntrace"), "svm on sonar")
        shown.tick()
        shown.say("note: method svm has changed a setting")
        shown.record(Record(b"l", "ok"), "svm on sonar")
        shown.stop()
        *_, running, said, last = shown.live.texts
        assert running.splitlines()[2].startswith("1 data set × 3 methods = 3 trials; 1 done before: 2/3  "), (
            "the notes of before and of the start stand above"
        )
        assert said.splitlines()[2:] == ["note: method svm has changed a setting", running.splitlines()[2]]
        notes, line = last.splitlines()[:-1], last.splitlines()[-1]
        assert notes == ["note: before the run", "note: labor is small", "note: method svm has changed a setting"]
        assert line.startswith("1 data set × 3 methods = 3 trials; 1 done before: done in ")
        assert line.endswith(", 1 failed (svm on sonar: ValueError: no)")

    def test_a_run_that_was_stopped_says_where(self, monkeypatch):
        shown = self.start(monkeypatch)
        shown.record(Record(b"l", "ok"), "svm on sonar")
        shown.stop()
        assert ": stopped at 2 after " in shown.live.texts[-1]
