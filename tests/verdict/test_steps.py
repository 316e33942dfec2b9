"""What a long verdict is doing is shown on a terminal and in a notebook, and only there."""

from __future__ import annotations

import io
import sys
import time

import pandas as pd

from fairtrial.results import read_scores
from fairtrial.verdict import progress
from fairtrial.verdict.progress import shown_steps, step


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal_of(monkeypatch, patience=0.0):
    """A terminal that shows steps after so many seconds; no fixture, since pytest sets stderr before each test."""
    monkeypatch.setattr(progress, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    return sys.stderr


def wait_for(terminal, text):
    deadline = time.monotonic() + 10
    while text not in terminal.getvalue() and time.monotonic() < deadline:
        time.sleep(0.01)
    return text in terminal.getvalue()


def test_steps_are_shown_one_after_the_other_and_markup_is_text(monkeypatch):
    terminal = terminal_of(monkeypatch)
    with shown_steps():
        step("comparing [red]a[/red]")
        assert wait_for(terminal, "comparing [red]a[/red] …")
        with shown_steps():
            step("the next")
        assert wait_for(terminal, "the next …")
    before = terminal.getvalue()
    step("outside")
    assert terminal.getvalue() == before


def test_what_is_quick_shows_nothing(monkeypatch):
    terminal = terminal_of(monkeypatch, patience=1000.0)
    with shown_steps():
        step("soon done")
    assert terminal.getvalue() == ""


def test_a_pipe_shows_nothing(monkeypatch, capsys):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with shown_steps():
        step("for nobody")
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_in_a_notebook_the_last_text_says_that_it_is_done(monkeypatch):
    texts = []
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "in_notebook", lambda: True)
    monkeypatch.setattr(progress.LiveText, "show", lambda _, text: texts.append(text))
    with shown_steps():
        step("comparing")
        deadline = time.monotonic() + 10
        while not texts and time.monotonic() < deadline:
            time.sleep(0.01)
        step("leaving out")
    assert texts[-2] == "leaving out …"
    assert texts[-1].startswith("done in ")


def test_a_verdict_says_what_it_does(monkeypatch):
    said = []
    for room in ("designs.over_datasets", "judge"):
        monkeypatch.setattr(sys.modules[f"fairtrial.verdict.{room}"], "step", said.append)
    rows = [{"dataset": f"d{i}", "method": m, "auc": 0.7 + 0.01 * i + 0.02 * j * (i % 3), "status": "ok"}
            for i in range(8) for j, m in enumerate("abc")]  # fmt: skip
    rows[4] |= {"auc": float("nan"), "status": "timeout"}
    read_scores(pd.DataFrame(rows), measure="auc").verdict(failures="worst")
    assert said[:3] == [
        "looking at the scores",
        "comparing 3 methods on 8 data sets",
        "leaving out each of 8 data sets",
    ]
    assert said[3].endswith("the same with the failure policy 'baseline'")
    assert said[4].endswith("the same with the failure policy 'drop'")
    assert said[5] == "comparing 3 methods on 7 data sets"
    assert "leaving" not in " ".join(said[3:])
