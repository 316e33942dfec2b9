"""The documentation says what the program does: nothing is left out, links lead somewhere, examples run."""

import re
import runpy
import shutil
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from example_runs import run
from offenders import for_each

from fairtrial import measures, stats
from fairtrial.choices import FAILURE_POLICIES
from fairtrial.cli import cli
from fairtrial.data import bundled_names
from fairtrial.design import FACTORS, Question
from fairtrial.design.toml import COLUMN_KEYS, DATASET_KEYS, METHOD_KEYS, STUDY_KEYS, TUNE_KEYS, scheme_keys
from fairtrial.figures import figures_table
from fairtrial.methods import BASELINES
from fairtrial.methods.tuning import SEARCHES
from fairtrial.resampling import SCHEMES
from fairtrial.result_tables import tables_table
from fairtrial.stats.multiplicity import ADJUSTMENTS, ALL_PAIRS
from fairtrial.verdict import RULES
from fairtrial.verdict.rules.choose_procedure import NINE
from fairtrial.verdict.rules.rules import TEST_NAMES

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
    facts = measures.get(name)
    if not facts.needs:
        return "resources"
    if facts.task == "values":
        return "values"
    return {"label": "labels", "score": "scores", "probability": "probabilities"}[facts.needs[0]]


def text(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def headings(page: Path) -> set[str]:
    """The anchors that a page's headings have, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


class TestNothingIsLeftOut:
    @for_each("rule", RULES, ids=lambda rule: rule.name)
    def test_rules(self, rule):
        row = next(line for line in text("verdicts").splitlines() if line.startswith(f"| {rule.name} |"))
        asked = f"`{rule.asked_by}`" if rule.asked_by else ""
        told = (rule.name, rule.condition, asked, ", ".join(map(str, rule.questions)), ", ".join(rule.aims))
        assert row == f"| {' | '.join((*told, rule.procedure, rule.interval))} |"

    @for_each("question", NINE, ids=lambda question: question.name)
    def test_nine_questions(self, question):
        assert f"\n| {question.number} | {question.name} | {question.asks} |\n" in text("verdicts")

    @for_each("name", TEST_NAMES)
    def test_tests_by_name(self, name):
        assert f"\n| `{name}` |" in text("verdicts")
        assert f"`{name}`" in text("cli")

    @for_each("name", measures.names())
    def test_measures(self, name):
        row = next(line for line in text("measures").splitlines() if line.startswith(f"| `{name}` |"))
        told = next(r for r in measures.to_table().rows if r[0] == name)
        assert row == f"| `{name}` | {' | '.join(told[1:])} |"

    @for_each("name", measures.names())
    def test_measures_on_the_page_of_their_family(self, name):
        assert f"\n| `{name}` | " in text(f"measures/{family(name)}")

    @for_each("name", [*FAMILIES, "choosing"])
    def test_families(self, name):
        page = text(f"measures/{name}")
        assert re.search(r"!\[.+\]\(\.\./images/\w+\.png\)", page)
        assert "```pycon" in page
        assert f"](measures/{name}.md)" in text("measures")

    def test_every_picture_is_shown(self):
        shown = "".join(page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *PAGES])
        for picture in (DOCS / "images").rglob("*.png"):
            assert f"{picture.relative_to(DOCS)})" in shown, picture.name

    @for_each("name", [n for n in stats.__all__ if n[0].islower() and n != "to_table"])
    def test_procedures(self, name):
        pages = [page for page in PAGES if address(page).startswith("statistics")]
        assert any(f"### {name}\n" in page.read_text(encoding="utf-8") for page in pages)

    def test_the_page_of_all_procedures_is_what_they_declare(self):
        made = runpy.run_path(str(DOCS / "procedures.py"))["page"]()
        assert text("statistics/procedures") == made, "run python docs/procedures.py"

    @for_each("how", [*ADJUSTMENTS, *ALL_PAIRS])
    def test_adjustments(self, how):
        assert f"| `{how}` |" in text("statistics/posthoc")
        assert f"`{how}`" in text("cli")

    @for_each(
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

    @for_each("command", cli.commands)
    def test_commands_and_options(self, command):
        """Each option stands in the section of its command, or in that of compare, which has what commands share."""
        (own,) = re.findall(
            rf"^## [^\n]*\b{command}\b[^\n]*$(.*?)(?=^## |\Z)", text("cli"), flags=re.MULTILINE | re.DOTALL
        )
        (shared,) = re.findall(r"^## compare$(.*?)(?=^## |\Z)", text("cli"), flags=re.MULTILINE | re.DOTALL)
        section = own + (shared if "](#compare)" in own else "")
        for parameter in cli.commands[command].params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                for option in (*parameter.opts, *parameter.secondary_opts):
                    assert re.search(rf"`{option}[` ]", section), f"{command} {option}"

    @for_each("row", [*figures_table().rows, *tables_table().rows], ids=lambda row: row[0])
    def test_figures_and_tables(self, row):
        kind, shows, takes = row
        names = takes.replace("context", "positives, costs").split(", ")  # the context has an option for each part
        options = ", ".join(f"`--{name.replace('_', '-')}`" for name in names)
        assert f"\n| `{kind}` | {shows} | {options} |\n" in text("cli")

    @for_each(
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


@for_each("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.relative_to(ROOT).as_posix())
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


class TestConsoleSessions:
    """What is shown after ``$ fairtrial …`` is printed by it: all up to a ``…`` that ends a line."""

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
                assert printed.startswith(shown.partition("…\n")[0]), command
