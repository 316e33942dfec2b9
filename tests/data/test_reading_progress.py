"""Progress of reading: on a terminal or in a notebook only, and only where it takes a while."""

from __future__ import annotations

import io
import sys

from fairtrial.data import delimited
from fairtrial.data.delimited import watched


class Terminal(io.StringIO):
    def isatty(self):
        return True


def read_in(terminal, monkeypatch, patience):
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(delimited, "PATIENCE", patience)
    with watched(b"abc" * 1000, "scores.csv") as source:
        return b"".join(iter(lambda: source.read(1000), b""))


def test_a_bar_names_the_file(monkeypatch):
    terminal = Terminal()
    assert read_in(terminal, monkeypatch, -1) == b"abc" * 1000
    assert "reading scores.csv" in terminal.getvalue()


def test_nothing_is_shown_at_once_or_in_a_pipe(monkeypatch):
    for stream, patience in ((Terminal(), 60), (io.StringIO(), -1)):
        assert read_in(stream, monkeypatch, patience) == b"abc" * 1000
        assert stream.getvalue() == ""


def test_a_line_of_a_notebook_ends_with_what_was_read(monkeypatch):
    texts = []

    class Live:
        is_due = True
        show = staticmethod(texts.append)

    monkeypatch.setattr(delimited, "in_notebook", lambda: True)
    monkeypatch.setattr(delimited, "LiveText", Live)
    assert read_in(io.StringIO(), monkeypatch, -1) == b"abc" * 1000
    assert texts[1] == "reading scores.csv: 33 % of 0.0 MB"
    assert texts[-1] == "scores.csv: 0.0 MB read"
    before = len(texts)
    assert read_in(io.StringIO(), monkeypatch, 60) == b"abc" * 1000
    assert len(texts) == before
