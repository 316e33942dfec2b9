"""Checks of whole files: what is whole is said to be, and what is damaged is named."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from store_studies import TREE, record, refused
from study_changes import change

from fairtrial.errors import StudyFileError
from fairtrial.store import StudyFile, check_file

FILES = Path(__file__).parent / "files"


def alter(path, sql, *values):
    """Change rows behind fairtrial's back."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql, values)


@pytest.fixture
def path(ran):
    return Path(ran("a"))


class TestCheckFile:
    def test_a_whole_file(self, path):
        before, seen = path.read_bytes(), []
        found = check_file(path, lambda done, total: seen.append((done, total)))
        assert (found.is_whole, found.rows["trial"], found.rows["array"]) == (True, 6, 12)
        assert str(found) == (
            f"{path} is whole: 6 trials, 12 arrays, 1 data set, 2 methods, 3 splits, 1 session, 0 verdicts."
        )
        assert seen == [(6, 6)]
        assert path.read_bytes() == before

    def test_trials_that_were_not_run_are_not_counted_as_done(self, file, plan):
        file.begin_session()
        file.append([record(trial.key) for trial in list(plan.trials())[:3]])
        assert " is whole: 8 trials (3 of them done), 3 arrays" in str(check_file(file.path))

    def test_a_table_is_no_damaged_study(self, tmp_path):
        (tmp_path / "scores.csv").write_text("dataset,a\niris,0.9\n")
        with pytest.raises(StudyFileError, match=r"scores\.csv is no study file \(\.trial\); it is for `fairtrial co"):
            check_file(tmp_path / "scores.csv")

    @pytest.mark.parametrize(
        ("sql", "words"),
        [
            ("UPDATE trial SET seal = NULL WHERE id = 3", "row 3 of its table 'trial'"),
            ("UPDATE array SET data = zeroblob(length(data)) WHERE trial = 3 AND channel = 'label'",
             "'label' in its table 'array' (of the trial of bayes on iris, repeat 0, fold 1, replicate 0) is not what"),
            ("DELETE FROM array WHERE trial = 1 AND channel = 'probability'", "lacks its probability"),
            ("UPDATE array SET trial = 99 WHERE trial = 1", "refers to a trial that is not there"),
            ("UPDATE trial SET n_train = 7 WHERE id = 2", "row 2 of its table 'trial'"),
            ("DELETE FROM session", "row 1 of its table 'trial'"),
        ],
    )  # fmt: skip
    def test_a_damaged_one_names_the_row(self, path, sql, words):
        alter(path, sql)
        found = check_file(path)
        assert not found.is_whole
        assert words in str(found)
        assert str(found).startswith(f"{path} is damaged: ")
        assert str(found).endswith("Take a copy of the file that is whole.")

    def test_all_that_is_damaged_is_listed_up_to_a_limit(self, path):
        alter(path, "UPDATE trial SET fit_time = fit_time + 1 WHERE id IN (2, 5)")
        assert [f"row {n} of its table 'trial'" in str(check_file(path)) for n in range(1, 7)] == [
            False, True, False, False, True, False,
        ]  # fmt: skip

    @pytest.mark.parametrize("column", ["definition", "levels"])
    def test_json_is_read(self, path, column):
        table = "study" if column == "definition" else "trial"
        change(path, f"UPDATE {table} SET {column} = '{{'")
        assert f"does not hold the {column} of row 1 of its table '{table}'" in str(check_file(path))

    def test_pages_that_no_row_is_on(self, path):
        data = bytearray(path.read_bytes())
        data[36:40] = (3).to_bytes(4, "big")  # the number of free pages
        path.write_bytes(data)
        assert "is damaged: its pages (" in str(check_file(path))

    def test_what_can_not_be_opened_is_damaged_and_what_is_not_there_an_error(self, tmp_path):
        (tmp_path / "a.trial").write_bytes(b"no database" * 200)
        assert "it is no database" in str(check_file(tmp_path / "a.trial"))
        with pytest.raises(StudyFileError, match="is not a file; give a study file"):
            check_file(tmp_path / "b.trial")

    def test_a_file_without_a_study_or_with_trials_to_come(self, tmp_path, plan):
        path = tmp_path / "a.trial"
        StudyFile(path, write=True).close()
        assert check_file(path).is_whole
        with StudyFile(path, write=True) as file:
            file.register(plan)
            assert check_file(path).rows["trial"] == 8  # while somebody writes it

    def test_a_read_only_file_in_a_read_only_folder(self, path):
        path.chmod(0o444)
        path.parent.chmod(0o555)
        try:
            assert check_file(path).is_whole
        finally:
            path.parent.chmod(0o755)


def test_merging_refuses_a_damaged_file_and_says_which_row(ran, into):
    a, b = ran("a"), ran("b", methods=TREE)
    alter(b, "UPDATE array SET data = zeroblob(length(data)) WHERE trial = 3 AND channel = 'label'")
    words = r"b\.trial is damaged .*'label' in its table 'array' \(of the trial of tree on iris, repeat 0, fold 1"
    refused([a, b], into, words)
    shutil.copy(a, into.with_name("c.trial"))
