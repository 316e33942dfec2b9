"""The status of a study as text, table and board."""

import os
import time

import pytest
from sklearn.dummy import DummyClassifier
from store_studies import dataset, failed, keys, ok

from fairtrial.design import Study
from fairtrial.store import StudyFile, status_board, status_table, study_status


@pytest.fixture(scope="module")
def large():
    """30 data sets × 10 methods with long names."""
    methods = {f"a method called {i}": DummyClassifier(strategy="uniform", random_state=i) for i in range(10)}
    sets = [dataset(f"data set {i}", 20 + 2 * i) for i in range(30)]
    return Study(datasets=sets, methods=methods, resampling="4-fold").plan()


class TestStatusDocument:
    def test_a_row_per_pair_while_there_are_few(self, sized_file, sized_plan):
        text = str(study_status(sized_file))
        assert "0 of 12 trials done, 0 failed, 12 missing" in text
        assert text.count("one_rule") == 3

    def test_who_runs_it(self, sized_file):
        assert f"being run by process {os.getpid()} on " in str(study_status(sized_file))
        path = sized_file.path
        sized_file.close()
        with StudyFile(path) as reader:
            assert "not running; last run in session 1, begun " in str(study_status(reader))

    def test_failures_come_with_what_to_do(self, sized_file, sized_plan):
        sized_file.append([failed(k) for k in keys(sized_plan, "small", "one_rule")])
        *_, reason, remedy = str(study_status(sized_file)).split("\n")
        assert reason == "failed: one_rule, 2×: ValueError: no; on small (2)"
        assert "--retry-failed" in remedy

    def test_as_a_table_for_other_formats(self, sized_file, sized_plan):
        sized_file.append(
            [ok(keys(sized_plan, "small", "majority")[0], 1.0), failed(keys(sized_plan, "large", "majority")[0])]
        )
        table = status_table(study_status(sized_file))
        assert table.caption == "1 of 12 trials done, 1 failed, 10 missing"
        assert table.to_csv().startswith("data set,method,done,failed,missing,time spent,time left")


class TestStatusBoard:
    @pytest.fixture
    def found(self, large, tmp_path):
        with StudyFile(tmp_path / "c.trial", write=True) as sized_file:
            sized_file.register(large)
            sized_file.begin_session()
            now = time.time() + 1000
            sized_file.append([ok(k, 0.1, now - 500) for k in keys(large, "data set 0", "a method called 0")])
            sized_file.append([failed(k) for k in keys(large, "data set 0", "a method called 1")[:3]])
            sized_file.append([ok(keys(large, "data set 1", "a method called 0")[0], 0.1, now - 5)])
            yield study_status(sized_file, now)

    def test_marks(self, found):
        first, second, third = status_board(found).rows[:3]
        assert first[:4] == ("data set 0", "✓", "75 % 3!", "·")
        assert second[1] == "▸25 %"
        assert set(third[1:11]) == {"·"}

    def test_names_where_they_fit_else_numbers(self, found):
        wide, narrow = status_board(found).to_text(), status_board(found, 100).to_text(100)
        assert "a method called 9" in wide.split("\n")[1]
        assert narrow.split("\n")[1].split()[2:5] == ["1", "2", "3"]
        assert "methods: 1 a method called 0, 2 a method called 1" in narrow
        assert all(len(line) <= 100 for line in narrow.split("\n")[:31])

    def test_fits_a_screen(self, found):
        assert len(found.to_document(120).to_text(120).split("\n")) < 45
