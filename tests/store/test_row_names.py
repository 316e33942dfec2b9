"""Names of rows, as far as they can be read."""

import pytest

from fairtrial.store.checks.row_names import named, refused, row_that_is_no_text


class TestNamed:
    @pytest.mark.parametrize(
        ("table", "row", "name"),
        [
            ("trial", (4,), "row 4 of its table 'trial' (the trial of one_rule on iris, repeat 0, fold 1, "
             "replicate 0)"),
            ("array", (1, "label"), "'label' in its table 'array' (of the trial of majority on iris, repeat 0, fold 0, "
             "replicate 0)"),
            ("array", (99, b"la\xff"), "'la�' in its table 'array' of trial 99"),
            ("split", (3,), "row 3 of its table 'split' (repeat 0, fold 0 of labor)"),
            ("method", (9,), "row 9 of its table 'method'"),
            ("study", (1,), "row 1 of its table 'study' (revision 1 of the study)"),
        ],
    )  # fmt: skip
    def test_in_the_users_words(self, file, table, row, name):
        assert named(file.database, table, row) == name

    def test_what_it_refers_to_is_damaged_too(self, file):
        file.query("UPDATE trial SET method = 77, dataset = 1 WHERE id = 1")
        assert "the trial of ? on iris" in named(file.database, "trial", (1,))
        file.query("UPDATE dataset SET name = CAST(x'ff' AS TEXT)")
        assert named(file.database, "trial", (1,)) == "row 1 of its table 'trial'"

    def test_nothing_in_a_name_steers_the_terminal(self, file):
        file.query("UPDATE method SET name = ? WHERE id = 1", "\x1b[2J")
        assert "\x1b" not in named(file.database, "method", (1,))


class TestRowThatIsNoText:
    def test_is_named(self, file):
        file.query("UPDATE split SET test = x'ff'")  # no text, and none is meant
        file.query("UPDATE trial SET levels = CAST(x'7bff' AS TEXT) WHERE id = 2")
        assert row_that_is_no_text(file.database).startswith("row 2 of its table 'trial'")

    def test_otherwise_it_is_the_schema(self, file):
        assert row_that_is_no_text(file.database) == "its table 'sqlite_schema'"


def test_the_file_comes_first_and_the_remedy_last(file):
    assert str(refused(file.database, "it")).endswith(
        "a.trial is damaged or was not made by fairtrial: it; take a copy of the file that is whole; `fairtrial check` "
        "lists all that is damaged"
    )
