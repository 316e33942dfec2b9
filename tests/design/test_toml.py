"""Studies in TOML: the same study as in Python, and mistakes that can be found."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import sklearn.model_selection
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from fairtrial import resampling as rs
from fairtrial.data import read_dataset
from fairtrial.design import Question, Study, load_study
from fairtrial.errors import InputError, UnknownName
from fairtrial.methods import Method

FULL = """
measures = ["auc", "accuracy", "fit_time"]
resampling = "3x5-fold"
seed = 7
failures = "worst"
time_limit = 60
memory_limit = "2 GB"
datasets = ["iris", "churn.csv", {file = "data/churn2.csv", name = "second", target = "left", positive = "no"}]

[question]
text = "Is boosting worth it?"
measure = "accuracy"
control = "forest"
smallest_difference = 0.01
yardsticks = {human = 0.95}

[methods.forest]
use = "sklearn.ensemble.RandomForestClassifier"
n_estimators = 50
facts = {complexity = "n log n"}

[methods.svm]
use = "sklearn.pipeline.make_pipeline"
inputs = "encoded"
args = [
  {use = "sklearn.preprocessing.FunctionTransformer", func = {import = "numpy.log1p"}},
  {use = "sklearn.svm.SVC", C = 10.0, class_weight = "balanced"},
]

[methods.most]
baseline = "majority"
"""
SHORT = 'datasets = "iris"\n[methods]\nbayes = "sklearn.naive_bayes.GaussianNB"\nmost = "majority"\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    lines = [f"{i % 7},{i},{'yes' if i % 3 else 'no'}" for i in range(30)]
    (tmp_path / "data").mkdir()
    (tmp_path / "churn.csv").write_text("\n".join(["a,b,left", *lines]))
    (tmp_path / "data" / "churn2.csv").write_text("\n".join(["a,b,left", *lines[:25]]))
    return tmp_path


def write(folder, text, encoding="utf-8"):
    file = folder / "study.toml"
    file.write_text(text, encoding=encoding)
    return file


class TestLoadStudy:
    def test_is_the_study_that_python_makes(self, folder):
        loaded = load_study(write(folder, FULL))
        made = Study(
            Question(
                "Is boosting worth it?",
                measure="accuracy",
                control="forest",
                smallest_difference=0.01,
                yardsticks={"human": 0.95},
            ),
            datasets=[
                "iris",
                folder / "churn.csv",
                read_dataset(folder / "data" / "churn2.csv", name="second", target="left", positive="no"),
            ],
            methods={
                "forest": Method("forest", RandomForestClassifier(n_estimators=50), facts={"complexity": "n log n"}),
                "svm": make_pipeline(FunctionTransformer(np.log1p), SVC(C=10.0, class_weight="balanced")),
                "most": "majority",
            },
            resampling=rs.RepeatedKFold(5, 3),
            measures=["auc", "accuracy", "fit_time"],
            seed=7,
            failures="worst",
            time_limit=60,
            memory_limit=2 * 10**9,
        )
        assert loaded.digest() == made.digest()
        assert loaded.to_dict() == made.to_dict()

    def test_smallest_differences_of_measures(self, folder):
        text = "[question]\nsmallest_difference = { accuracy = 0.01, fit_time = 0.1 }"
        loaded = load_study(write(folder, f"{SHORT}{text}"))
        assert loaded.question.delta_for("fit_time") == 0.1
        with pytest.raises(UnknownName, match=r"no measure is called 'acuracy'; did you mean 'accuracy'"):
            load_study(write(folder, f"{SHORT}{text.replace('accuracy', 'acuracy')}"))

    def test_claims_and_levels_beside_the_study(self, folder):
        (folder / "published.csv").write_text("data set,accuracy\niris,0.96\n")
        one = 'datasets = "iris"\n[methods]\nbayes = "sklearn.naive_bayes.GaussianNB"\n'
        asked = "[question]\nclaim = 0.9\nyardsticks = { published = 'published.csv', human = { iris = 0.99 } }"
        loaded = load_study(write(folder, f"{one}{asked}"))
        assert loaded.question.claim == 0.9
        assert loaded.question.yardsticks == {"published": {"iris": 0.96}, "human": {"iris": 0.99}}
        with pytest.raises(InputError, match=r"the yardstick 'published' must be a number, .*none\.csv can't be read"):
            load_study(write(folder, f"{one}{asked.replace('published.csv', 'none.csv')}"))

    def test_units(self, folder):
        (folder / "published.csv").write_text("iris,96%\n")
        one = 'datasets = "iris"\n[methods]\nbayes = "sklearn.naive_bayes.GaussianNB"\n'
        asked = "[question]\nsmallest_difference = { accuracy = '0.5pp', fit_time = '10%' }\nclaim = '90%'\n"
        levels = "yardsticks = { published = 'published.csv', human = '99%' }"
        question = load_study(write(folder, f"{one}{asked}{levels}")).question
        assert question.smallest_difference == {"accuracy": 0.005, "fit_time": 0.1}
        assert question.claim == 0.9
        assert question.yardsticks == {"published": {"iris": 0.96}, "human": 0.99}

    def test_the_target_once(self, folder):
        (folder / "one.csv").write_text("churned,plan,n\n" + "yes,a,1\nno,b,2\nno,a,4\n" * 8)
        (folder / "two.csv").write_text("plan,churned,n\n" + "b,no,1\na,yes,3\na,no,9\n" * 8)
        rest = '[methods]\nrule = "one_rule"\n'
        listed = 'datasets = ["one.csv", "vote", { file = "two.csv", positive = "no" }]\n'
        loaded = load_study(write(folder, f'target = "churned"\n{listed}{rest}'))
        assert [d.classes for d in loaded.datasets] == [("no", "yes"), ("democrat", "republican"), ("no", "yes")]
        assert [d.positive for d in loaded.datasets] == ["yes", "republican", "no"]
        own = listed.replace("positive", "target").replace('"no"', '"plan"')
        assert load_study(write(folder, f'target = "churned"\n{own}{rest}')).datasets[2].classes == ("a", "b")
        with pytest.raises(InputError, match="target = 'churned' is for files, but every data set here has its own"):
            load_study(write(folder, f'target = "churned"\ndatasets = ["iris"]\n{rest}'))
        with pytest.raises(InputError, match="target must be the name of a column, such as 'churned', got 3"):
            load_study(write(folder, f"target = 3\n{listed}{rest}"))
        with pytest.raises(UnknownName, match=r"datasets\[0\]: no column of 'one' is called 'churnd'"):
            load_study(write(folder, f'target = "churnd"\n{listed}{rest}'))

    def test_short_forms(self, folder):
        loaded = load_study(str(write(folder, 'question = "Which?"\n' + SHORT)))
        assert [m.name for m in loaded.methods] == ["bayes", "most"]
        assert loaded.question == Question("Which?", measure="accuracy")
        assert loaded.resampling == rs.RepeatedKFold(10, 10)
        listed = load_study(
            write(folder, 'datasets = ["iris"]\nmethods = ["majority", "sklearn.naive_bayes.GaussianNB"]')
        )
        assert [m.name for m in listed.methods] == ["majority", "GaussianNB"]
        assert listed.digest() == loaded.digest()

    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ('"churn.csv"', ["churn"]),
            ('"data"', ["churn2"]),
            ('"data/*.csv"', ["churn2"]),
            ('["iris", "data/churn2.csv"]', ["iris", "churn2"]),
            ('{file = "churn.csv"}', ["churn"]),
            ('{use = "breast-cancer", name = "recurrence"}', ["recurrence"]),
            ('{use = "breast-cancer"}', ["breast-cancer"]),
            ('{name = "credit-g", positive = "good"}', ["credit-g"]),
        ],
    )
    def test_data_are_looked_up_beside_the_file(self, folder, tmp_path_factory, monkeypatch, text, names):
        monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
        loaded = load_study(write(folder, SHORT.replace('"iris"', text)))
        assert [d.name for d in loaded.datasets] == names

    def test_from_the_folder_itself(self, folder, monkeypatch):
        write(folder, SHORT.replace("iris", "churn.csv"))
        monkeypatch.chdir(folder)
        assert load_study("study.toml").datasets[0].name == "churn"

    def test_positive_class_of_a_bundled_data_set(self, folder):
        loaded = load_study(write(folder, SHORT.replace('"iris"', '{name = "credit-g", positive = "good"}')))
        assert loaded.datasets[0].positive == "good"

    def test_a_module_beside_the_file(self, folder):
        (folder / "own_methods_for_a_test.py").write_text(
            "from sklearn.naive_bayes import GaussianNB\n\n\nclass Own(GaussianNB):\n    pass\n"
        )
        loaded = load_study(write(folder, SHORT + 'own = "own_methods_for_a_test.Own"'))
        assert loaded.methods[2].canonical()["estimator"]["class"]["named"] == "own_methods_for_a_test.Own"

    def test_a_file_from_windows(self, folder):
        assert load_study(write(folder, SHORT.replace("\n", "\r\n"), "utf-8-sig")).seed == 1

    @pytest.mark.parametrize(
        ("text", "made"),
        [
            ('"holdout 0.3"', rs.Holdout(0.3)),
            ('{scheme = "k-fold", folds = 5, stratify = false}', rs.KFold(5, stratify=False)),
            ('{scheme = "RepeatedKFold", folds = 5}', rs.RepeatedKFold(5)),
            ('"5x2"', rs.FiveByTwo()),
            ('{scheme = "forward", folds = 3, window = 20, gap = 2}', rs.Forward(3, 20, 2)),
            ('{scheme = "grouped k-fold", folds = 3, repeats = 2}', rs.GroupKFold(3, 2)),
            ('{scheme = "train/validation/test", test_share = 0.1}', rs.TrainValidationTest(test_share=0.1)),
            ('{scheme = "bootstrap", samples = 30}', rs.Bootstrap(30)),
            ('{scheme = "leave-one-out"}', rs.LeaveOneOut()),
            (
                '{scheme = "splitter", use = "sklearn.model_selection.KFold", n_splits = 3, like = "3-fold"}',
                rs.from_sklearn(sklearn.model_selection.KFold(3), like="3-fold"),
            ),
        ],
    )
    def test_resampling(self, folder, text, made):
        assert load_study(write(folder, f"resampling = {text}\n{SHORT}")).resampling == made

    @pytest.mark.parametrize("text", ['"mine.csv"', '{scheme = "own splits", file = "mine.csv"}'])
    def test_splits_of_ones_own_are_looked_up_beside_the_study(self, folder, text):
        (folder / "mine.csv").write_text("fold,row\n0,1\n0,2\n1,3\n")
        loaded = load_study(write(folder, f"resampling = {text}\n{SHORT}"))
        assert loaded.resampling == rs.read_splits(folder / "mine.csv")

    def test_groups_and_order_are_columns_of_a_file(self, folder):
        lines = [f"{i},{i // 3},{40 - i},{i % 2}" for i in range(40)]
        (folder / "visits.csv").write_text("x,patient,day,y\n" + "\n".join(lines))
        data = '{file = "visits.csv", target = "y", groups = "patient", order = "day"}'
        table = f'datasets = [{data}]\nmethods = ["one_rule"]'
        (loaded,) = load_study(write(folder, table)).datasets
        assert loaded.groups is not None
        assert loaded.order is not None
        assert loaded.p == 1

    @pytest.mark.parametrize(
        ("text", "size"),
        [
            ("1000", 1000),
            ('"1000"', 1000),
            ('"2 GB"', 2 * 10**9),
            ('"2gb"', 2 * 10**9),
            ('" 1.5 MiB "', 3 * 2**19),
            ('"64 KB"', 64_000),
            ('"1TB"', 10**12),
        ],
    )
    def test_memory_limit(self, folder, text, size):
        assert load_study(write(folder, f"memory_limit = {text}\n{SHORT}")).memory_limit == size

    def test_labels_as_codes_and_functions(self, folder):
        (folder / "own_function.py").write_text(
            "def guess(X_train, y_train, X_test):\n    return y_train[:1].repeat(len(X_test))\n"
        )
        usual = 'bayes = "sklearn.naive_bayes.GaussianNB"'
        text = SHORT.replace(usual, 'bayes = {use = "sklearn.svm.SVC", labels = "codes"}\nguess = "own_function.guess"')
        svm, guess = load_study(write(folder, text)).methods[:2]
        assert svm.labels == "codes"
        assert guess.estimator.fairtrial_name == "guess"

    def test_decisions_by_costs(self, folder):
        usual = 'bayes = "sklearn.naive_bayes.GaussianNB"'
        two = '\nsvm = {use = "sklearn.svm.SVC"}\nsure = {use = "sklearn.naive_bayes.GaussianNB", decide = "costs"}'
        text = SHORT.replace(usual, usual + two).replace('"iris"', '"labor"')
        costs = "\n[question.context]\ncosts = {bad = 1, good = 8}\nunit = 'EUR'\n"
        study = load_study(write(folder, text + costs))
        by = {m.name: m.decide.by for m in study.methods if not isinstance(m.decide, str)}
        assert by == {"bayes": "tuned", "svm": "tuned", "sure": "costs", "best trivial policy": "costs"}
        assert study.measures[0].startswith("expected_cost(costs=(8, 1), per=1000, unit='EUR')")  # bad is positive
        with pytest.raises(InputError, match=r"^study.toml: decide must be .*'tuned'.*, got 'cheaply'"):
            load_study(write(folder, f'decide = "cheaply"\n{text}{costs}'))
        with pytest.raises(InputError, match=r"decide of method 'sure' may be .*, but the question has none"):
            load_study(write(folder, text))

    def test_how_costs_are_measured(self, folder):
        usual = load_study(write(folder, SHORT))
        assert (usual.timing, usual.memory, usual.methods[0].threads) == ("shared", "mark", False)
        changed = SHORT.replace(
            'bayes = "sklearn.naive_bayes.GaussianNB"', 'bayes = {use = "sklearn.svm.SVC", threads = true}'
        )
        honest = load_study(write(folder, f'timing = "exclusive"\nmemory = "exact"\n{changed}'))
        assert (honest.timing, honest.memory, honest.methods[0].threads) == ("exclusive", "exact", True)
        assert "one trial at a time" in str(honest)
        with pytest.raises(InputError, match=r"^study.toml: no timing is called 'alone'; known are: exclusive, shared"):
            load_study(write(folder, f'timing = "alone"\n{SHORT}'))

    def test_training_scores(self, folder):
        assert load_study(write(folder, SHORT)).training_scores is False
        assert load_study(write(folder, f"training_scores = true\n{SHORT}")).training_scores is True
        with pytest.raises(InputError, match=r"^study.toml: training_scores must be True or False, got 'yes'"):
            load_study(write(folder, f'training_scores = "yes"\n{SHORT}'))

    @pytest.mark.parametrize("text", ['"lots"', '"2 XB"', '"GB"', '"nan GB"', '"inf GB"', "true", "[1]", '"2 GBB"'])
    def test_memory_limit_that_is_none(self, folder, text):
        with pytest.raises(
            InputError, match=r"^study.toml: memory_limit must be a number of bytes above 0 or a text such as"
        ):
            load_study(write(folder, f"memory_limit = {text}\n{SHORT}"))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("seeds = 1\n" + SHORT, r"no key of the study is called 'seeds'; did you mean 'seed'"),
            ('datasets = "iris"', r"the study must have methods; add \[methods.forest\]"),
            ('methods = ["majority"]', r"the study must have datasets; add datasets = \['iris'\]"),
            ("seed = '1'\n" + SHORT, r"seed must be a whole number of at least 0, got '1'"),
            ("time_limit = 'x'\n" + SHORT, r"time_limit must be a number above 0, got 'x'"),
            ("failures = 'skip'\n" + SHORT, r"no failure policy is called 'skip'"),
            ("measures = 'acuracy'\n" + SHORT, r"'acuracy'; did you mean 'accuracy'"),
            ("measures = [5]\n" + SHORT, r"5"),
            ("question = 5\n" + SHORT, r"question must be a text or a table, got 5"),
            ("question = {levle = 0.9}\n" + SHORT, r"no key of \[question\] is called 'levle'; did you mean 'level'"),
            ("question = {level = 95}\n" + SHORT, r"\[question\]: level must lie strictly between 0 and 1"),
            ("question = {level = 'x'}\n" + SHORT, r"\[question\]: level must lie strictly between 0 and 1"),
            ("question = {control = 'baye'}\n" + SHORT, r"no method \(given as control\) is called 'baye'"),
            ("resampling = 'ten'\n" + SHORT, r"resampling must read like '10-fold'"),
            ("resampling = 10\n" + SHORT, r"resampling must be a text such as '10x10-fold' or a table with 'scheme'"),
            ("resampling = {folds = 5}\n" + SHORT, r"a table with 'scheme', got {'folds': 5}"),
            ("resampling = {scheme = 'kfold'}\n" + SHORT, r"no resampling scheme is called 'kfold'; did you mean"),
            ("resampling = {scheme = ['x']}\n" + SHORT, r"no resampling scheme is called"),
            ("resampling = {scheme = 'own splits'}\n" + SHORT, r"own splits must have file = 'splits.csv', got {}"),
            ("resampling = {scheme = 'own splits', file = 'no.csv'}\n" + SHORT, r"no.csv can't be read"),
            ("resampling = {scheme = 'splitter', n = 5}\n" + SHORT, r"a splitter must have use = 'sklearn"),
            ("datasets = [{name = 'iris', order = 'x'}]\nmethods = ['one_rule']", r"no key of a data set is called"),
            ("resampling = {scheme = 'KFold', k = 5}\n" + SHORT, r"no key of \[resampling\] is called 'k'"),
            ("resampling = {scheme = 'KFold', folds = 1}\n" + SHORT, r"\[resampling\]: folds must be a whole number"),
            ("resampling = {scheme = 'holdout', test_share = '0.3'}\n" + SHORT, r"\[resampling\]: test_share must lie"),
            (SHORT.replace('"iris"', "5"), r"datasets must be a list of names, files or tables, got 5"),
            (SHORT.replace('"iris"', "[]"), r"at least one"),
            (SHORT.replace('"iris"', "['iris', 5]"), r"datasets\[1\]: a data set must be a name, a file, or a table"),
            (SHORT.replace('"iris"', "['wine', 'irs']"), r"datasets\[1\]: no data set is called 'irs'; did you mean"),
            (SHORT.replace('"iris"', "{file = 3}"), r"datasets\[0\]: a data set must be .*, got {'file': 3}"),
            (SHORT.replace('"iris"', "{file = 3, name = 'x'}"), r"datasets\[0\]: a data set must be .*'file': 3"),
            (SHORT.replace('"iris"', "{use = 3, name = 'x'}"), r"datasets\[0\]: a data set must be .*'use': 3"),
            (SHORT.replace('"iris"', "{use = 'iris', name = 3}"), r"datasets\[0\]: a data set must have a text as its"),
            (SHORT.replace('"iris"', "{use = 'iris', file = 'churn.csv'}"), r"must have one of 'file' and 'use'"),
            (SHORT.replace('"iris"', "{use = 'irsi'}"), r"datasets\[0\]: .*did you mean 'iris'"),
            (SHORT.replace('"iris"', "{file = 'x', tagret = 'y'}"), r"no key of a data set is called 'tagret'; did"),
            (SHORT.replace('"iris"', "{file = 'churn.csv', target = 'lef'}"), r"datasets\[0\]: .*'lef'"),
            (SHORT.replace('"iris"', "{file = 'churn.csv', positive = 'x'}"), r"datasets\[0\]: .*'x'"),
            (SHORT.replace('"iris"', "'nothing.csv'"), r"datasets\[0\]: .*nothing.csv"),
            ('datasets = "iris"\nmethods = 3', r"methods must be tables such as \[methods.forest\], or a list"),
            ('datasets = "iris"\n[methods]', r"methods must name at least one method"),
            (SHORT + "x = 3", r"\[methods.x\] must have use = 'import.path' .* or baseline = 'majority', got 3"),
            (SHORT + "x = {C = 3}", r"\[methods.x\] must have use = 'import.path'"),
            (SHORT + "x = {use = 'sklearn.svm.SVC', baseline = 'mean'}", r"\[methods.x\] must have use"),
            (SHORT + "x = 'majorty'", r"\[methods.x\]: no baseline is called 'majorty'; did you mean 'majority'"),
            (SHORT + "x = {baseline = 'uniform', C = 1}", r"no key of \[methods.x\] is called 'C'; known"),
            (SHORT + "x = 'sklearn.svm.SVM'", r"methods.x.use: module sklearn.svm has no SVM"),
            (SHORT + "x = {use = 'sklearn.svm.SVC', c = 1}", r"methods.x: sklearn.svm.SVC can't be made .*'c'"),
            (SHORT + "x = {use = 'sklearn.svm.SVC', inputs = 'y'}", r"inputs of method 'x' must be one of"),
            (SHORT + "x = 'sklearn.preprocessing.StandardScaler'", r"method 'x' must have fit and predict"),
            ("datasets = " + "[" * 50_000, r"its lists or tables are nested too deeply for a study"),
            (SHORT + "x = 'majority'", r"'most' and 'x' have the same class and parameters"),
        ],
    )  # fmt: skip
    def test_mistakes_are_found_with_file_and_place(self, folder, text, message):
        with pytest.raises(InputError, match=r"^study.toml: .*" + message) as caught:
            load_study(write(folder, text))
        assert str(caught.value).count("study.toml") == 1

    def test_the_kind_of_error_is_kept(self, folder):
        with pytest.raises(UnknownName):
            load_study(write(folder, SHORT.replace("iris", "irs")))

    def test_syntax_error_with_its_line(self, folder):
        with pytest.raises(InputError, match=r"study.toml is not valid TOML: .*at line 3, column"):
            load_study(write(folder, 'datasets = "iris"\n\nseed = = 3\n'))

    def test_no_such_file(self, tmp_path):
        with pytest.raises(InputError, match=r"nothing.toml can't be read: No such file .*give the path of a study"):
            load_study(tmp_path / "nothing.toml")

    def test_a_folder(self, tmp_path):
        with pytest.raises(InputError, match="can't be read: Is a directory"):
            load_study(tmp_path)

    @pytest.mark.parametrize(("name", "told"), [("s.toml", "must be UTF-8 text"), ("s.trial", r"ft\.read_study\(")])
    def test_not_a_text(self, tmp_path, name, told):
        (tmp_path / name).write_bytes(b"\xff\xfe\x00")
        with pytest.raises(InputError, match=rf"{name} .*{told}"):
            load_study(tmp_path / name)


class TestValuesOfTheWrongKind:
    """Each was a Python error."""

    @pytest.mark.parametrize(
        ("line", "told"),
        [
            ("measures = true", r"measures must be names such as \['accuracy', 'auc'\], got True"),
            ("measures = [['accuracy']]", r"measures must be names"),
            ("resampling = 'a\\u0000b.csv'", r"must be text without NUL"),
            ("datasets = ['~nouser/x.csv']", r"must name a user of this machine, got '~nouser/x.csv'"),
            ("datasets = [{file = '~nouser/x.csv'}]", r"must name a user of this machine"),
            ("datasets = ['\\u0000']", r"must be text without NUL"),
            (f"datasets = ['{'x' * 300}']", r"must have at most 255 bytes"),
        ],
    )
    def test_is_refused_by_name(self, tmp_path, line, told):
        given = "" if line.startswith("datasets") else "datasets = ['iris']\n"
        (tmp_path / "study.toml").write_text(f"{given}methods = ['majority']\n{line}\n".replace("'", '"'))
        with pytest.raises(InputError, match=told):
            load_study(tmp_path / "study.toml")
