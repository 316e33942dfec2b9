"""The tutorial, typed as it stands: each command prints what the page says (numbers aside)."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"
BLOCK = re.compile(r"```(sh|text|toml|python)\n(.*?)```", re.DOTALL)


def words(text):
    """The text without numbers and typography."""
    return re.findall(r"[A-Za-zčš]{3,}", text)


def blocks():
    """The kind, the text, and the sentence before each block."""
    page = PAGE.read_text(encoding="utf-8")
    return [
        (found[1], found[2], page[: found.start()].rstrip().rpartition("\n\n")[2]) for found in BLOCK.finditer(page)
    ]


def typed(line, folder):
    """What a command prints, without progress."""
    command = re.sub(r"^fairtrial", f"{sys.executable} -m fairtrial.cli", line)
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_tutorial_prints_what_it_says(tmp_path):
    printed, checked, made = "", 0, 0
    for kind, text, before in blocks():
        if kind == "toml":
            (tmp_path / re.findall(r"`(\w+\.toml)`", before)[-1]).write_text(text, encoding="utf-8")
            made += 1
        elif kind == "sh":
            lines = [line for line in text.splitlines() if line.startswith("fairtrial ")]
            assert lines
            printed = "".join([typed(line, tmp_path) for line in lines])
        elif kind == "text":
            shown = words(text.partition("\n…")[0])
            assert " ".join(shown) in " ".join(words(printed))
            checked += 1
        else:
            (tmp_path / "same.py").write_text(text, encoding="utf-8")
            assert "boosting and logistic are better than tree" in typed(f"{sys.executable} same.py", tmp_path)
    assert (checked, made) == (7, 2)
    for name in ("credit.html", "seven.html", "scores.tex", "verdict.json", "credit-folds.png"):
        assert (tmp_path / name).stat().st_size > 1000
