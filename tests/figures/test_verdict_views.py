"""Figures that stand on a verdict, by kind, from a table of scores and from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fairtrial.cli import cli
from fairtrial.errors import InputError
from fairtrial.figures import KINDS, figures_for, pictures_of_test, view_of_results
from fairtrial.results import read_scores

DEMSAR = Path(__file__).parents[2] / "examples" / "demsar_2006_auc.csv"
OWN = [kind for kind in KINDS if KINDS[kind].module == "comparisons.verdict_pictures"]

pytestmark = pytest.mark.slow  # each makes a verdict


@pytest.fixture(scope="module")
def results():
    return read_scores(DEMSAR, measure="auc")


@pytest.mark.parametrize("kind", OWN)
def test_words_are_a_text_alternative(results, drawn_whole, kind: str) -> None:
    view = view_of_results(results, kind)
    drawn_whole(view.figure)
    assert view.words.endswith(".")
    assert len(view.words) > 80
    if kind not in ("decision_path", "null_distribution", "dataset_differences"):
        assert all(name in view.words for name in results.method_names())


def test_options(results) -> None:
    around = view_of_results(results, "critical_difference", control="C4.5", test="bonferroni_dunn")
    assert "C4.5 is the control" in around.words
    assert "Bonferroni–Dunn, 14 data sets, level 0.05" in around.words
    band = view_of_results(results, "dataset_differences", methods=["C4.5", "C4.5+m"], smallest_difference=0.01)
    assert "C4.5 is better than C4.5+m on" in band.words
    assert "against C4.5:" in view_of_results(results, "differences", control="C4.5").words


def test_no_differences_without_tests(results) -> None:
    few = read_scores(results.scores[results.scores["dataset"].isin(results.dataset_names()[:2])], measure="auc")
    with pytest.raises(InputError, match="'differences' needs tests of pairs, but here few data sets"):
        few.figure("differences")


def test_from_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "cd.svg"
    run = CliRunner().invoke(
        cli, ["draw", str(DEMSAR), "critical_difference", "--measure", "auc", "--control", "C4.5", "--out", str(out)]
    )
    assert run.exit_code == 0, run.output
    assert "C4.5 is the control" in run.output
    assert "▲ better" in out.read_text(encoding="utf-8")


def test_the_test_is_pictured_for_reports(results) -> None:
    titles = [picture.title for picture in pictures_of_test(results.verdict())]
    assert titles == ["How the test was chosen", "The null distribution of the test"]
    assert len(figures_for(results.verdict())) == 2


def test_a_winner_needs_no_other_family(results, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default picture is drawn without a test of all pairs, and those of pairs ask for their own family."""
    verdict = results.verdict()
    monkeypatch.setitem(vars(verdict.finding.compared), "made", None)
    assert figures_for(verdict)[0].title == "Leads with their intervals"
    note = pictures_of_test(results.verdict())[1].caption
    assert "together with all" not in note
    assert "A winner must beat every other method in such a test of its own." in note
    assert "simultaneous" in view_of_results(results, "dataset_differences").words
