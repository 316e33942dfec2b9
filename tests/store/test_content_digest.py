"""The digest of a study file's content: it stays with the content, and changes with it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from study_changes import change, seal_file

import fairtrial as ft
from fairtrial.results import read_study
from fairtrial.store import Packed, StudyFile, anonymous_copy, content_digest, digest_of_lines

VERSION_5 = Path(__file__).parent / "files" / "version5.trial"


def digest(path) -> str:
    with StudyFile(path) as file:
        return content_digest(
            file, [number for (number,) in file.query("SELECT id FROM trial WHERE status <> 'waiting'")]
        )


@pytest.fixture
def path(tmp_path):
    study = ft.Study(datasets=["iris", "labor"], methods=["majority", "one_rule"], resampling="2-fold")
    study.run(tmp_path / "study.trial", workers=0, progress=False)
    return tmp_path / "study.trial"


class TestContentDigest:
    def test_a_copy_an_anonymous_copy_and_other_rows_of_the_log_are_the_same_content(self, path, tmp_path):
        before = digest(path)
        shutil.copy(path, tmp_path / "copy.trial")
        anonymous_copy(StudyFile(path), tmp_path / "anonymous.trial")
        read_study(path).verdict("auc")
        assert {digest(path), digest(tmp_path / "copy.trial"), digest(tmp_path / "anonymous.trial")} == {before}

    def test_neither_the_order_of_rows_nor_compression_matters(self, path):
        before = digest(path)
        change(path, "UPDATE array SET trial = trial + 1000")
        change(path, "UPDATE trial SET id = 1100 - id")
        change(path, "UPDATE array SET trial = 1100 - (trial - 1000)")
        assert digest(path) == before
        import zlib

        with closing(sqlite3.connect(path)) as db, db:
            for trial, channel, dtype, data in db.execute("SELECT trial, channel, dtype, data FROM array").fetchall():
                kind, raw = Packed(dtype, (len(data) - 4,), data).dtype, data[:-4]
                if kind.startswith("raw "):
                    where = (kind.removeprefix("raw "), zlib.compress(raw), trial, channel)
                    db.execute("UPDATE array SET dtype = ?, data = ? WHERE trial = ? AND channel = ?", where)
        seal_file(path)
        assert digest(path) == before

    @pytest.mark.parametrize(
        "sql",
        [
            "UPDATE trial SET fit_time = fit_time + 1 WHERE id = 1",
            "UPDATE trial SET status = 'failed' WHERE id = 1",
            "UPDATE method SET name = 'other' WHERE id = 1",
            "DELETE FROM array WHERE trial = 1",
        ],
    )
    def test_other_content_is_another_digest(self, path, sql):
        before = digest(path)
        change(path, sql)
        change(path, "UPDATE trial SET channels = NULL WHERE id NOT IN (SELECT trial FROM array)")
        assert digest(path) != before

    def test_one_other_prediction_is_another_digest(self, path):
        before = digest(path)
        with StudyFile(path) as file:
            channel, packed = next(iter(file.arrays(1).items()))
        values = packed.unpack().copy()
        values.flat[0] = 1 - values.flat[0]
        new = Packed.of(values)
        sql = "UPDATE array SET dtype = ?, data = ? WHERE trial = 1 AND channel = ?"
        change(path, sql, new.dtype, new.data, channel)
        assert digest(path) != before

    def test_of_a_file_is_what_version_5_wrote(self):
        assert digest(VERSION_5) == "e7b6b01a1106c713a0ca820bc402955c"


class TestDigestOfLines:
    def test_lines_do_not_run_into_each_other(self):
        assert digest_of_lines(["ab", "c"]) != digest_of_lines(["a", "bc"])
        assert digest_of_lines(np.array(["b", "a"])) == digest_of_lines(["a", "b"])
