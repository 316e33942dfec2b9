"""A recorded verdict is made again from its file, and compared."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from study_changes import change as change_rows

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.results import read_study
from fairtrial.store import Packed, StudyFile, anonymous_copy
from fairtrial.verdict.verify import verify

OLD = Path(__file__).parents[1] / "store" / "files"
SETS = ["iris", "labor", "glass", "vote", "breast-cancer", "ionosphere"]


@pytest.fixture(scope="module")
def run_once(tmp_path_factory):
    """A study file over six data sets."""
    path = tmp_path_factory.mktemp("verified") / "study.trial"
    methods = {"bayes": GaussianNB(), "rule": "one_rule", "majority": "majority"}
    study = ft.Study(datasets=SETS, methods=methods, resampling="2-fold", measures=["accuracy", "auc"])
    study.run(path, workers=0, progress=False)
    return path


@pytest.fixture
def path(run_once, tmp_path):
    return Path(shutil.copy(run_once, tmp_path / "study.trial"))


@pytest.fixture
def table(tmp_path):
    random = np.random.default_rng(3)
    base = random.uniform(0.6, 0.8, 9)
    frame = pd.DataFrame({"dataset": list("abcdefghi"), "tree": base, "forest": base + random.normal(0.05, 0.02, 9)})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    return tmp_path / "scores.csv"


def record(verdict, folder) -> Path:
    (folder / "verdict.json").write_text(verdict.render("json"), encoding="utf-8")
    return folder / "verdict.json"


PLAIN: dict[bytes, str] = {}
"""The verdict on a table without options, by what the table holds: many tests change the same one."""


def record_plain(table) -> Path:
    content = table.read_bytes()
    if content not in PLAIN:
        PLAIN[content] = ft.read_scores(table, measure="accuracy").verdict().render("json")
    (table.parent / "verdict.json").write_text(PLAIN[content], encoding="utf-8")
    return table.parent / "verdict.json"


def change(path, **changes) -> Path:
    whole = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**whole, **changes}), encoding="utf-8")
    return path


class TestStudyFiles:
    @pytest.mark.slow
    def test_after_the_run(self, path):
        found = verify(record(read_study(path).verdict(), path.parent))
        assert found.agrees
        assert found.is_exact
        assert str(found) == (
            "verdict.json is confirmed: all numbers and sentences are the same, under the same versions."
        )

    @pytest.mark.slow
    def test_of_copies(self, path, tmp_path):
        recorded = record(read_study(path).verdict(control="rule", smallest_difference=0.02), tmp_path)
        shutil.copy(path, tmp_path / "copy.trial")
        anonymous_copy(StudyFile(path), tmp_path / "anonymous.trial")
        assert verify(recorded, tmp_path / "copy.trial").agrees
        assert verify(recorded, tmp_path / "anonymous.trial").agrees

    def test_other_verdicts_that_were_asked_change_nothing_and_verifying_leaves_no_trace(self, path):
        recorded = record(read_study(path).verdict("auc", level=0.9), path.parent)
        read_study(path).verdict("average_recall", control="rule")
        before = path.read_bytes()
        assert verify(recorded).agrees
        assert path.read_bytes() == before

    def test_a_verdict_on_fewer_trials_is_one_more_entry_of_the_log_only(self, path):
        entry = "('2026-01-01T00:00:00', 3, '{}', '', 0)"
        change_rows(path, f"INSERT INTO verdict (made, trials, question, sentence, seal) VALUES {entry}")
        verdict = read_study(path).verdict()
        assert any(n.guard == "optional_stopping" for n in verdict.notices)
        assert verify(record(verdict, path.parent)).agrees

    def test_a_changed_prediction_is_detected_and_named(self, path):
        recorded = record(read_study(path).verdict(), path.parent)
        with StudyFile(path) as file:
            (trial,) = file.query(
                "SELECT t.id FROM trial t JOIN dataset d ON d.id = t.dataset JOIN method m ON m.id = t.method "
                "WHERE d.name = 'labor' AND m.name = 'bayes' ORDER BY t.id LIMIT 1"
            )[0]
            labels = file.arrays(trial)["label"].unpack()
        new = Packed.of(1 - labels)
        sql = "UPDATE array SET dtype = ?, data = ? WHERE trial = ? AND channel = 'label'"
        change_rows(path, sql, new.dtype, new.data, trial)
        found = verify(recorded)
        assert not found.agrees
        assert [d.place for d in found.differences[:2]] == ["content", "scores.labor.bayes"]
        assert "scores.labor.bayes" in str(found)
        assert "differs from what its file gives now" in str(found)

    def test_what_no_number_of_the_verdict_depends_on_is_content_too(self, path):
        recorded = record(read_study(path).verdict(control="rule"), path.parent)
        change_rows(path, "UPDATE trial SET fit_time = 2 * fit_time WHERE id = 1")
        assert [d.place for d in verify(recorded).differences] == ["content"]

    @pytest.mark.parametrize("name", ["version5.trial"])
    def test_of_a_file_of_an_older_version(self, name, tmp_path):
        path = Path(shutil.copy(OLD / name, tmp_path / name))
        results = read_study(path)
        verdict = results.verdicts() if results.factors else results.verdict()
        assert verify(record(verdict, tmp_path)).agrees

    def test_of_a_part(self, path):
        part = read_study(path).only(methods=["rule", "bayes"], datasets=SETS[1:])
        recorded = path.with_name("verdict.json")
        recorded.write_text(part.verdict().render("json"), encoding="utf-8")
        assert verify(recorded, path).agrees
        changed = {**json.loads(recorded.read_text(encoding="utf-8"))}
        changed["source"]["part"]["datasets"] = SETS
        recorded.write_text(json.dumps(changed), encoding="utf-8")
        assert not verify(recorded, path).agrees

    @pytest.mark.slow
    def test_of_verdicts_at_several_levels(self, tmp_path):
        study = ft.Study(
            datasets=["iris"], methods={"bayes": GaussianNB(), "rule": "one_rule"}, resampling="2-fold",
            factors={"label_noise": [0, 0.2], "train_size": [40, 60]},
        )  # fmt: skip
        results = study.run(tmp_path / "levels.trial", workers=0, progress=False)
        assert verify(record(results.verdicts(control="rule"), tmp_path)).agrees
        recorded = record(results.at(train_size=40).verdicts(), tmp_path)
        assert verify(recorded).agrees
        whole = json.loads(recorded.read_text(encoding="utf-8"))
        whole["levels"][1]["scores"]["iris"]["bayes"] += 1e-6
        found = verify(change(recorded, levels=whole["levels"]))
        assert [d.place for d in found.differences] == ["levels[1].scores.iris.bayes"]
        assert verify(record(results.at(train_size=40, label_noise=0.2).verdict(), tmp_path)).agrees

    def test_a_question_that_python_replaced(self, path, tmp_path):
        from dataclasses import replace

        asked = ft.Question(measure="accuracy", yardsticks={"human": 0.99}, claim=None, level=0.9)
        results = replace(read_study(path), question=asked)
        assert verify(record(results.verdict(), tmp_path)).agrees


class TestTables:
    def test_scores_from_a_file(self, table):
        results = ft.read_scores(table, measure="accuracy", baseline="tree")
        recorded = record(results.verdict(control="tree", smallest_difference=0.01, adjust="holm"), table.parent)
        assert verify(recorded).agrees
        frame = pd.read_csv(table)
        frame[::-1][["forest", "dataset", "tree"]].to_csv(table, index=False)
        assert "content" not in {d.place for d in verify(recorded, table).differences}  # rows in another order

    def test_a_changed_score_is_named(self, table):
        recorded = record_plain(table)
        frame = pd.read_csv(table)
        frame.loc[4, "forest"] += 1e-9
        frame.to_csv(table, index=False)
        found = verify(recorded)
        assert [d.place for d in found.differences[:2]] == ["content", "scores.e.forest"]

    def test_a_measure_that_is_named_by_the_verdict(self, table):
        assert verify(record(ft.read_scores(table).verdict("auc"), table.parent)).agrees

    def test_predictions(self, fixed_models, tmp_path):
        fixed_models.to_csv(tmp_path / "predictions.csv", index=False)
        results = ft.read_predictions(tmp_path / "predictions.csv", truth="y")
        recorded = record(results.verdict(), tmp_path)
        assert verify(recorded).agrees
        fixed_models.loc[0, "a"] = 1 - fixed_models.loc[0, "a"]
        fixed_models.to_csv(tmp_path / "predictions.csv", index=False)
        assert not verify(recorded).agrees

    def test_data_in_memory_need_the_results(self, fixed_models, tmp_path):
        results = ft.read_predictions(fixed_models, truth="y")
        recorded = record(results.verdict(), tmp_path)
        with pytest.raises(InputError, match="does not name its file"):
            verify(recorded)
        assert verify(recorded, results).agrees
        assert verify(results.verdict(), results).agrees


class TestTampering:
    @pytest.mark.parametrize(
        ("part", "value"),
        [
            ("answer", "tree has the highest accuracy."),
            ("winner", "tree"),
            ("statements", []),
            ("family", "pairs"),
            ("content", "0" * 32),
            ("failed_trials", 3),
            ("leads", None),
            ("new", "field"),
        ],
    )
    def test_is_found(self, table, part, value):
        recorded = record_plain(table)
        found = verify(change(recorded, **{part: value}))
        assert found.differences[0].place.startswith(part)
        assert found.to_dict()["agrees"] is False

    def test_options_that_do_not_fit_are_bad_input(self, table):
        recorded = record_plain(table)
        with pytest.raises(InputError, match="nobody"):
            verify(change(recorded, options={"control": "nobody"}))
        source = {"kind": "read_scores", "name": "scores.csv", "read": {"engine": "python"}}
        with pytest.raises(InputError, match=r"source\.read must have the options of read_scores"):
            verify(change(recorded, options={}, source=source))

    def test_a_file_that_is_missing(self, table):
        recorded = record_plain(table)
        table.unlink()
        with pytest.raises(InputError, match=r"scores\.csv, which .* was made from, is not beside it"):
            verify(recorded)
        with pytest.raises(InputError, match="must exist"):
            verify(recorded, table)


def another(recorded, package="numpy", **changes):
    """The outcome for a verdict that another version of a package is said to have made."""
    whole = json.loads(recorded.read_text(encoding="utf-8"))
    return verify(change(recorded, versions={**whole["versions"], package: "0.0"}, **changes))


@pytest.fixture
def forged(table):
    """A function that forges a place of a verdict."""

    def forge(*place, value):
        recorded = record_plain(table)
        whole = part = json.loads(recorded.read_text(encoding="utf-8"))
        for name in place[:-1]:
            part = part[name]
        part[place[-1]] = value
        return change(recorded, **whole)

    return forge


FORGERIES = [  # the place, what is put there, and whether it is sure to be no other wording of another fairtrial
    (("answer",), "tree has the highest accuracy.", False),
    (("statements", 0, "text"), "It typically beats forest by 0.2 (p < 0.001).", False),
    (("statements", 0, "p_value"), 1e-5, True),
    (("statements", 0, "method"), "tree", True),
    (("statements", 0, "lead", "estimate"), 0.2, True),
    (("statements", 1, "test"), "a better one", True),
    (("statements", 2, "text"), "all is well", False),
    (("statements", 2, "severity"), "fine", True),
    (("statements", 2, "evidence"), {"n": 3}, False),
    (("statements",), [], True),
    (("winner",), "tree", True),
    (("winner",), None, True),
    (("best",), ["tree"], True),
    (("order",), ["tree", "forest"], True),
    (("family",), "pairs", True),
    (("leads", "leads", 0, "interval", "high"), 0.01, True),
    (("leads", "leads", 0, "standing"), "winner", True),
    (("decisions", 0, "different"), False, True),
    (("comparisons", "outcomes", 0, "p_value"), 1e-5, True),
    (("comparisons", "outcomes", 0, "effect", "estimate"), 0.2, True),
    (("table", "rows", 0, "mean"), 0.99, True),
    (("table", "rows", 0, "method"), "tree", True),
    (("table", "rows", 0, "mark"), "worse", False),
    (("scores", "a", "tree"), 0.9, True),
    (("claim",), {"p_value": 0.001}, True),
]


class TestForgeries:
    """Whatever the versions that the file names, what is claimed is compared, or it is said that it can't be."""

    @pytest.mark.parametrize(("place", "value", "_"), FORGERIES)
    def test_same_versions(self, forged, place, value, _):
        assert verify(forged(*place, value=value)).differences[0].place.startswith(place[0])

    @pytest.mark.parametrize(("place", "value", "_"), FORGERIES)
    def test_another_version_of_a_library(self, forged, place, value, _):
        found = another(forged(*place, value=value))
        assert {d.place.partition(".")[0].partition("[")[0] for d in found.differences} == {place[0]}
        assert "differs from what its file gives now" in found.sentence

    @pytest.mark.parametrize(("place", "value", "is_sure"), FORGERIES)
    def test_another_fairtrial(self, forged, place, value, is_sure):
        found = another(forged(*place, value=value), "fairtrial")
        assert not found.agrees
        assert bool(found.differences) == is_sure
        assert {d.place.startswith(place[0]) for d in found.differences + found.unconfirmed} == {True}
        assert is_sure or "is confirmed in part: " in str(found)

    @pytest.mark.parametrize("part", ["answer", "winner", "table", "statements", "comparisons"])
    @pytest.mark.parametrize("package", ["numpy", "fairtrial"])
    def test_what_was_left_out(self, table, part, package):
        recorded = record_plain(table)
        whole = json.loads(recorded.read_text(encoding="utf-8"))
        del whole[part]
        recorded.write_text(json.dumps(whole), encoding="utf-8")
        found = another(recorded, package)
        assert not found.agrees
        assert (found.differences + found.unconfirmed)[0].recorded == "nothing"


class TestOtherVersions:
    def recorded(self, table):
        return record_plain(table)

    @pytest.mark.parametrize("package", ["numpy", "fairtrial"])
    def test_all_that_is_the_same_is_confirmed(self, table, package):
        found = another(self.recorded(table), package)
        assert found.agrees
        assert not found.is_exact
        assert "the decisions and sentences are the same" in found.sentence
        assert f"under other versions ({package} 0.0 → " in found.sentence

    def test_other_words_of_another_fairtrial_are_shown_beside_ours(self, table):
        now = ft.read_scores(table, measure="accuracy").verdict()
        found = another(self.recorded(table), "fairtrial", answer="in other words", why="in other words", new=1)
        assert (found.agrees, found.differences) == (False, ())
        assert [d.place for d in found.unconfirmed] == ["answer", "why", "new"]
        assert (
            "3 texts or parts can't be compared, since another fairtrial wrote it (fairtrial 0.0 → " in found.sentence
        )
        assert found.unconfirmed[0].computed == now.sentence
        assert [d["place"] for d in found.to_dict()["unconfirmed"]] == ["answer", "why", "new"]

    @pytest.mark.parametrize(("role", "is_sure"), [("check", False), ("next", False), ("answer", True)])
    def test_what_another_fairtrial_said_besides(self, table, role, is_sure):
        recorded = self.recorded(table)
        told = json.loads(recorded.read_text(encoding="utf-8"))["statements"]
        found = another(recorded, "fairtrial", statements=[{"kind": "New", "role": role, "size": 3}, *told])
        (place,) = [d.place for d in found.differences + found.unconfirmed]
        assert place == f"statements.{role}.New[0]"
        assert bool(found.differences) is is_sure

    def test_numbers_within_a_relative_error(self, table):
        recorded = self.recorded(table)
        scores = json.loads(recorded.read_text(encoding="utf-8"))["scores"]
        scores["a"]["tree"] *= 1 + 1e-12
        assert another(recorded, scores=scores).agrees
        scores["a"]["tree"] *= 1 + 1e-8
        assert [d.place for d in another(recorded, scores=scores).differences] == ["scores.a.tree"]


class TestVerification:
    def test_shows_five_differences_and_counts_the_others(self, table):
        recorded = record_plain(table)
        pd.read_csv(table).assign(forest=lambda f: f["forest"] + 0.1).to_csv(table, index=False)
        found = verify(recorded)
        assert len(found.to_table().rows) == 5
        assert f"and {len(found.differences) - 5} other differences" in str(found)
        assert str(found.differences[1]).startswith("scores.a.tree") or "recorded" in str(found.differences[1])


class TestUnits:
    def test_options_with_units(self, table, tmp_path):
        results = ft.read_scores(table, measure="accuracy")
        for given in ("0.5pp", "50pp", {"accuracy": "0.5pp", "fit_time": "10%"}):
            path = record(results.verdict(smallest_difference=given), tmp_path)
            assert json.loads(path.read_text(encoding="utf-8"))["options"]["smallest_difference"] == given
            assert verify(path).agrees

    def test_a_number_that_would_be_refused_now(self, table, tmp_path):
        path = record(ft.read_scores(table, measure="accuracy").verdict(smallest_difference="50pp"), tmp_path)
        options = json.loads(path.read_text(encoding="utf-8"))["options"]
        assert verify(change(path, options={**options, "smallest_difference": 0.5})).agrees
