"""The example of a gate in continuous integration does what its page says."""

from __future__ import annotations

import re
import runpy
import shlex
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from fairtrial.cli import cli

EXAMPLE = Path(__file__).parents[1] / "examples" / "ci_gate"
PAGE = (EXAMPLE / "README.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"^\$ fairtrial (.+)\n(.+)$", PAGE, flags=re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copy(EXAMPLE / "auc.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("number", "code"), [(0, 0), (1, 10), (2, 11)])
def test_the_page_shows_what_is_printed(folder, number, code):
    assert len(SESSIONS) == 3
    command, shown = SESSIONS[number]
    done = CliRunner().invoke(cli, shlex.split(command))
    assert (done.exit_code, done.output.splitlines()[0]) == (code, shown)


def test_the_command_of_the_workflow(folder, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "step.md"))
    (text,) = re.findall(r"run: >-\n((?: {10}.+\n)+)", (EXAMPLE / "workflow.yml").read_text(encoding="utf-8"))
    words = shlex.split(text.replace("$GITHUB_STEP_SUMMARY", str(folder / "step.md")))
    done = CliRunner().invoke(cli, words[1:])
    assert done.exit_code == 0, done.output
    assert (folder / "step.md").read_text(encoding="utf-8").startswith("# Gate passed (not worse than released")
    assert len(ElementTree.parse(folder / "gate.xml").findall("testsuite/testcase")) == 1


def test_the_test_of_the_example():
    made = runpy.run_path(str(EXAMPLE / "test_auc.py"))
    made["test_the_candidate_is_not_worse"]()
    with pytest.raises(AssertionError, match="without_scaling is worse than released"):
        made["assert_not_worse"](made["RESULTS"], control="released", delta=0.01)
