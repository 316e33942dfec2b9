"""Reading verdict.json: what is not a verdict is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.verdict.verdict_file import read_verdict, recorded_verdict

SCORES = pd.DataFrame({"dataset": list("abcdefg"), "x": [0.9, 0.8, 0.7, 0.8, 0.9, 0.7, 0.8], "y": [0.5] * 7})


@pytest.fixture(scope="module")
def whole():
    return json.loads(ft.read_scores(SCORES, measure="accuracy").verdict(control="y").render("json"))


class TestReadVerdict:
    def test_the_parts_from_which_it_is_made_again(self, whole, tmp_path):
        (tmp_path / "verdict.json").write_text(json.dumps(whole), encoding="utf-8")
        found = read_verdict(tmp_path / "verdict.json")
        assert (found.options["control"], found.stated.measure, found.several) == ("y", "accuracy", False)

    @pytest.mark.parametrize(
        ("change", "why"),
        [
            ({"stated": 3}, "stated must be a mapping"),
            ({"stated": {"level": 7}}, "level must lie strictly between 0 and 1"),
            ({"stated": {"nonsense": 7}}, "nonsense"),
            ({"stated": {"yardsticks": {"human": "/etc/passwd"}}}, "not the path of a file"),
            ({"options": {"level": "high"}}, "options.level must be a number"),
            ({"options": {"failures": "hide"}}, "options.failures must be one of"),
            ({"options": {"family": {"a": [1]}}}, r"options.family.a\[0\] must be text"),
            ({"options": {"shell": "rm"}}, "options has unknown names: shell"),
            ({"source": {"kind": "pickle", "name": "x"}}, "source.kind must be one of"),
            ({"source": {"kind": "study"}}, "source.name is missing"),
            ({"versions": {"numpy": 2}}, "versions.numpy must be text"),
            ({"scores": {"a": 0.5}}, "scores.a must be a mapping"),
            ({"factors": {}}, "levels is missing"),
        ],
    )
    def test_says_what_is_wrong(self, whole, change, why):
        with pytest.raises(InputError, match=why):
            recorded_verdict(json.dumps({**whole, **change}))

    @pytest.mark.parametrize(
        "text",
        ["", "[]", "3", '{"answer": ', "[" * 100_000, '{"content": NaN}', "\x00", '{"a": ' * 50_000, "{}", "9" * 5000],
    )
    def test_hostile_text_is_refused_in_one_line(self, text):
        with pytest.raises(InputError, match=r"must be a verdict as JSON") as error:
            recorded_verdict(text)
        assert len(str(error.value)) < 500
        assert "\n" not in str(error.value)

    def test_files_that_are_none(self, tmp_path):
        with pytest.raises(InputError, match="can't be read"):
            read_verdict(tmp_path / "missing.json")
        with pytest.raises(InputError, match="can't be read"):
            read_verdict(tmp_path)
        (tmp_path / "latin.json").write_bytes(b'{"a": "\xff"}')
        with pytest.raises(InputError, match="UTF-8"):
            read_verdict(tmp_path / "latin.json")

    def test_a_study_file_gets_the_right_command(self):
        study = Path(__file__).parents[1] / "store" / "files" / "version5.trial"
        with pytest.raises(InputError, match=r"is a study file, not a verdict; `fairtrial check .*compare .* --format"):
            read_verdict(study)

    @pytest.mark.parametrize("depth", [100, 160, 300, 900, 990])
    def test_nesting_that_json_can_just_read(self, whole, depth):
        text = json.dumps({**whole, "new": 0})[:-2] + "[" * depth + "]" * depth + "}"
        if depth == 100:
            assert recorded_verdict(text).whole["new"]
        else:
            with pytest.raises(InputError, match="nested too deeply"):
                recorded_verdict(text)

    @pytest.mark.parametrize("name", ["../../etc/passwd", "..", "", "/", "a DataFrame", r"C:\..\.."])
    def test_a_name_never_leads_to_another_folder(self, whole, name):
        found = recorded_verdict(json.dumps({**whole, "source": {"kind": "study", "name": name}}))
        assert "/" not in found.file_name
        assert found.file_name in ("", "passwd")
