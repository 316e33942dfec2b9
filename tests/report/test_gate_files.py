"""The files of a gate: a summary in Markdown and JUnit XML, also with odd names."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.report import gate_junit, gate_summary, write_junit, write_summary
from fairtrial.report.gate_files import STEP_SUMMARY
from fairtrial.results import read_scores
from fairtrial.verdict import gate_of
from fairtrial.verdict.claims.difference import AgainstControl

ODD = "a<b>&\"c' | *d*\x1b[31m"


@pytest.fixture(scope="module")
def decided():
    """A verdict and its gate: one method fails (with an odd name), one passes, one is open."""
    random = np.random.default_rng(4)
    old = random.uniform(0.6, 0.9, 20)
    noise = random.normal(0, 0.004, (20, 3))
    wild = old + 10 * (noise[:, 2] - noise[:, 2].mean())
    columns = {"old": old, ODD: old - 0.05 + noise[:, 0], "good": old + 0.05 + noise[:, 1], "wild": wild}
    frame = pd.DataFrame({"dataset": [f"set-{chr(97 + i)}" for i in range(20)], **columns})
    verdict = read_scores(frame, measure="accuracy").verdict(control="old", smallest_difference=0.01)
    return verdict, gate_of(verdict, "worse")


class TestJunit:
    """Elements, their order and required attributes are those of JUnit.xsd of Windy Road (github.com/windyroad)."""

    def test_a_case_for_each_comparison(self, decided):
        root = ElementTree.fromstring(gate_junit(*decided))
        assert root.tag == "testsuites"
        (suite,) = root
        cases = suite.findall("testcase")
        counts = {name: int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")}
        assert counts == {"tests": 3, "failures": 1, "errors": 0, "skipped": 1}
        assert [[child.tag for child in case] for case in cases] == [["failure"], [], ["skipped"]]
        assert cases[1].attrib["name"] == "good: not worse than old"
        assert "is open (difference in accuracy" in cases[2][0].attrib["message"]

    def test_what_the_schema_requires(self, decided):
        (suite,) = ElementTree.fromstring(gate_junit(*decided))
        assert [child.tag for child in suite] == ["properties", *["testcase"] * 3, "system-out", "system-err"]
        required = {"name", "timestamp", "hostname", "tests", "failures", "errors", "time", "package", "id"}
        assert set(suite.attrib) == required | {"skipped"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.attrib["timestamp"])
        assert suite.attrib["hostname"] == "localhost"
        for case in suite.findall("testcase"):
            assert set(case.attrib) == {"name", "classname", "time"}
        assert set(suite.find("testcase/failure").attrib) == {"message", "type"}

    def test_odd_names_are_escaped(self, decided):
        name = ElementTree.fromstring(gate_junit(*decided)).find("testsuite/testcase").attrib["name"]
        assert name == ODD.replace("\x1b", r"\x1b") + ": not worse than old"

    def test_in_a_file(self, decided, tmp_path):
        write_junit(tmp_path / "gate.xml", *decided)
        assert (tmp_path / "gate.xml").read_bytes().startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>')
        assert ElementTree.parse(tmp_path / "gate.xml").getroot().tag == "testsuites"


class TestSummary:
    def test_gate_answer_and_table(self, decided):
        verdict, gate = decided
        lines = gate_summary(verdict, gate).splitlines()
        assert lines[0] == "# Gate failed (fail if worse than old)"
        assert lines[2].startswith("**Gate failed: ")
        assert sum(line.startswith("| good | passed | good is better than old |") for line in lines) == 1
        assert any(
            line.startswith("In accuracy on data sets such as these 20, good is typically better") for line in lines
        )
        assert sum(line.startswith("| good |") for line in lines) == 2
        assert r"a\<b\>\&" in lines[2]

    def test_without_a_gate(self, decided):
        lines = gate_summary(decided[0]).splitlines()
        assert lines[0] == "# fairtrial: accuracy"
        assert not any("Gate" in line for line in lines)

    def test_it_replaces_a_file_but_is_appended_to_the_summary_of_a_step(self, decided, tmp_path, monkeypatch):
        file = tmp_path / "summary.md"
        for _ in range(2):
            write_summary(file, *decided)
        assert file.read_text(encoding="utf-8").count("# Gate failed") == 1
        monkeypatch.setenv(STEP_SUMMARY, str(file))
        write_summary(file, *decided)
        assert file.read_text(encoding="utf-8").count("# Gate failed") == 2

    def test_a_folder_that_is_not_there(self, decided, tmp_path, monkeypatch):
        file = tmp_path / "nowhere" / "summary.md"
        with pytest.raises(InputError, match="can't be written"):
            write_summary(file, *decided)
        monkeypatch.setenv(STEP_SUMMARY, str(file))
        with pytest.raises(InputError, match="can't be appended"):
            write_summary(file, *decided)


class TestPassedThoughWorse:
    """A method that is worse by less than what matters passes, and no text of the gate reads like a failure."""

    @pytest.fixture
    def passed(self):
        random = np.random.default_rng(1)
        main = random.uniform(0.6, 0.9, 30)
        columns = {"main": main, "pr": main - 0.004 + random.normal(0, 0.003, 30)}
        frame = pd.DataFrame({"dataset": [f"set-{i}" for i in range(30)], **columns})
        verdict = read_scores(frame, measure="accuracy").verdict(control="main", smallest_difference=0.01)
        return verdict, gate_of(verdict, "worse")

    def test_no_p_of_another_question(self, passed):
        assert str(passed[1]) == (
            "Gate passed: pr is worse than main, but by less than the 0.01 that matters "
            "(difference in accuracy −0.004 [−0.005, −0.003])."
        )

    def test_summary(self, passed):
        lines = gate_summary(*passed).splitlines()
        assert lines[0] == "# Gate passed (not worse than main by 0.01 or more)"
        assert "accuracy: not worse than main by 0.01 or more" in lines
        assert passed[0].answer in lines

    def test_junit(self, passed):
        text = ElementTree.fromstring(gate_junit(*passed)).find("testsuite/system-out").text
        assert text.startswith("Gate passed: ")
        assert text.endswith(passed[0].answer)
        assert passed[0].finding.of_kind(AgainstControl)[0].worse_is_small
