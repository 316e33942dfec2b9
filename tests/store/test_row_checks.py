"""Rows that SQLite takes and fairtrial never writes: refused, with the row and the table."""

import pytest
from study_changes import seal_rows

from fairtrial.errors import StudyFileError
from fairtrial.store import check_rows


class TestCheckRows:
    """All kinds of rows through all doors: test_hostile.py."""

    def test_a_file_as_it_is_written_passes(self, file):
        file.begin_session()
        assert check_rows(file) is None

    @pytest.mark.parametrize(
        ("sql", "words"),
        [
            (
                "UPDATE trial SET replicate = 'x' WHERE id = 3",
                r"row 3 of its table 'trial' .* has a value of",
            ),
            (
                "UPDATE split SET n_test = -1 WHERE id = 2",
                r"row 2 of its table 'split' .* has a value of",
            ),
            (
                "UPDATE trial SET status = 'oc' WHERE id = 4",
                r"row 4 of its table 'trial' .* has a value of",
            ),
            ("UPDATE study SET definition = x'00'", r"row 1 of its table 'study' .* has a value of another kind"),
            (
                "DELETE FROM method WHERE name = 'one_rule'",
                "its table 'method' has 1 row, which is not all that was written",
            ),
            (
                "UPDATE split SET dataset = 9 WHERE id = 1",
                r"row 1 of its table 'split' .* refers to a dataset that is not",
            ),
        ],
    )
    def test_says_which_row_and_what(self, file, sql, words):
        file.query(sql)
        with pytest.raises(StudyFileError, match=rf"a\.trial is damaged or was not made by fairtrial: .*{words}"):
            check_rows(file)

    def test_the_fold_of_apparent_errors_is_minus_one(self, file):
        file.query("UPDATE split SET fold = -1 WHERE id = 1")
        seal_rows(file.database)
        assert check_rows(file) is None
