"""The notebooks of examples/, executed in a real kernel: what a person sees below their cells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fairtrial

nbformat = pytest.importorskip("nbformat")
client = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOKS = Path(__file__).parents[1] / "examples" / "notebooks"
NAMES = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))

FRESH = """
plan = study.plan()
fresh = study.run(plan=plan.only(plan.owners < 3), workers=0, progress=False)
place = ["dataset", "method", "repeat", "fold", "measure"]
stale = results.scores.merge(fresh.scores, on=place, suffixes=("", "_fresh"))
stale = stale[stale.measure == "accuracy"]
assert len(stale) == 60  # 3 data sets, 4 methods, 5 folds
assert (stale.value == stale.value_fresh).all(), stale[stale.value != stale.value_fresh]
"""


def read(name):
    return nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)


def run(notebook, folder, monkeypatch):
    """Execute a notebook in a folder of its own, without the settings of whoever runs the tests."""
    monkeypatch.setenv("PYTHONPATH", str(Path(fairtrial.__file__).parents[1]))
    for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(variable, str(folder / "settings"))
    client.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return [(cell.source, cell.outputs) for cell in notebook.cells if cell.cell_type == "code"]


def texts(outputs):
    """All that a person could be shown: the text of each output in each format."""
    return [str(text) for output in outputs for text in output.get("data", {}).values()]


def live_lines(outputs):
    """The lines of runs; a slow machine also has one of a verdict."""
    found = [o.data["text/plain"] for o in outputs if o.output_type == "display_data"]
    return [line for line in found if not line.startswith("done in ")]


@pytest.mark.parametrize("name", NAMES)
def test_is_kept_without_outputs(name):
    cells = [cell for cell in read(name).cells if cell.cell_type == "code"]
    assert cells
    assert not any(cell.outputs or cell.execution_count for cell in cells)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_runs_and_shows_what_it_should(name, tmp_path, monkeypatch):
    notebook = read(name)
    if name == "own_method":
        notebook.cells.append(nbformat.v4.new_code_cell(FRESH))
    cells = run(notebook, tmp_path, monkeypatch)
    for source, outputs in cells:
        assert not [o.text for o in outputs if o.output_type == "stream"], "nothing is printed, and no red box"
        for text in texts(outputs):
            assert "object at 0x" not in text
            assert "<Figure" not in text
            assert "WordedFigure" not in text
        last = source.splitlines()[-1]
        if ".figure(" in last:
            assert [sorted(o.data) for o in outputs] == [["image/png", "text/html", "text/plain"]], "one picture, once"
            assert len(re.search('<img alt="([^"]*)"', outputs[0].data["text/html"])[1]) > 20
        elif last in ("study.plan()", "results.verdict()", "verdict", "study", "results"):
            assert '<div class="fairtrial">' in outputs[-1].data["text/html"]
        live = live_lines(outputs)
        assert len(live) == len(re.findall(r"\.run\((?!plan=)", source)), "one line for each run"
        assert all(" trials" in text and ": done in " in text and "\n" not in text for text in live)
    if name == "own_method":
        lines = [line for _, outputs in cells for line in live_lines(outputs)]
        assert "done before" not in lines[0]
        assert "140 trials · own_method.trial; 70 done before" in lines[1], "the trials of bayes and the yardstick"
