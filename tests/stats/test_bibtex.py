"""BibTeX of the bibliography: every entry parses, has its key, and invents nothing."""

from __future__ import annotations

import re

from offenders import for_each

from fairtrial.stats.bibliography import (
    BENAVOLI_2014,
    BOUCKAERT_FRANK_2004,
    COHEN_1988,
    DEMSAR_2006,
    GARCIA_2010,
    KENDALL_BABINGTON_SMITH_1939,
    STUDENT_1908,
)
from fairtrial.stats.bibtex import all_works, bibtex_entry, bibtex_key, tex_text, works_named
from fairtrial.verdict import RULES


def parsed(entry: str) -> dict[str, str]:
    """The kind, key and fields of an entry; a mistake in its form is an error."""
    kind, key, body = re.fullmatch(r"@([a-z]+)\{([a-z]+\d{4}),\n(.+)\n\}", entry, re.DOTALL).groups()
    fields = {"kind": kind, "key": key}
    for line in body.split(",\n"):
        name, value = re.fullmatch(r"  ([a-z]+) = \{(.*)\}", line).groups()
        assert name not in fields
        depth = 0
        for c in re.sub(r"\\.", "", value):
            depth += (c == "{") - (c == "}")
            assert depth >= 0, line
        assert depth == 0, line
        assert name in ("doi", "url") or not re.search(r"(?<!\\)[&%#$_](?!\\times\$)(?<!\$)", value), line
        fields[name] = value
    return fields


@for_each("work", all_works(), ids=bibtex_key)
def test_every_entry_parses(work):
    found = parsed(bibtex_entry(work))
    assert found["year"] == str(work.year)
    assert found["author"]
    assert set(found) & {"journal", "booktitle", "howpublished", "doi", "url"}
    assert all(part.isascii() for part in found.values())


def test_keys_are_unique():
    keys = [bibtex_key(work) for work in all_works()]
    assert len(set(keys)) == len(keys)


@for_each("rule", RULES, ids=lambda rule: rule.name)
def test_every_reference_of_every_rule_has_a_whole_entry(rule):
    works = works_named(rule.reference)
    assert "; ".join(work.short for work in works) == rule.reference
    for work in works:
        assert {"author", "title", "journal", "pages"} <= set(parsed(bibtex_entry(work)))


class TestBibtexEntry:
    def test_by_hand(self):
        assert bibtex_entry(DEMSAR_2006) == (
            "@article{demsar2006,\n"
            "  author = {Dem{\\v{s}}ar, J.},\n"
            "  year = {2006},\n"
            "  title = {Statistical comparisons of classifiers over multiple data sets},\n"
            "  journal = {Journal of Machine Learning Research},\n"
            "  volume = {7},\n"
            "  pages = {1--30},\n"
            "  url = {https://jmlr.org/papers/v7/demsar06a.html}\n"
            "}"
        )

    def test_what_is_not_known_is_left_out(self):
        assert parsed(bibtex_entry(GARCIA_2010)) == {
            "kind": "misc", "key": "garcia2010", "author": r"Garc{\'{i}}a and others", "year": "2010",
            "doi": "10.1016/j.ins.2009.12.010",
        }  # fmt: skip
        assert parsed(bibtex_entry(COHEN_1988))["howpublished"].startswith("Statistical Power Analysis")
        assert "title" not in parsed(bibtex_entry(BENAVOLI_2014))

    def test_names_and_proceedings(self):
        assert parsed(bibtex_entry(KENDALL_BABINGTON_SMITH_1939))["author"] == "Kendall and {Babington Smith}"
        assert parsed(bibtex_entry(STUDENT_1908))["author"] == "Student"
        found = parsed(bibtex_entry(BOUCKAERT_FRANK_2004))
        assert (found["kind"], found["booktitle"], found["pages"]) == ("inproceedings", "PAKDD 2004", "3--12")
        assert found["author"] == "Bouckaert, R. R. and Frank, E."


def test_text_of_any_origin():
    assert tex_text("50 % of a_b & ñ") == r"50 \% of a\_b \& {\~{n}}"
    assert works_named("nobody 2001; Demšar 2006, JMLR 7:1-30") == (DEMSAR_2006,)
