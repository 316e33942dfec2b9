"""Result files of WEKA's Experimenter."""

from __future__ import annotations

import pytest

from fairtrial.data.bundled import UCI
from fairtrial.errors import InputError
from fairtrial.results import read_scores
from fairtrial.results.readers.request import Request
from fairtrial.results.readers.weka import read_experimenter


class TestReadExperimenter:
    @pytest.mark.slow
    def test_results(self, shared_table):
        results = read_scores(shared_table("weka/results_10x10.arff"))
        assert results.question.measure == "Percent_correct"
        assert results.method_names() == ("ZeroR", "NaiveBayes", "J48", "IBk", "Logistic")
        assert results.dependence["iris"].scheme == "10×10-fold"
        assert results.dependence["iris"].test_share == pytest.approx(0.1, abs=0.001)
        assert results.failures.empty  # a measure that WEKA could not compute is not a failed trial
        assert not results.measures["Percent_incorrect"].higher_is_better
        evidence = results.verdict("percent_incorrect").evidence
        assert evidence.means[0, evidence.columns.index("J48")] == pytest.approx(5.27, abs=0.01)
        assert evidence.yardsticks == ("ZeroR",)  # it learns nothing

    def test_data_are_not_results(self):
        with pytest.raises(InputError, match=r"has no Key_Dataset; to read it as data, use fairtrial\.read_dataset"):
            read_scores(UCI / "labor.arff")

    def test_no_such_file(self, tmp_path):
        with pytest.raises(InputError, match=r"nothing.arff does not exist; give a CSV, Parquet or ARFF file"):
            read_experimenter(tmp_path / "nothing.arff", Request())

    def test_options_only_where_a_class_occurs_with_several(self, write):
        keys = ["Key_Dataset", "Key_Run", "Key_Fold", "Key_Scheme", "Key_Scheme_options"]
        numbers = ["Number_of_training_instances", "Number_of_testing_instances", "Percent_correct"]
        head = "@relation r\n" + "".join(f"@attribute {k} string\n" for k in keys)
        head += "".join(f"@attribute {k} numeric\n" for k in numbers) + "@data\n"
        schemes = [("weka.J48", "-C 0.1"), ("weka.J48", "-C 0.2"), ("weka.ZeroR", "-x")]
        rows = [f"iris,{run},1,{s},'{o}',90,10,{50 + i}" for i, (s, o) in enumerate(schemes) for run in (1, 2)]
        found = read_experimenter(write(head + "\n".join(rows), "results.arff"), Request())
        assert list(dict.fromkeys(found.frame["method"])) == ["J48 -C 0.1", "J48 -C 0.2", "ZeroR"]
        assert found.frame["value"].tolist() == [50, 50, 51, 51, 52, 52]
        assert (found.dependence["iris"].scheme, found.dependence["iris"].test_share) == ("2× holdout", 0.1)


KEYS = {"Key_Dataset": "string", "Key_Run": "string", "Key_Fold": "numeric", "Key_Scheme": "string",
        "Key_Scheme_options": "string", "Number_of_training_instances": "numeric",
        "Number_of_testing_instances": "numeric", "Percent_correct": "numeric"}  # fmt: skip
ROW = ["iris", "1", "1", "weka.J48", "''", "90", "10", "95.5"]


class TestBrokenFiles:
    def read(self, write, name="Percent_correct", cell=None, kind=None, left_out=()):
        kinds = KEYS | ({name: kind} if kind else {})
        row = [cell if cell is not None and key == name else entry for key, entry in zip(KEYS, ROW, strict=True)]
        head = "".join(f"@attribute {k} {t}\n" for k, t in kinds.items() if k not in left_out)
        rows = [[e for k, e in zip(KEYS, cells, strict=True) if k not in left_out] for cells in (ROW, row)]
        rows[1] = ["'wine'" if e == "iris" and name != "Key_Dataset" else e for e in rows[1]]
        text = f"@relation r\n{head}@data\n" + "".join(",".join(cells) + "\n" for cells in rows)
        return read_scores(write(text, "results.arff"))

    def test_whole(self, write):
        assert self.read(write, cell="80").scores["value"].tolist() == [95.5, 80.0]

    def test_without_measures(self, write):
        with pytest.raises(InputError, match=r"must have scores, but it has no measures such as Percent_correct, "):
            self.read(write, left_out=["Percent_correct"])

    @pytest.mark.parametrize(
        ("name", "cell", "told"),
        [
            ("Key_Run", "first", r"Key_Run must hold numbers, but row 2 of @data has 'first'"),
            ("Key_Run", "?", r"Key_Run must hold numbers, but row 2 of @data has nothing"),
            ("Key_Run", "1_0", r"Key_Run must hold numbers, but row 2 of @data has '1_0'"),
            ("Key_Dataset", "?", r"Key_Dataset must be known in every row, but it is missing in rows 2 of @data"),
            ("Key_Scheme", "''", r"Key_Scheme must be known in every row"),
        ],
    )
    def test_texts_and_holes(self, write, name, cell, told):
        with pytest.raises(InputError, match=told):
            self.read(write, name, cell)

    def test_scores_that_are_text(self, write):
        with pytest.raises(InputError, match=r"Percent_correct must hold numbers, but row 2 of @data has 'good'"):
            self.read(write, cell="good", kind="string")
