"""The page: well-formed, self-contained and escaped, for every door."""

from __future__ import annotations

import base64
import hashlib
import re
from itertools import pairwise

import pytest
from html_page import Page
from report_cases import DOORS, EVIL, QUOTES

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


@pytest.mark.parametrize("door", DOORS)
class TestEveryPage:
    def test_is_well_formed(self, pages: dict[str, str], door: str) -> None:
        page = Page(pages[door])
        assert page.open == []
        ids = [a["id"] for _, a in page.tags if a.get("id")]
        assert len(ids) == len(set(ids))
        for _, attributes in page.tags:
            if "aria-labelledby" in attributes:
                assert attributes["aria-labelledby"] in ids
        referred = re.findall(r'(?:url\(|href=")#([\w.-]+)', pages[door])
        assert set(referred) <= set(ids)

    def test_loads_nothing(self, pages: dict[str, str], door: str) -> None:
        page = Page(pages[door])
        assert not {"link", "img", "iframe", "object", "base"} & {tag for tag, _ in page.tags}
        for tag, attributes in page.tags:
            assert "src" not in attributes
            assert not any(name.startswith("on") for name in attributes)
            href = attributes.get("href") or ""
            assert tag == "a" or href == "" or href.startswith("#")
        assert "@import" not in pages[door]
        assert not re.search(r"url\((?!#)", pages[door])

    def test_allows_its_own_script_only(self, pages: dict[str, str], door: str) -> None:
        page = Page(pages[door])
        (policy,) = (a["content"] for a in page.all("meta") if a.get("http-equiv") == "Content-Security-Policy")
        allowed = dict(part.strip().split(" ", 1) for part in (policy or "").split(";"))
        digest = base64.b64encode(hashlib.sha256("".join(page.scripts).encode()).digest()).decode()
        assert allowed["default-src"] == "'none'"
        assert allowed["script-src"] == f"'sha256-{digest}'"
        assert len(page.all("script")) == 1

    def test_contents_lead_to_every_section(self, pages: dict[str, str], door: str) -> None:
        page = Page(pages[door])
        wanted = [f"#{a['id']}" for a in page.all("section") if a.get("id")]
        led = [a["href"] for a in page.all("a") if (a.get("href") or "").startswith("#") and a["href"] != "#main"]
        assert led == wanted * 2  # beside the page, and folded above it

    def test_tables_say_how_to_read_them_and_can_be_copied(self, pages: dict[str, str], door: str) -> None:
        blocks = re.findall(
            r'<div class="block wide.*?</table>.*?(?=<div class="block|<figure|</section>)', pages[door], re.S
        )
        assert len(blocks) > 0
        for block in blocks:
            assert "<summary>How to read this</summary><p>" in block
            assert '<pre data-as="LaTeX">' in block
            assert '<pre data-as="CSV">' in block

    def test_suits_phones_readers_and_printers(self, pages: dict[str, str], door: str) -> None:
        page = Page(pages[door])
        assert page.all("html")[0]["lang"] == "en"
        assert any(a.get("name") == "viewport" for a in page.all("meta"))
        assert "prefers-color-scheme: dark" in pages[door]
        assert "@media print" in pages[door]
        headings = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
        assert headings[0] == 1
        assert headings.count(1) == 1
        assert all(b <= a + 1 for a, b in pairwise(headings))
        assert all(a.get("aria-label") for a in page.all("svg"))

    def test_answers_first(self, pages: dict[str, str], door: str, request: pytest.FixtureRequest) -> None:
        sentence = request.getfixturevalue(door).verdict().sentence
        text = Page(pages[door].partition("<main ")[0]).text
        assert " ".join(sentence.split()) in text

    def test_names_are_text(self, pages: dict[str, str], door: str) -> None:
        assert pages[door].count("<script") == pages[door].count("</script") == 1


class TestText:
    def test_names_and_errors_come_back_as_they_were(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        for name in (EVIL, QUOTES, "Is <moody> any good?", f"no luck with {EVIL}", "I am moody <b>today</b>"):
            assert name in text
