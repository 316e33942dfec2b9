"""BibTeX entries of the bibliography, from what is known of each work; fields that are not known are left out."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from fairtrial.stats import bibliography
from fairtrial.stats.bibliography import DOI, Reference

CITED = re.compile(
    r"(?P<authors>.+?) \((?P<year>\d{4})\)\. (?P<title>.+?(?:\?|(?=\.))) ?\.? ?(?P<journal>[A-Z][^.?]*?) "
    r"(?P<volume>\d+)(?:\((?P<number>\d+)\))?, (?P<pages>\d+–\d+)\."
)
PRINTED = re.compile(
    r"(?P<journal>[A-Z][A-Za-z &]+?) (?P<volume>\d+)(?:\((?P<number>\d+)\))?:(?P<pages>\d+-\d+)(?: equation \d+)?"
)
AUTHOR = re.compile(r"[^,&]+, (?:[A-Z]\.[ -]?)+")
JOURNALS = {
    "JMLR": "Journal of Machine Learning Research",
    "JASA": "Journal of the American Statistical Association",
}
ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030c": "v", "\u0327": "c"}
SIGNS = {"&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "$": r"\$", "–": "--", "×": r"$\times$", "’": "'"}


def bibtex_key(work: Reference) -> str:
    r"""The key of a work in BibTeX and in ``\cite``: the first author and the year.

    >>> bibtex_key(bibliography.DEMSAR_2006)
    'demsar2006'
    """
    first = re.split(r",| & | et al\.", work.authors)[0]
    plain = unicodedata.normalize("NFKD", first).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z]", "", plain.lower()) + str(work.year)


def bibtex_entry(work: Reference) -> str:
    r"""The work as a BibTeX entry.

    >>> print(bibtex_entry(bibliography.NADEAU_BENGIO_2003))
    @article{nadeau2003,
      author = {Nadeau, C. and Bengio, Y.},
      year = {2003},
      title = {Inference for the generalization error},
      journal = {Machine Learning},
      volume = {52},
      pages = {239--281},
      doi = {10.1023/A:1024068626366}
    }
    """
    fields = {"author": _authors(work), "year": str(work.year), **_place(work), **_address(work)}
    kind = "article" if "journal" in fields else "inproceedings" if "booktitle" in fields else "misc"
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@{kind}{{{bibtex_key(work)},\n{lines}\n}}"


def works_named(short: str) -> tuple[Reference, ...]:
    """The works of a text such as a rule's reference: their short forms, with semicolons between them.

    >>> [work.name for work in works_named("Student 1908, doi:10.1093/biomet/6.1.1; Demšar 2006, JMLR 7:1-30")]
    ['Student 1908', 'Demšar 2006']
    """
    return tuple(_by_short()[part] for part in short.split("; ") if part in _by_short())


def names_of_works(short: str) -> str:
    """The authors and years of the works of such a text, without the places where they are found.

    >>> names_of_works("Student 1908, doi:10.1093/biomet/6.1.1; Demšar 2006, JMLR 7:1-30")
    'Student 1908; Demšar 2006'
    """
    return "; ".join(work.name for work in works_named(short)) or short


@cache
def all_works() -> tuple[Reference, ...]:
    """All works of the bibliography."""
    return tuple(work for work in vars(bibliography).values() if isinstance(work, Reference))


@cache
def _by_short() -> dict[str, Reference]:
    return {work.short: work for work in all_works()}


def _authors(work: Reference) -> str:
    """The authors as BibTeX separates them, with initials where the full citation has them."""
    cited = AUTHOR.findall(work.citation.split(" (")[0])
    if cited:
        return " and ".join(tex_text(name.strip(" &,")) for name in cited)
    names = re.split(r", | & ", work.authors.removesuffix(" et al."))
    written = [f"{{{tex_text(name)}}}" if " " in name else tex_text(name) for name in names]
    return " and ".join([*written, *["others"] * work.authors.endswith(" et al.")])


def _place(work: Reference) -> dict[str, str]:
    """Title, journal, volume and pages, where they are known; else where the work is found, in words."""
    found = CITED.fullmatch(work.citation) or PRINTED.fullmatch(work.where)
    if found is None:
        return {"howpublished": tex_text(work.where)} if work.where else {}
    parts = {name: part for name, part in found.groupdict().items() if part and name not in ("authors", "year")}
    if len(parts["volume"]) == 4:  # proceedings of that year
        parts["booktitle"] = f"{parts.pop('journal')} {parts.pop('volume')}"
    else:
        parts["journal"] = JOURNALS.get(parts["journal"], parts["journal"])
    order = ("title", "journal", "booktitle", "volume", "number", "pages")
    pages = parts["pages"].replace("-", "–")
    return {name: tex_text({**parts, "pages": pages}[name]) for name in order if name in parts}


def _address(work: Reference) -> dict[str, str]:
    if work.url.startswith(DOI):
        return {"doi": work.url.removeprefix(DOI)}
    return {"url": work.url} if work.url else {}


def tex_text(text: str) -> str:
    r"""Text as every BibTeX understands it: accents as commands, special characters escaped.

    >>> print(tex_text("Demšar & García"))
    Dem{\v{s}}ar \& Garc{\'{i}}a
    """
    return "".join(_tex(c) for c in text)


def _tex(c: str) -> str:
    parts = unicodedata.normalize("NFD", c)
    if len(parts) == 2 and parts[1] in ACCENTS:
        return f"{{\\{ACCENTS[parts[1]]}{{{parts[0]}}}}}"
    return SIGNS.get(c, c)
