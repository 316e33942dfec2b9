"""All answers about factors: their formats, their pages, and that they can be made again."""

import ast
import json
from pathlib import Path

import made_effects as effects
import made_surfaces as surfaces
import pytest

import fairtrial.experiments
from fairtrial.errors import InputError
from fairtrial.experiments.answer_to import answers
from fairtrial.report import write_report
from fairtrial.results import read_scores
from fairtrial.statements import Role
from fairtrial.tables import Table
from fairtrial.tables.output_formats import FORMATS
from fairtrial.verdict.verify import verify

MADE = {
    "effects": (lambda: effects.crossed(effects.planted, effects.THREE), {"interactions": None}),
    "ablation": (
        lambda: effects.crossed(effects.planted, effects.TWO),
        {"components": {"depth": (12, 3), "rate": (0.1, 1)}},
    ),
    "robust_setting": (lambda: effects.crossed(effects.planted, effects.TWO), {"criterion": "regret"}),
    "surface": (lambda: surfaces.scores(surfaces.hill), {"scale": "logit"}),
}
SEARCHES = {
    "split",
    "rsplit",
    "partition",
    "rpartition",
    "find",
    "startswith",
    "endswith",
    "removeprefix",
    "removesuffix",
}


@pytest.fixture(scope="module", params=MADE)
def found(request, tmp_path_factory):
    """An answer that was made from a file."""
    table, options = MADE[request.param]
    path = tmp_path_factory.mktemp(request.param) / "scores.csv"
    table().to_csv(path, index=False)
    return getattr(read_scores(path, measure="accuracy"), request.param)(**options)


class TestEveryAnswer:
    @pytest.mark.parametrize("how", FORMATS)
    def test_formats(self, found, how):
        made = found.render(how)
        assert made
        if how == "json":
            known = json.loads(made)
            assert known["answer"] == found.sentence
            assert known["statements"][0] == {**found.statements[0].to_dict(), "text": found.answer}
            assert known["made_by"] == found.name

    def test_the_page_has_three_sentences_one_table_and_no_footnotes(self, found):
        blocks = found.to_document().blocks
        (table,) = (block for block in blocks if isinstance(block, Table))
        assert (table.notes, table.caption) == ((), "")
        assert len(found.answer_blocks()) <= 3
        assert len(found.test) > 0
        assert {title for title, _ in found.explanations()} <= {column.title for column in table.columns}

    def test_the_full_page_says_all(self, found):
        text = " ".join(str(found.full).split())
        for role in Role:
            for said in found.said(role):
                assert " ".join(said.render().split())[:60] in text

    def test_it_is_verified(self, found, tmp_path):
        path = tmp_path / "answer.json"
        path.write_text(found.render("json"), encoding="utf-8")
        file = Path(found.results.provenance.source)
        assert verify(path, file if file.is_file() else found.results).agrees
        changed = json.loads(found.render("json")) | {"units": ["another"]}
        path.write_text(json.dumps(changed), encoding="utf-8")
        (difference,) = verify(path, file if file.is_file() else found.results).differences
        assert difference.place == "units"
        path.write_text(json.dumps(changed | {"made_by": "write"}), encoding="utf-8")
        with pytest.raises(InputError, match="one of effects, ablation, robust_setting, surface"):
            verify(path, found.results)

    @pytest.mark.slow
    def test_a_report(self, found, tmp_path):
        page = write_report(found.results, tmp_path / "page.html", found).read_text(encoding="utf-8")
        assert found.answer in page
        assert f"{found.name} = results.{found.name}(" in page


class TestAnswers:
    def test_those_after_the_first_few_are_on_the_full_page_only(self):
        made = answers([("a", "A."), ("b", "B."), ("c", "C.")], most=2)
        assert [remark.only_full for remark in made] == [False, False, True]


def test_no_code_searches_text():
    """What is said is made from data: nothing looks into a sentence."""
    room = Path(fairtrial.experiments.__file__).parent
    for path in room.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                name, texts = node.func.attr, [a for a in node.args if isinstance(a, (ast.Constant, ast.JoinedStr))]
                assert name not in SEARCHES, f"{path.name}:{node.lineno} reads a text by {name}"
                assert not (name == "replace" and texts), f"{path.name}:{node.lineno} edits a text"
            assert not (isinstance(node, ast.Import) and any(a.name == "re" for a in node.names)), path.name
