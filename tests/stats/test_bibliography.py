import re

from offenders import for_each

from fairtrial.stats import bibliography
from fairtrial.stats.bibliography import DEMSAR_2006, FISHER_1925, MCNEMAR_1947, PRATT_1959, Reference

WORKS = {name: work for name, work in vars(bibliography).items() if isinstance(work, Reference)}


class TestReference:
    def test_with_a_whole_citation(self):
        assert MCNEMAR_1947.text.startswith("McNemar, Q. (1947). Note on the sampling error")
        assert MCNEMAR_1947.short == "McNemar 1947, doi:10.1007/BF02295996"

    def test_without_one(self):
        assert PRATT_1959.text == "Pratt 1959"
        assert FISHER_1925.text == "Fisher (1925), Statistical Methods for Research Workers"
        assert FISHER_1925.short == "Fisher 1925, Statistical Methods for Research Workers"

    def test_an_address_that_is_no_doi(self):
        assert DEMSAR_2006.short == "Demšar 2006, JMLR 7:1-30"
        assert DEMSAR_2006.url == "https://jmlr.org/papers/v7/demsar06a.html"


@for_each("name", WORKS)
def test_every_entry_can_be_found(name):
    work = WORKS[name]
    assert name.endswith(f"_{work.year}")
    assert work.url or work.where
    assert re.fullmatch(r"(https://(doi\.org/10\.\d{4,5}/|jmlr\.org/|arxiv\.org/|www\.jstor\.org/)\S+)?", work.url)
    assert str(work.year) in work.text
    assert "- " not in work.text
    assert "  " not in work.text


def test_no_work_stands_twice():
    known = [(work.authors, work.year) for work in WORKS.values()]
    assert len(set(known)) == len(known)
    urls = [work.url for work in WORKS.values() if work.url]
    assert len(set(urls)) == len(urls)
