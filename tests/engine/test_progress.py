"""How far a run is, as a bar or as lines: what is counted and what is said."""

import io

from fairtrial.engine.progress import Lines, progress_for
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
