"""The documentation says what the program does: nothing is left out, links lead somewhere, examples run."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest

from fairtrial import measures, stats
from fairtrial.cli import cli
from fairtrial.data import bundled_names
from fairtrial.design import FACTORS, FAILURE_POLICIES, Question, load_study
from fairtrial.design.toml import COLUMN_KEYS, DATASET_KEYS, METHOD_KEYS, STUDY_KEYS, TUNE_KEYS, scheme_keys
from fairtrial.figures import figures_table
from fairtrial.methods import BASELINES
from fairtrial.methods.tuning import SEARCHES
from fairtrial.resampling import SCHEMES
from fairtrial.result_tables import tables_table
from fairtrial.stats.adjust import ADJUSTMENTS, ALL_PAIRS
from fairtrial.verdict import RULES
from fairtrial.verdict.nine_questions import NINE
from fairtrial.verdict.rules import TEST_NAMES

ROOT = Path(__file__).parents[1]
DOCS, EXAMPLES = ROOT / "docs", ROOT / "examples"
PAGES = sorted(DOCS.rglob("*.md"))
FAMILIES = ("labels", "scores", "probabilities", "values", "resources", "contexts")


def address(page: Path) -> str:
    """A page as the index links it."""
    return page.relative_to(DOCS).as_posix()


def family(name: str) -> str:
    """The page that a measure belongs to."""
    if name.startswith("expected_"):
        return "contexts"
    needs = measures.get(name).needs
    return (
        {"label": "labels", "score": "scores", "probability": "probabilities", "value": "values"}[needs[0]]
        if needs
        else "resources"
    )


def text(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def headings(page: Path) -> set[str]:
    """The anchors that a page's headings have, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


class TestNothingIsLeftOut:
    @pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
    def test_rules(self, rule):
        row = next(line for line in text("verdicts").splitlines() if line.startswith(f"| {rule.name} |"))
        asked = f"`{rule.asked_by}`" if rule.asked_by else ""
        told = (rule.name, rule.condition, asked, ", ".join(map(str, rule.questions)), ", ".join(rule.aims))
        assert row == f"| {' | '.join((*told, rule.procedure, rule.interval))} |"

    @pytest.mark.parametrize("question", NINE, ids=lambda question: question.name)
    def test_nine_questions(self, question):
        assert f"\n| {question.number} | {question.name} | {question.asks} |\n" in text("verdicts")

    @pytest.mark.parametrize("name", TEST_NAMES)
    def test_tests_by_name(self, name):
        assert f"\n| `{name}` |" in text("verdicts")
        assert f"`{name}`" in text("cli")

    @pytest.mark.parametrize("name", measures.names())
    def test_measures(self, name):
        row = next(line for line in text("measures").splitlines() if line.startswith(f"| `{name}` |"))
        told = next(r for r in measures.to_table().rows if r[0] == name)
        assert row == f"| `{name}` | {' | '.join(told[1:])} |"

    @pytest.mark.parametrize("name", measures.names())
    def test_measures_on_the_page_of_their_family(self, name):
        assert f"\n| `{name}` | " in text(f"measures/{family(name)}")

    @pytest.mark.parametrize("name", [*FAMILIES, "choosing"])
    def test_families(self, name):
        page = text(f"measures/{name}")
        assert re.search(r"!\[.+\]\(\.\./images/\w+\.png\)", page)
        assert "```pycon" in page
        assert f"](measures/{name}.md)" in text("measures")

    def test_every_picture_is_shown(self):
        shown = "".join(page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *PAGES])
        for picture in (DOCS / "images").rglob("*.png"):
            assert f"{picture.relative_to(DOCS)})" in shown, picture.name

    @pytest.mark.parametrize("name", [n for n in stats.__all__ if n[0].islower() and n != "to_table"])
    def test_procedures(self, name):
        pages = [page for page in PAGES if address(page).startswith("statistics")]
        assert any(f"### {name}\n" in page.read_text(encoding="utf-8") for page in pages)

    def test_the_page_of_all_procedures_is_what_they_declare(self):
        made = runpy.run_path(str(DOCS / "procedures.py"))["page"]()
        assert text("statistics/procedures") == made, "run python docs/procedures.py"

    @pytest.mark.parametrize("how", [*ADJUSTMENTS, *ALL_PAIRS])
    def test_adjustments(self, how):
        assert f"| `{how}` |" in text("statistics/posthoc")
        assert f"`{how}`" in text("cli")

    @pytest.mark.parametrize(
        "key",
        [
            *STUDY_KEYS,
            *DATASET_KEYS,
            *METHOD_KEYS,
            *TUNE_KEYS,
            *(f.name for f in fields(Question)),
            *COLUMN_KEYS,
            *(key for scheme in SCHEMES for key in scheme_keys(scheme)),
            *("use", "args", "import", "baseline", "scheme"),
        ],
    )
    def test_keys_of_a_study_in_toml(self, key):
        assert f"`{key}`" in text("studies")

    @pytest.mark.parametrize("command", cli.commands)
    def test_commands_and_options(self, command):
        (section,) = re.findall(rf"^## {command}$(.*?)(?=^## |\Z)", text("cli"), flags=re.MULTILINE | re.DOTALL)
        for parameter in cli.commands[command].params:
            if isinstance(parameter, click.Option):
                for option in (*parameter.opts, *parameter.secondary_opts):
                    assert re.search(rf"`{option}[` ]", section), f"{command} {option}"

    @pytest.mark.parametrize("row", [*figures_table().rows, *tables_table().rows], ids=lambda row: row[0])
    def test_figures_and_tables(self, row):
        kind, shows, takes = row
        options = ", ".join(f"`--{name.replace('_', '-')}`" for name in takes.split(", "))
        assert f"\n| `{kind}` | {shows} | {options} |\n" in text("cli")

    @pytest.mark.parametrize(
        ("page", "names"),
        [
            ("verdicts", FAILURE_POLICIES),
            ("methods", BASELINES),
            ("methods", [f"| `{search}` |" for search in SEARCHES]),
            ("resampling", [s.name for s in SCHEMES]),
            ("factors", FACTORS),
            ("data", bundled_names()[:7]),
        ],
    )
    def test_lists(self, page, names):
        for name in names:
            assert name in text(page), name

    def test_the_map_has_every_page(self):
        for page in PAGES:
            if address(page) != "index.md":
                assert f"]({address(page)})" in text("index"), address(page)


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.relative_to(ROOT).as_posix())
class TestEveryPage:
    def test_links_lead_somewhere(self, page):
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                path, _, anchor = target.partition("#")
                file = page.parent / path if path else page
                assert file.exists(), target
                assert not anchor or anchor in headings(file), target

    def test_names_no_registry_and_no_place_of_one_machine(self, page):
        found = re.findall(
            r"pypi\.org|pythonhosted|anaconda\.org|conda-forge|(?<![\w.])/(?:work|tmp|root|home)\b",
            page.read_text(encoding="utf-8"),
        )
        assert not found

    def test_examples_end_before_their_fence(self, page):
        """Else doctest takes the fence for output."""
        for block in re.findall(r"```pycon\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL):
            assert block.endswith("\n\n"), block[-60:]


def run(folder: Path, *command: str) -> str:
    environment = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode in (0, 2), done.stderr
    return done.stdout + done.stderr


def run_quicker(program, less):
    """What an example prints when it does less: with each of these texts replaced."""
    text = program.read_text(encoding="utf-8")
    for more, fewer in less.items():
        assert more in text
        text = text.replace(more, fewer)
    program.write_text(text, encoding="utf-8")
    return run(program.parent, sys.executable, program.name)


class TestConsoleSessions:
    """What is shown after ``$ fairtrial …`` is printed by it: each line up to a ``…``."""

    QUICK = ("list", "plan", "compare", "advise", "choose", "--help")

    @pytest.fixture
    def folder(self, tmp_path):
        shutil.copytree(EXAMPLES, tmp_path / "examples")
        rows = ["age,plan,churned", *["31,a,no"] * 96, *["52,b,yes"] * 4]
        (tmp_path / "churn.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        return tmp_path

    @pytest.mark.slow
    @pytest.mark.parametrize("page", PAGES, ids=address)
    def test_print_what_the_page_says(self, page, folder):
        sessions = re.findall(
            r"```console\n\$ fairtrial (.*?)\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        for command, shown in sessions:
            if command.split()[0] in self.QUICK:
                printed = run(folder, sys.executable, "-m", "fairtrial.cli", *command.split())
                printed = printed.replace("python -m fairtrial.cli", "fairtrial")
                assert printed.startswith(shown.partition("…")[0]), command


@pytest.mark.slow
class TestExamples:
    @pytest.fixture
    def folder(self, tmp_path):
        for file in EXAMPLES.iterdir():
            if file.is_file():
                shutil.copy(file, tmp_path)
        return tmp_path

    def test_quickstart(self, folder):
        program = (folder / "quickstart.py").read_text(encoding="utf-8")
        quicker = program.replace('"10-fold"', '"2-fold"').replace("Classifier(50)", "Classifier(3)")
        assert quicker != program
        (folder / "quickstart.py").write_text(quicker, encoding="utf-8")
        assert "on data sets such as these 8" in run(folder, sys.executable, "quickstart.py")
        assert (folder / "small.trial").exists()
        assert (folder / "report.html").stat().st_size > 10_000

    def test_quickstart_is_the_study_of_the_readme(self):
        study = r"ft\.Study\(\n(.*?)\n\)"
        texts = (path.read_text(encoding="utf-8") for path in (ROOT / "README.md", EXAMPLES / "quickstart.py"))
        first, second = (re.findall(study, each, flags=re.DOTALL)[0] for each in texts)
        assert first == second

    def test_study(self, folder):
        assert len(load_study(folder / "study.toml").plan()) == 90
        printed = run(folder, sys.executable, "-m", "fairtrial.cli", "run", "study.toml", "--workers", "1", "--quiet")
        assert printed.startswith("Against neighbours in accuracy, data set by data set:")
        assert (folder / "study.html").exists()

    def test_compare_scores(self, folder):
        printed = run(folder, sys.executable, "compare_scores.py")
        assert printed.startswith("In auc on data sets such as these 14, C4.5+m+cf and C4.5+m do better than C4.5;")
        assert (folder / "differences.png").stat().st_size > 1000

    def test_benchmark(self, folder):
        printed = run_quicker(folder / "benchmark.py", {"= 50, 200, 10": "= 8, 30, 5"})
        assert "No single method can be called the best in accuracy on tasks such as these 30." in printed
        assert re.search(r"\d+ of 1,200 trials failed \(\d+ out of memory and \d+ out of time\)", printed)
        assert "accuracy, mean of 5 scores per task, then over 30 tasks" in printed

    def test_regression_scales(self, folder):
        printed = run_quicker(folder / "regression_scales.py", {"Regressor(50)": "Regressor(5)"})
        assert "rmse, mean over 5-fold per data set, then over 7 data sets" in printed
        assert re.search(r"The rmse of \w+ is typically \d\.\d+ \[\d\.\d+, \d\.\d+\] times that of ", printed)

    def test_operating_context(self, folder):
        program = (folder / "operating_context.py").read_text(encoding="utf-8")
        quicker = program.replace('"10-fold"', '"3-fold"')
        assert quicker != program
        (folder / "operating_context.py").write_text(quicker, encoding="utf-8")
        printed = run(folder, sys.executable, "operating_context.py")
        assert printed.startswith(
            "accuracy: second is best, {'first': 0.8, 'second': 0.85}\naverage_recall: first is best"
        )
        assert "{'costs': [1, 5]}: No method is shown to be cheaper than the best trivial policy, flagging" in printed
        assert (
            "logistic has the lower cost per 1,000 cases (false positive 1, false negative 5, 5 % positive)" in printed
        )
        assert (folder / "contexts.png").stat().st_size > 1000

    def test_churn_costs(self, folder):
        printed = run_quicker(
            folder / "churn_costs.py", {'"2x5-fold"': '"3-fold"', "n_estimators=60": "n_estimators=20"}
        )
        assert "cost in EUR per 1,000 cases (false positive 10, false negative 300)" in printed
        assert re.search(
            r"best trivial policy, flag everyone \(always 'yes'\), costs 92\d\d EUR per 1,000 cases", printed
        )
        assert "The labels of xgboost at 0.5 were not decided by these costs" in printed

    def test_label_noise(self, folder):
        less = {
            '"5-fold"': '"2-fold"',
            "n_estimators=10": "n_estimators=3",
            '"ionosphere",': "",
            '"pima-diabetes",': "",
        }
        printed = run_quicker(folder / "label_noise.py", less)
        assert "the highest mean accuracy at " in printed
        for noise in ("0 %", "5 %", "10 %", "20 %"):
            charts = re.findall(rf"^label_noise {noise} .*\nrandom .*\nbagged .*\nboosted .*$", printed, re.MULTILINE)
            assert len(charts) == 1
            rows = re.findall(rf"^{noise} +random( +\d+–\d+–\d+){{3}}\n +bagged.*\n +boosted.*$", printed, re.MULTILINE)
            assert len(rows) == 2  # by mean, significant
        assert r"\toprule" in (folder / "label_noise_wins.tex").read_text(encoding="utf-8")
        assert (folder / "label_noise.html").stat().st_size > 10_000

    def test_tuned(self, folder):
        less = {'"5-fold"': '"2-fold"', "budget=10": "budget=3", "(1, 20, 2)": "(1, 6, 2)", '"glass", ': ""}
        printed = run_quicker(folder / "tuned.py", less)
        assert "tuned svm and tuned neighbours are tuned over 3 configurations, svm over none" in printed
        assert "halton, accuracy over 5-fold" in printed
        assert re.search(r"tuned svm: 0\.\d+ on the inner splits, 0\.\d+ on the test sets", printed)

    def test_own_method(self, folder):
        less = {
            '"10-fold"': '"2-fold"',
            '.trial")': '.trial", workers=0, progress=False)',
            "ensemble.RandomForestClassifier": "tree.DecisionTreeClassifier",
        }
        printed = run_quicker(folder / "own_method.py", less)
        assert re.search(r"^centroids +0\.\d+", printed, re.MULTILINE)
        assert "of these 4 methods" in printed

    def test_learning_curve(self, folder):
        less = {'"5-fold"': '"2-fold"', "Classifier(20)": "Classifier(3)"}
        printed = run_quicker(folder / "learning_curve.py", less)
        assert "Means from 10 to 160: " in printed
        assert (folder / "learning_curve.png").stat().st_size > 10_000
        assert (folder / "learning_curve_pima.png").stat().st_size > 10_000

    def test_scaling(self, folder):
        less = {"[200, 400, 800, 1600, 3200, 6400]": "[100, 200, 400, 800]", "6400": "800"}
        printed = run_quicker(folder / "scaling.py", less)
        assert "fit cpu of svm " in printed
        assert "model size of neighbours grows about linearly with the number of training rows" in printed
        assert "On the front of accuracy and predict cpu on made: " in printed
        assert (folder / "growth.png").stat().st_size > 10_000
        assert (folder / "pareto.png").stat().st_size > 10_000

    def test_boosting_factors(self, folder):
        less = {'"5-fold"': '"2-fold"', "[10, 60]": "[3, 20]"}
        printed = run_quicker(folder / "boosting_factors.py", less)
        assert "10 data sets × 17 settings of 2 methods × 2-fold = 340 trials" in printed
        assert "rate and rounds interact: " in printed
        assert "effects on accuracy, over 10 data sets" in printed
        assert (folder / "boosting_interactions.png").stat().st_size > 10_000
        assert (folder / "boosting_factors.html").stat().st_size > 10_000

    def test_nested(self, folder):
        less = {'"labor", ': "] #", '"3-fold"': '"2-fold"', "[10, 50]": "[2, 5]", '"credit-g",\n]': "#"}
        text = (folder / "nested.toml").read_text(encoding="utf-8")
        for more, fewer in less.items():
            assert more in text
            text = text.replace(more, fewer)
        (folder / "nested.toml").write_text(text, encoding="utf-8")
        printed = run(folder, sys.executable, "-m", "fairtrial.cli", "run", "nested.toml", "--workers", "1", "--quiet")
        assert "accuracy" in printed
        assert (folder / "nested.html").exists()

    def test_strategies(self, folder):
        less = {'"8x5-fold"': '"2-fold"', '"2x5-fold"': '"2-fold"', '"5-fold"': '"2-fold"'}
        printed = run_quicker(folder / "strategies.py", less)
        assert re.search(r"C and gamma interact: .*at gamma 0\.0001,? C 1000 is better than 1 by 0\.2", printed)
        reached = dict(re.findall(r"^  (\S.*?) +(0\.\d+)   C ", printed, re.MULTILINE))
        assert list(reached) == [
            "best guess, best run",
            "one at a time, best run",
            "one at a time, all that helped",
            "half fraction, best run",
            "full factorial, best run",
        ]
        assert float(reached["full factorial, best run"]) > 0.75

    def test_the_scores_are_those_of_the_paper(self):
        rows = (EXAMPLES / "demsar_2006_auc.csv").read_text(encoding="utf-8").splitlines()
        golden = (ROOT / "tests" / "golden" / "demsar_2006_table6.csv").read_text(encoding="utf-8").splitlines()
        assert rows[1:] == golden[1:]
