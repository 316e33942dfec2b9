"""The examples for a class: a student's learning curves under noise, and a teacher's comparison of three methods."""

import re
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"

pytestmark = pytest.mark.slow


@pytest.fixture
def run_quicker(capsys, monkeypatch, tmp_path):
    """What an example prints when it does less, in this process: with each of these texts replaced."""
    monkeypatch.chdir(tmp_path)

    def run(name, less):
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        for more, fewer in {**less, '.trial")': '.trial", workers=0, progress=False)'}.items():
            assert more in text
            text = text.replace(more, fewer)
        (tmp_path / name).write_text(text, encoding="utf-8")
        runpy.run_path(str(tmp_path / name), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_student_curves(run_quicker, tmp_path):
    less = {'"5-fold"': '"2-fold"', "[20, 60, 150, 400]": "[20, 150]", "[0, 0.1, 0.2, 0.3]": "[0, 0.3]"}
    printed = run_quicker("student_curves.py", {**less, "=400": "=150"})
    assert printed.count("has the highest mean accuracy") == 3
    assert "Means from 20 to 150: " in printed
    assert (tmp_path / "student_curves.png").stat().st_size > 20_000


def test_teacher(run_quicker, tmp_path):
    printed = run_quicker("teacher.py", {'"3x5-fold"': '"2x3-fold"', "Classifier(20)": "Classifier(5)"})
    assert "repeat 1 of 2 is tested" in printed
    assert "forest is fitted on all 214 rows of glass. Its expected accuracy on new rows is the one that 2×3" in printed
    assert re.search(r"^A new pane is predicted to be \w+", printed, re.MULTILINE)
    assert (tmp_path / "teacher_confusion.png").stat().st_size > 20_000
