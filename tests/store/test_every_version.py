"""Study files of every version that is read, and those from before the first release, which are not."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import bad_methods
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.design import Study
from fairtrial.errors import StudyFileError
from fairtrial.results import read_study
from fairtrial.store import StudyFile, check_file, merge_studies
from fairtrial.store.schema import VERSION

pytestmark = pytest.mark.slow

FILES = Path(__file__).parent / "files"


class TestVersion5:
    """The first version that stays: written before rooms and modules were moved, and still the same trials."""

    @pytest.fixture
    def path(self, tmp_path):
        return Path(shutil.copy(FILES / "version5.trial", tmp_path / "fifth.trial"))

    def test_it_is_whole_and_read_without_a_note(self, path):
        found = check_file(path)
        assert (found.is_whole, found.rows["trial"]) == (True, 40)
        results = read_study(path)
        assert not any("file" in note for note in results.notes)
        assert results.verdict().answer == "On none of these 2 data sets is a method shown to be the best in accuracy."

    def test_no_trial_has_another_key_today(self, path):
        methods = {
            "majority": "majority",
            "bayes": GaussianNB(),
            "rule": "one_rule",
            "tuned": ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}, inner="2-fold"),
            "raises": bad_methods.Raises(every=2),
        }
        study = Study(datasets=["iris", "labor"], methods=methods, resampling="2-fold", replicates=2)
        with StudyFile(path) as file:
            before = file.query("SELECT key, attempts FROM trial ORDER BY key")
        study.run(path, workers=0, progress=False)
        with StudyFile(path) as file:
            assert file.query("SELECT key, attempts FROM trial ORDER BY key") == before

    def test_it_goes_on_with_training_scores_of_new_trials_only(self, path):
        methods = {"bayes": GaussianNB(), "rule": "one_rule"}
        parts = {"datasets": ["iris", "labor"], "methods": methods, "replicates": 2, "measures": ["accuracy"]}
        study = Study(resampling="2x2-fold", training_scores=True, **parts)
        results = study.run(path, workers=0, progress=False, accept_versions=True)
        assert set(results.training_scores["repeat"]) == {1}
        assert len(results.training_scores) == 16
        assert len(results.scores) == 32

    def test_its_tables_are_those_of_a_new_file(self, path, tmp_path):
        StudyFile(tmp_path / "new.trial", write=True).close()
        assert columns(path) == columns(tmp_path / "new.trial")

    def test_is_merged_with_a_file_of_today(self, path, tmp_path):
        tree = {"tree": DecisionTreeClassifier(max_depth=2)}
        today = Study(datasets=["iris", "labor"], methods=tree, resampling="2-fold", replicates=2)
        today.run(tmp_path / "new.trial", workers=0, progress=False)
        merge_studies([path, tmp_path / "new.trial"], tmp_path / "both.trial", accept_versions=True)
        assert {"tree", "bayes"} < set(read_study(tmp_path / "both.trial").method_names())
        assert check_file(tmp_path / "both.trial").is_whole


NEWER = """
import sys
from fairtrial import check_file, read_study
from fairtrial.store import StudyFile
from fairtrial.store.schema import VERSION
path = sys.argv[1]
results = read_study(path)
assert VERSION == 6 and results.source.trials["energy"].isna().all()
digest = results.source.content
with open(path, "rb") as file:
    assert file.read() == open(sys.argv[2], "rb").read(), "reading must not change a file"
StudyFile(path, write=True).close()
assert check_file(path).is_whole
print(digest, read_study(path).source.content, results.verdict().answer)
"""


def test_a_later_version_reads_this_one_and_adds_its_columns_when_it_writes(tmp_path):
    package = shutil.copytree(
        Path(ft.__file__).parent, tmp_path / "later" / "fairtrial", ignore=shutil.ignore_patterns("__pycache__")
    )
    records = package / "store" / "records.py"
    last = '    StoredColumn("model_size", "REAL", "bytes"),\n'
    text = records.read_text(encoding="utf-8")
    assert last in text
    records.write_text(text.replace(last, f'{last}    StoredColumn("energy", "REAL", "joules", since=6),\n'))
    path = Path(shutil.copy(FILES / "version5.trial", tmp_path / "old.trial"))
    command = [sys.executable, "-c", NEWER, path, FILES / "version5.trial"]
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    before, after, answer = found.stdout.strip().split(" ", 2)
    assert before == after == read_study(FILES / "version5.trial").source.content
    assert answer == "On none of these 2 data sets is a method shown to be the best in accuracy."
    with pytest.raises(StudyFileError, match=r"made by a newer fairtrial \(file version 6, ours 5\); update"):
        read_study(path)


@pytest.mark.parametrize("version", range(1, VERSION))
def test_a_file_from_before_the_first_release_is_refused_and_stays(tmp_path, version):
    path = Path(shutil.copy(FILES / "version5.trial", tmp_path / "old.trial"))
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(StudyFileError, match=rf"file version {version}.*run the study again"):
        read_study(path)
    with pytest.raises(StudyFileError, match="run the study again"):
        StudyFile(path, write=True)
    assert path.read_bytes() == before


def columns(path):
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: list(db.execute(f"PRAGMA table_info({name})")) for name in names}
