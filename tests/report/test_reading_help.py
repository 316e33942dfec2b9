"""Every table says how to read it, and the Python of a table runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from fairtrial.report import report_document
from fairtrial.report.why_this_test import COLUMNS, PAIRS, explained, with_help, with_preamble
from fairtrial.results import Results, read_scores
from fairtrial.tables import Column, Folded, Paragraph, Picture, Table


def tables(blocks: object) -> list[Table]:
    found: list[Table] = []
    for block in blocks:  # type: ignore[attr-defined]
        found += [block] if isinstance(block, Table) else tables(block.blocks) if isinstance(block, Folded) else []
    return found


class TestExplained:
    def test_columns_that_are_known(self) -> None:
        table = Table((Column("method"), Column("95 %", key="interval"), Column("else")), ())
        assert explained(table, "x()").explain == f"One row for each method. {COLUMNS['interval']}"
        assert explained(table, "x()").call == "x()"

    def test_its_own_words_come_first(self) -> None:
        table = Table((Column("method"),), (), explain="Mine.", call="mine()")
        assert explained(table, "x()") == table

    def test_a_p_value_is_explained_once(self) -> None:
        both = Table((Column("method"), Column("p"), Column("q", key="p_adjusted")), ())
        assert COLUMNS["p"] not in explained(both).explain
        assert COLUMNS["p_adjusted"] in explained(both).explain
        assert COLUMNS["p"] in explained(replace(both, columns=both.columns[:2], rows=())).explain

    def test_pairs_and_effects_of_factors_have_their_own_words(self) -> None:
        pairs = Table((Column("first"), Column("second"), Column("effect"), Column("low")), ())
        assert explained(pairs).explain == f"{PAIRS} {COLUMNS['low']}"
        factors = Table((Column("effect"), Column("change")), ())
        assert explained(factors).explain == f"One row for each effect. {COLUMNS['change']}"

    def test_inside_folds(self) -> None:
        inner = Table((Column("method"),), ())
        (folded,) = with_help(iter((Folded("more", (Paragraph("p"), inner)),)))
        assert isinstance(folded, Folded)
        assert [t.explain for t in tables([folded])] == ["One row for each method."]

    @pytest.mark.slow
    def test_every_table_of_a_report(self, study: Results, few: Results) -> None:
        for results in (study, few):
            found = tables(report_document(results).blocks)
            assert len(found) > 3
            assert all(table.explain for table in found)

    @pytest.mark.slow
    def test_every_figure_of_a_report(self, study: Results, few: Results, predictions: Results) -> None:
        for results in (study, few, predictions):
            blocks = report_document(results).blocks
            inner = [b for block in blocks if isinstance(block, Folded) for b in block.blocks]
            pictures = [b for b in (*blocks, *inner) if isinstance(b, Picture)]
            assert len(pictures) > 1
            assert all(p.explain and p.call.startswith("import fairtrial as ft") for p in pictures)


class TestPython:
    def test_runs_as_it_stands(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        frame = pd.DataFrame({"dataset": list("abcdefg"), "A": [3, 4, 5, 6, 7, 8, 9], "B": [1, 3, 4, 4, 6, 5.5, 7]})
        monkeypatch.chdir(tmp_path)
        frame.to_csv("my scores.csv", index=False)
        results = read_scores("my scores.csv", measure="rmse")
        document = report_document(results, results.verdict(level=0.9))
        call = tables(document.blocks)[0].call
        assert call.splitlines()[2:4] == [
            "results = ft.read_scores('my scores.csv', measure='rmse')",
            "verdict = results.verdict(level=0.9)",
        ]
        *lines, last = call.splitlines()
        names: dict[str, object] = {}
        exec("\n".join(lines), names)
        made = eval(last, names)
        assert made.to_dict()["rows"] == results.verdict(level=0.9).to_table().to_dict()["rows"]

    @pytest.mark.slow
    def test_a_study_file_is_opened(self, study: Results) -> None:
        named = replace(study, path=Path("/home/ann/my.trial"))
        (picture,) = with_preamble(
            iter((Picture("t", "c", None, call="results.figure('dots')"),)), named, study.verdict()
        )  # type: ignore[arg-type]
        assert isinstance(picture, Picture)
        assert picture.call == "import fairtrial as ft\n\nresults = ft.read_study('my.trial')\nresults.figure('dots')"
