"""Seals of rows and tallies of tables: whatever is changed behind fairtrial's back is noticed, and named."""

import struct
from hashlib import blake2b

import pytest
from sklearn.naive_bayes import GaussianNB
from store_studies import record
from study_changes import seal_rows

from fairtrial.design import Study
from fairtrial.errors import StudyFileError
from fairtrial.store import StudyFile, check_rows
from fairtrial.store.checks.seals import counted, row_seal, seal, sealing
from fairtrial.store.schema import TABLES, TALLIED


def by_hand(*row) -> int:
    """The seal as docs/running.md describes it, without marshal."""
    while row[-1] is None:
        row = row[:-1]
    data = b"(" + struct.pack("<i", len(row))
    for value in row:
        match value:
            case None:
                data += b"N"
            case int():
                data += b"i" + struct.pack("<i", value)
            case float():
                data += b"g" + struct.pack("<d", value)
            case str():
                data += b"u" + struct.pack("<i", len(value.encode())) + value.encode()
            case bytes():
                data += b"s" + struct.pack("<i", len(value)) + value
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little") >> 1


class TestRowSeal:
    def test_is_what_the_docs_say_in_every_python(self):
        row = ("trial", 3, b"key", "wörter", None, -1, 0.1, "", None, None)
        assert row_seal(*row) == by_hand(*row) == 4238363671252065946

    def test_columns_that_a_later_version_brings_change_nothing(self):
        assert row_seal("t", 1, "a") == row_seal("t", 1, "a", None, None) != row_seal("t", 1, None, "a")

    @pytest.mark.parametrize("other", [("t", 1, 2.0), ("t", 1, "2"), ("t", 1, b"2"), ("s", 1, 2), ("t", 12), ("t", 1)])
    def test_kind_and_place_of_values_count(self, other):
        assert row_seal("t", 1, 2) != row_seal(*other)


class TestSealing:
    def test_all_that_is_written_is_sealed(self, file, plan):
        file.begin_session()
        keys = [t.key for t in plan.trials()]
        file.append([record(keys[0], status="failed"), record(keys[1])])
        file.append([record(keys[0])])
        check_rows(file)
        for name in TABLES:
            assert file.query(f"SELECT COUNT(*) FROM {name} WHERE seal IS NULL") == [(0,)]
        assert [counted(file.database, name).rows for name in TALLIED] == [1, 1, 2, 2, 4, 8, 0]
        assert list(file.arrays(1)) == ["value"]

    def test_values_are_sealed_as_they_are_read(self, file, plan):
        key = next(plan.trials()).key
        odd = {"fit_time": 3, "fit_cpu": -0.0, "predict_time": float("nan"), "peak_memory": float("inf")}
        file.append([record(key).__class__(key, "ok", resources=odd, n_train=True)])
        check_rows(file)

        file.query("UPDATE trial SET fit_time = 4 WHERE status = 'ok'")
        with pytest.raises(StudyFileError, match="damaged"):
            check_rows(file)

    def test_what_is_rolled_back_leaves_no_trace_in_the_tally(self, file):
        def fail():
            with sealing(file.database):
                file.query("UPDATE method SET name = 'x' WHERE id = 1")
                seal(file.database, "method", "id = 1")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert not file.database.changes
        check_rows(file)

    def test_a_new_name_of_a_method_is_sealed(self, tmp_path):
        for name in ("rule", "other"):
            Study(datasets=["iris"], methods={name: GaussianNB()}, resampling="2-fold").run(
                tmp_path / "a.trial", workers=0, progress=False
            )
        with StudyFile(tmp_path / "a.trial") as file:
            check_rows(file)
            assert ("other",) in file.query("SELECT name FROM method")


def read_all(file):
    check_rows(file)
    file.stacks(range(1, 9))


class TestNoticed:
    @pytest.mark.parametrize(
        ("sql", "words"),
        [
            ("UPDATE trial SET fit_time = 0.25 WHERE id = 2", "row 2 .*trial of one_rule on iris, repeat 0, fold 0"),
            ("UPDATE trial SET status = 'waiting' WHERE id = 1", "row 1 of its table 'trial'"),
            ("UPDATE study SET created = '2020-01-01'", r"row 1 .*revision 1 of the study\) is not what was written"),
            ("UPDATE method SET name = 'Majority' WHERE id = 1", r"row 1 .*the method Majority\)"),
            ("UPDATE split SET digest = x'00' WHERE id = 4", "row 4 .*repeat 0, fold 1 of labor"),
            ("UPDATE dataset SET truth = x'00' WHERE id = 2", "row 2 .*the data set labor"),
            ("UPDATE session SET command = 'rm'", "row 1 .*the run that began"),
            ("UPDATE tally SET rows = 9 WHERE name = 'trial'", "row 6 .*the number of rows of trial"),
            ("DELETE FROM tally WHERE name = 'split'", "its table 'tally' has 6 rows, which are not all"),
            ("DELETE FROM trial WHERE id = 8", "its table 'trial' has 7 rows, which are not all that was written"),
            ("UPDATE trial SET seal = NULL WHERE id = 3", "row 3 of its table 'trial'"),
            ("UPDATE array SET shape = '5' WHERE trial = 1", "'value' in its table 'array' .of the trial of maj"),
            ("UPDATE array SET channel = 'std' WHERE trial = 1", "row 1 .*lacks its value in the table 'array'"),
            ("UPDATE array SET trial = 3 WHERE trial = 1", "row 1 .*lacks its value in the table 'array'"),
            ("DELETE FROM array", "row 1 .*lacks its value"),
            ("INSERT INTO array SELECT 2, channel, dtype, shape, data, seal FROM array", "has more arrays than"),
        ],
    )  # fmt: skip
    def test_row_by_row(self, file, plan, sql, words):
        file.begin_session()
        file.append([record(next(plan.trials()).key)])
        file.query(sql)
        with pytest.raises(StudyFileError, match=rf"a\.trial is damaged or .*{words}.*copy of the file that is whole"):
            read_all(file)

    def test_a_stranger_who_seals_is_not_noticed(self, file):
        file.query("UPDATE method SET name = 'x' WHERE id = 1")
        seal_rows(file.database)
        check_rows(file)
        assert file.query("SELECT name FROM method WHERE id = 1") == [("x",)]
