"""The rule table as a table and as a text: for ``fairtrial list rules`` and the documentation."""

from __future__ import annotations

from fairtrial.tables import Column, Document, Facts, Heading, Paragraph, Table
from fairtrial.verdict.rules.nine_questions import numbered
from fairtrial.verdict.rules.rule import Rule
from fairtrial.verdict.rules.rules import RULES

CAPTION = "rules, the first that fits is taken"
ORDER = "Those that are asked for by name, or by several measures, come first; the others follow from the design."
NUMBERS = "The numbers of questions are those of Dietterich's taxonomy (1998, doi:10.1162/089976698300017197)."


def to_table() -> Table:
    """All rules, a row for each, with all that is said about it."""
    titles = ("rule", "when", "asked by", "questions", "compared", "aims", "procedure", "interval", "effect", "figure")
    rows = tuple((*_cells(rule), rule.why, rule.reference) for rule in RULES)
    columns = tuple(Column(t, align="left") for t in (*titles, "why", "reference"))
    return Table(columns=columns, rows=rows, caption=CAPTION)


def rules_document() -> Document:
    """All rules one after the other, to be read on a terminal."""
    first = (Paragraph(f"{CAPTION[0].upper()}{CAPTION[1:]}."), Paragraph(ORDER), Paragraph(NUMBERS))
    return Document((*first, *(block for rule in RULES for block in (Heading(rule.name), Facts(_facts(rule))))))


def _cells(rule: Rule) -> tuple[str, ...]:
    return (
        rule.name,
        rule.condition,
        rule.asked_by,
        ", ".join(map(str, rule.questions)),
        ", ".join(rule.compared),
        ", ".join(rule.aims),
        rule.procedure,
        rule.interval,
        rule.effect,
        rule.figure,
    )


def _facts(rule: Rule) -> tuple[tuple[str, str], ...]:
    """What is said about a rule, with labels; what there is none of is left out."""
    found = (
        ("when", rule.condition),
        ("asked by", rule.asked_by),
        ("question", "; ".join(map(str, numbered(rule.questions)))),
        ("compared", ", ".join(rule.compared)),
        ("aims", ", ".join(rule.aims)),
        ("procedure", rule.procedure),
        ("interval", rule.interval),
        ("effect", rule.effect),
        ("figure", rule.figure),
        ("why", rule.why),
        ("reference", rule.reference),
    )
    return tuple((label, text) for label, text in found if text)
