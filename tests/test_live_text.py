"""Text below a notebook's cell: one output, replaced in place, escaped; only where there is a kernel."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest

from fairtrial.live_text import LiveText, in_notebook


class Cell:
    """An output area: what is shown, and how often it was replaced."""

    def __init__(self) -> None:
        self.outputs: list[dict[str, str]] = []

    def display(self, output, *, raw, display_id):
        assert raw
        assert display_id is True
        self.outputs.append(output)
        return self

    def update(self, output, *, raw):
        assert raw
        self.outputs[-1] = output


@pytest.fixture
def cell(monkeypatch):
    cell, kernel = Cell(), SimpleNamespace(kernel=object())
    display = SimpleNamespace(display=cell.display)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: kernel, display=display))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return cell


def test_one_output_is_replaced_and_escaped(cell):
    live = LiveText()
    live.show("1 of 3")
    live.show("note: <b>\n3 of 3\x1b[31m")
    (output,) = cell.outputs
    assert output["text/plain"] == "note: <b>\n3 of 3\\x1b[31m"
    assert output["text/html"].endswith('anywhere">note: &lt;b&gt;\n3 of 3\\x1b[31m</pre>')


def test_it_is_due_at_first_and_after_a_while(cell, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("fairtrial.live_text.time.monotonic", lambda: now[0])
    live = LiveText()
    assert live.is_due
    live.show("a")
    now[0] = 100.2
    assert not live.is_due
    now[0] = 100.31
    assert live.is_due


class TestInNotebook:
    def test_with_a_kernel(self, cell):
        assert in_notebook()

    def test_ipython_on_a_terminal_and_no_shell_at_all(self, monkeypatch):
        for shell in (SimpleNamespace(), None):
            monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda shell=shell: shell))
            assert not in_notebook()

    def test_a_script_does_not_import_ipython(self):
        code = "import sys; from fairtrial.live_text import in_notebook; print(in_notebook(), 'IPython' in sys.modules)"
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert found.stdout.strip() == "False False"
