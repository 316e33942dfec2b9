"""Factors, plans and replicates in TOML: the same study as in Python, and mistakes that can be found."""

from __future__ import annotations

import pytest
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from fairtrial.design import Factor, Study, as_factors, layouts, load_study
from fairtrial.errors import InputError, UnknownName


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def write(folder, text):
    file = folder / "study.toml"
    file.write_text(text, encoding="utf-8")
    return file


class TestFactors:
    STUDY = "datasets = ['breast_cancer']\nmethods = ['one_rule']\nresampling = '2-fold'\n"

    def test_levels_or_a_table(self, folder):
        text = "[factors]\nlabel_noise = [0, 0.05]\nrow_order = 2\n"
        text += "class_balance = { levels = [0.5], hold_size = false }\n"
        made = load_study(write(folder, self.STUDY + text))
        given = {"label_noise": [0, 0.05], "row_order": 2, "class_balance": {"levels": [0.5], "hold_size": False}}
        assert made.factors == as_factors(given)
        assert len(made.plan()) == 2 * 2 * 2

    def test_tables_for_factors_of_both_kinds(self, folder):
        text = """
            datasets = ["iris"]
            resampling = "2-fold"
            replicates = 3
            [methods.p]
            use = "sklearn.pipeline.Pipeline"
            steps = [["model", { use = "sklearn.svm.SVC" }]]
            [factors]
            label_noise = [0, 0.1]
            [[factor]]
            name = "train_size"
            levels = [0.5, 1]
            role = "uncontrollable"
            [[factor]]
            name = "model"
            levels = { svm = { use = "sklearn.svm.SVC" }, tree = { use = "sklearn.tree.DecisionTreeClassifier" } }
            [[factor]]
            name = "depth"
            of = "max_depth"
            levels = [3, "None"]
            when = { model = ["tree"] }
            ordered = true
            [[factor]]
            name = "C"
            log = [0.1, 10]
            when = { model = "svm" }
        """
        made = load_study(write(folder, text))
        pipe = Pipeline([("model", SVC())])
        same = Study(
            datasets=["iris"], methods={"p": pipe}, resampling="2-fold", replicates=3,
            factors=[
                Factor("label_noise", [0, 0.1]),
                Factor("train_size", [0.5, 1], role="uncontrollable"),
                Factor("model", {"svm": SVC(), "tree": DecisionTreeClassifier()}),
                Factor("depth", [3, None], of="max_depth", when={"model": "tree"}, ordered=True),
                Factor("C", log=(0.1, 10), when={"model": "svm"}),
            ],
        )  # fmt: skip
        assert made.digest() == same.digest()
        assert [t.key for t in made.plan().trials()] == [t.key for t in same.plan().trials()]
        assert len(made.plan()) == 2 * 3 * (4 * (2 + 2) + 4)  # splits × replicates × (settings of p, of the yardstick)

    def test_factors_on_methods_in_the_short_table(self, folder):
        text = """
            datasets = ["iris"]
            [methods.p]
            use = "sklearn.pipeline.Pipeline"
            steps = [["model", { use = "sklearn.svm.SVC" }]]
            [factors]
            label_noise = { levels = [0, 0.1], role = "uncontrollable" }
            model__C = { log = [0.1, 10.0] }
            model__gamma = [0.1, "scale"]
            model = { svm = { use = "sklearn.svm.SVC" } }
        """
        made = load_study(write(folder, text))
        assert [f.name for f in made.factors] == ["label_noise", "model__C", "model__gamma", "model"]
        assert made.factors[0].role == "uncontrollable"
        assert made.factors[1].log == (0.1, 10.0)
        assert isinstance(made.factors[3].value("svm"), SVC)
        assert len(made.plan().settings.cells) == 2 * 2 * 2 + 2

    def test_a_plan_is_handed_to_the_layouts(self, folder, monkeypatch):
        given = []
        monkeypatch.setattr(layouts, "parse_layout", given.append, raising=False)
        load_study(write(folder, self.STUDY + "[plan]\nkind = 'latin hypercube'\nruns = 8\n"))
        load_study(write(folder, self.STUDY + "plan = 'best guess'\n"))
        assert given == [{"kind": "latin hypercube", "runs": 8}, "best guess"]

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                "[factors]\nlabelnoise = [0]",
                "and one_rule has no parameter of that name; did you mean 'label_noise'",
            ),
            ("[factors]\nlabel_noise = [2]", "levels of label_noise must be shares from 0"),
            ("factors = 'label_noise'", "factors must be a table such as"),
            ("factor = 3", "factor must be tables, each under [[factor]], got 3"),
            ("[[factor]]\nlevels = [1]", "[[factor[0]]]: a factor must have a name"),
            ("[[factor]]\nname = 'a'\nlevel = [1]", "no key of the factor a is called 'level'; did you mean 'levels'"),
            ("[[factor]]\nname = 'a'\nlevels = [{ use = 'no.such' }]", "factor[0].levels[0].use: 'no.such' can't be"),
            ("[[factor]]\nname = 'a'\nlinear = [2, 1]", "linear of a must be two numbers"),
            ("[[factor]]\nname = 'min_cases'\nlevels = [1]", "no factor is called 'min_cases'"),
            (
                "[[factor]]\nname = 'label_noise'\nlinear = [0, 1]",
                "no key of the factor label_noise is called 'linear'",
            ),
            ("replicates = 0", "replicates must be a whole number from 1"),
            ("plan = 3", "plan must be a kind such as"),
        ],
    )
    def test_mistakes(self, folder, text, told):
        with pytest.raises((InputError, UnknownName)) as raised:
            load_study(write(folder, self.STUDY + text + "\n"))
        assert "study.toml: " in str(raised.value)
        assert told in str(raised.value)
