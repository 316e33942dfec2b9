"""Study files of strangers: nothing in them runs, however they are opened, and what is wrong is one sentence."""

import copy
import hashlib
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import bad_methods as bad
import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.naive_bayes import GaussianNB
from study_changes import change

import fairtrial as ft
from fairtrial.cli import cli
from fairtrial.errors import FairtrialError, StudyFileError
from fairtrial.results import read_study
from fairtrial.store import StudyFile, log_verdict, merge_studies, study_status

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


LOOPS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
EMPTIES = "DELETE FROM array; DELETE FROM trial; DELETE FROM study;"
VERDICT = """
DROP TABLE verdict;
CREATE TABLE verdict (id INTEGER PRIMARY KEY, made TEXT NOT NULL, trials INTEGER NOT NULL, question TEXT NOT NULL,
sentence TEXT NOT NULL {})
"""
DEMANDS = {  # what a stranger could have put into a file, in SQL
    "a trigger that empties the file": f"CREATE TRIGGER x AFTER INSERT ON verdict BEGIN {EMPTIES} END",
    "a trigger that loops": f"CREATE TRIGGER x BEFORE INSERT ON verdict BEGIN SELECT * FROM ({LOOPS}); END",
    "a trigger on trials": f"CREATE TRIGGER x AFTER UPDATE ON trial BEGIN {EMPTIES} END",
    "a view that loops": f"CREATE VIEW extra AS {LOOPS}",
    "a view in place of a table": f"DROP TABLE method; CREATE VIEW method AS SELECT i AS id, i AS name FROM ({LOOPS})",
    "a view that is called as a function": f"CREATE VIEW pragma_page_count AS {LOOPS}",
    "an index over an expression": "CREATE INDEX x ON trial (abs(id))",
    "a table of its own": "CREATE TABLE json_each (value)",
    "a column of its own": "ALTER TABLE trial ADD COLUMN extra TEXT",
    "a column that computes": "ALTER TABLE trial ADD COLUMN extra TEXT AS (hex(zeroblob(100000000)))",
    "a check": VERDICT.format("CHECK (length(hex(zeroblob(99999999))))"),
    "a default value that computes": VERDICT.format("DEFAULT (hex(zeroblob(9)))"),
    "a table that is missing": "DROP TABLE verdict",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study file that is done, with factors, warnings, a tuned method and failures in it."""
    path = tmp_path_factory.mktemp("whole") / "whole.trial"
    methods = {
        "bayes": ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}),
        "talks": bad.Talks(1),
        "raises": bad.Raises(2),
    }
    study = ft.Study(datasets=["labor"], methods=methods, resampling="2-fold", factors={"label_noise": [0, 0.1]})
    study.run(path, workers=1, progress=False).verdicts()
    return path


@pytest.fixture
def path(whole, tmp_path):
    return Path(shutil.copy(whole, tmp_path / "strange.trial"))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def alter(path, sql):
    db = sqlite3.connect(path)
    db.executescript(sql)
    db.close()


WAYS = {
    "read": lambda path: read_study(path),
    "write": lambda path: StudyFile(path, write=True),
    "log": lambda path: log_verdict(path, {}, "A is better."),
    "status": lambda path: str(study_status(StudyFile(path))),
    "merge": lambda path: merge_studies([path, path.with_name("other.trial")], path.with_name("both.trial")),
}


class TestSql:
    @pytest.mark.parametrize("way", WAYS)
    @pytest.mark.parametrize("demand", DEMANDS)
    def test_is_refused_at_once_and_the_file_stays_as_it_is(self, path, demand, way):
        shutil.copy(path, path.with_name("other.trial"))
        alter(path, DEMANDS[demand])
        before, began = digest(path), time.monotonic()
        if way == "log":
            assert WAYS[way](path) is None
        else:
            with pytest.raises(StudyFileError, match="is not a study file as fairtrial writes them: it"):
                WAYS[way](path)
        assert time.monotonic() - began < 1
        assert digest(path) == before
        assert {p.name for p in path.parent.iterdir()} == {"strange.trial", "other.trial"}

    @pytest.mark.parametrize("command", ["compare", "report", "status"])
    def test_the_command_line_says_so(self, path, command):
        alter(path, DEMANDS["a trigger that empties the file"])
        done = CliRunner().invoke(cli, [command, str(path)])
        assert isinstance(done.exception, StudyFileError)
        assert "it holds the trigger 'x'; nothing in it was run" in str(done.exception)

    def test_files_as_they_are_written_and_brought_up_are_accepted(self, path):
        files = Path(__file__).parent / "files"
        for old in ("version5.trial",):
            copied = Path(shutil.copy(files / old, path.parent / old))
            before = read_study(copied).scores
            StudyFile(copied, write=True).close()
            assert read_study(copied).scores.equals(before)
        before = read_study(path).scores
        alter(path, "VACUUM")
        assert read_study(path).scores.equals(before)


def bomb(megabytes: int = 2000) -> bytes:
    """Two megabytes that open to two gigabytes of zeros."""
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    part = stream.compress(bytes(10**6)) + stream.flush(zlib.Z_FULL_FLUSH)
    checksum = (10**6 * megabytes % 65521) << 16 | 1
    return b"\x78\xda" + part * megabytes + b"\x03\x00" + checksum.to_bytes(4, "big")


BOMBS = (
    "UPDATE array SET dtype = '<f8', data = ?",
    "UPDATE array SET dtype = '<f8', shape = '250000000', data = ?",
    "UPDATE dataset SET dtype = '<f8', truth = ?",
    "UPDATE dataset SET dtype = '<f8', shape = '250000000', truth = ?",
    "UPDATE dataset SET dtype = '<f8', shape = '250000000', facts = replace(facts, '57,', '250000000,'), truth = ?",
    "UPDATE split SET test = ?",
    "UPDATE split SET n_test = 500000000, test = ?",
)
OPENS = """
import resource, sys, time
import sklearn.metrics, pandas, fairtrial.verdict
from fairtrial.results import read_study
from fairtrial.errors import StudyFileError
most = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sys.argv[1:]:
    began, before = time.process_time(), most()
    try:
        read_study(path).at(label_noise=0).verdict("auc")
    except StudyFileError as error:
        print(error)
    print(time.process_time() - began < 1, most() - before < 100_000)
"""


class TestSizes:
    def test_what_would_be_gigabytes_is_not_unpacked(self, path):
        assert zlib.decompress(bomb(3)) == bytes(3 * 10**6)
        paths = [path.with_name(f"{i}.trial") for i in range(len(BOMBS))]
        for own, sql in zip(paths, BOMBS, strict=True):
            change(shutil.copy(path, own), sql, bomb())
        command = [sys.executable, "-c", OPENS, *map(str, paths)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        said, within = done.stdout.splitlines()[::2], done.stdout.splitlines()[1::2]
        assert all(text.startswith("an array in the study file is damaged (") for text in said), said
        assert within == ["True True"] * len(BOMBS)


PLACES = {  # JSON in a study file: table, column
    "definition": ("study", "definition"),
    "facts": ("dataset", "facts"),
    "versions": ("session", "versions"),
    "levels": ("trial", "levels"),
    "warnings": ("trial", "warnings"),
    "details": ("trial", "details"),
}
OTHERS = (None, True, -1, 1.5, "x", [], [1], {}, {"x": 1}, 10**30)
GONE = object()
EDITS = int(os.environ.get("FAIRTRIAL_EDITS", "8"))


def edits(value, place=()):
    """Each place in a JSON value, deepest first."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from edits(item, (*place, key))
        yield (*place, key)


def changed(value, place, new):
    made = copy.deepcopy(value)
    inner = made
    for key in place[:-1]:
        inner = inner[key]
    if new is GONE:
        del inner[place[-1]]
    else:
        inner[place[-1]] = new
    return made


def use(path: Path) -> None:
    """All that people do with a file of somebody's."""
    str(study_status(StudyFile(path)))
    results = read_study(path)
    str(results.verdicts())
    own = results.at(label_noise=0)
    own.verdict()
    own.report(path.with_name("report.html"))
    str(results.tuning_table())
    list(results.source.file.read())
    results.source.file.close()


class TestJson:
    @pytest.mark.parametrize("what", PLACES)
    def test_what_is_no_json(self, path, what):
        table, column = PLACES[what]
        for text in ("", "{", "nan", "[" * 100_000, "3"):
            change(path, f"UPDATE {table} SET {column} = ? WHERE {column} IS NOT NULL", text)
            with pytest.raises(StudyFileError, match="as a study file must"):
                use(path)

    @pytest.mark.parametrize("what", PLACES)
    def test_fields_that_are_missing_or_of_another_kind(self, path, what):
        """Read as it is, or one sentence; never something raw. A sample: FAIRTRIAL_EDITS=2000 tries all."""
        table, column = PLACES[what]
        db = sqlite3.connect(path)
        (text,) = db.execute(
            f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL ORDER BY {column} DESC"
        ).fetchone()
        db.close()
        value = json.loads(text)
        cases = [(place, new) for place in edits(value) for new in (GONE, *OTHERS)]
        random = np.random.default_rng(1)
        chosen = random.choice(len(cases), min(len(cases), EDITS), replace=False)
        refused = 0
        for place, new in (cases[i] for i in chosen):
            made = json.dumps(changed(value, place, new))
            change(path, f"UPDATE {table} SET {column} = ? WHERE {column} IS NOT NULL", made)
            try:
                use(path)
            except FairtrialError:
                refused += 1
            except Exception as error:
                raise AssertionError((what, place, new)) from error
        assert refused or EDITS < 20 or what == "details"  # which methods may fill as they like


COLUMNS = (
    "UPDATE trial SET split = 999",
    "UPDATE trial SET method = 'x'",
    "UPDATE trial SET dataset = 999 WHERE id = 1",
    "UPDATE trial SET session = 999",
    "UPDATE trial SET status = 'oc' WHERE id = 1",
    "UPDATE trial SET replicate = 'x'",
    "UPDATE trial SET n_train = 'ok'",
    "UPDATE trial SET fit_cpu = 'null'",
    "UPDATE trial SET error = x'ff00'",
    "UPDATE trial SET details = x'ff'",
    "UPDATE split SET fold = 'text'",
    "UPDATE split SET n_test = '99999999999999999999999'",
    "UPDATE split SET dataset = 'nan'",
    "UPDATE split SET repeat = -3",
    "UPDATE method SET name = x'ff00'",
    "UPDATE method SET name = CAST(x'ff00' AS TEXT)",
    "UPDATE dataset SET name = 3.5, facts = x'00'",
    "UPDATE session SET host = x'00'",
    "UPDATE verdict SET trials = '[]'",
    "DELETE FROM method",
    "DELETE FROM split",
    "DELETE FROM session",
)


class TestColumns:
    """SQLite takes a text where a number is declared, and rows that refer to nothing."""

    @pytest.mark.parametrize("sql", COLUMNS)
    def test_are_refused(self, path, sql):
        alter(path, sql)
        shutil.copy(path, path.with_name("other.trial"))
        for way in ("read", "status", "merge"):
            with pytest.raises(StudyFileError, match="is damaged"):
                WAYS[way](path)


class TestBeside:
    """What lies beside a file is a stranger's, too."""

    def journal(self, path, names):
        """A journal of SQLite that says that another file belongs to it, which SQLite then removes."""
        magic, name = bytes.fromhex("d9d505f920a163d7"), str(names).encode()
        pages = path.stat().st_size // 4096
        head = (magic + struct.pack(">IIIII", 0, 0, pages, 512, 4096)).ljust(512, b"\0")
        tail = struct.pack(">I", 0x40000000 // 4096 + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
        path.with_name(path.name + "-journal").write_bytes(head + tail)

    def test_a_journal_that_names_another_file(self, path, tmp_path):
        victim = tmp_path / "victim.txt"
        victim.write_text("any text")
        self.journal(path, victim)
        for way in ("read", "write", "status"):
            with pytest.raises(StudyFileError, match="names another file, which SQLite would remove"):
                WAYS[way](path)
        assert log_verdict(path, {}, "A is better.") is None
        assert victim.read_text() == "any text"

    @pytest.mark.parametrize("side", ["-journal", "-wal", "-shm", ".lock"])
    def test_a_link(self, path, tmp_path, side):
        victim = tmp_path / "victim.txt"
        victim.write_text("any text")
        path.with_name(path.name + side).symlink_to(victim)
        with pytest.raises(StudyFileError, match="must be a plain file of SQLite, but it is a link or a device"):
            StudyFile(path, write=True)
        assert log_verdict(path, {}, "A is better.") is None
        assert victim.read_text() == "any text"
