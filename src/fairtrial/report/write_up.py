"""How to write a verdict up: a paragraph on methods with citations, for a paper, and the BibTeX of the works cited.

The works to cite for the procedures that were used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fairtrial.errors import UnknownName
from fairtrial.experiments import FactorAnswer
from fairtrial.resampling import score_unit
from fairtrial.stats import Comparisons
from fairtrial.stats.bibliography import HODGES_LEHMANN_1963, NADEAU_BENGIO_2003, Reference
from fairtrial.stats.bibtex import all_works, bibtex_entry, bibtex_key, works_named
from fairtrial.stats.multiplicity import TITLES, WORKS
from fairtrial.stats.procedures import PROCEDURES, procedure_of
from fairtrial.store import versions
from fairtrial.tables import latex_text, render_latex, render_md
from fairtrial.verdict import Verdict
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural


def references(verdict: Verdict | FactorAnswer) -> tuple[Reference, ...]:
    """The works behind the procedures of a verdict, in the order of their authors' names."""
    if not isinstance(verdict, Verdict):
        used = {work for name in verdict.procedures for work in PROCEDURES[name].references}
        return tuple(sorted(used, key=lambda r: r.text))
    return tuple(sorted(set(_used(verdict)), key=lambda r: r.text))


def _used(verdict: Verdict) -> Iterator[Reference]:
    for comparisons in _all_comparisons(verdict):
        for outcome in comparisons.outcomes:
            procedure = procedure_of(outcome.test)
            yield from procedure.references if procedure is not None else ()
        if len(comparisons.pairs) > 1 and comparisons.adjusted in WORKS:
            yield WORKS[comparisons.adjusted]
        if comparisons.adjusted == "joint flips":
            yield from PROCEDURES["joint_intervals"].references
    if verdict.winner is not None and len(verdict.evidence.methods) > 2:
        yield from PROCEDURES["sole_winner"].references
    if verdict.finding.best:
        yield from PROCEDURES["best_set"].references
    if verdict.omnibus is not None:
        yield from PROCEDURES["friedman"].references
    if verdict.joint_test is not None:
        several = "manova" if verdict.joint_test.test.startswith("MANOVA") else "hotelling"
        yield from PROCEDURES[several if verdict.finding.measures else "repeated_anova"].references
    if any(d.known for d in verdict.evidence.dependence):
        yield NADEAU_BENGIO_2003


def _all_comparisons(verdict: Verdict) -> Iterator[Comparisons]:
    for finding in (verdict.finding, *verdict.parts.values()):
        if finding.comparisons is not None:
            yield finding.comparisons


Works = tuple[Reference, ...]

OPTIONAL = ("joint_intervals", "sole_winner", "best_set")
ESTIMATES = (HODGES_LEHMANN_1963,)
PACKAGES = {"python": "Python", "numpy": "NumPy", "scipy": "SciPy"}

POLICIES = {
    "baseline": "a failed trial got the score of the baseline on the same split",
    "worst": "a failed trial got the worst possible score",
    "drop": "data sets with failed trials were left out for all methods",
    "refuse": "no verdict was made with failed trials",
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without its full stop, and the works that it cites at its end."""

    text: str
    works: Works = ()


def methods_paragraph(verdict: Verdict, how: str = "text") -> str:
    r"""A paragraph on design and analysis, as ``"text"``, ``"md"`` or ``"latex"`` (with ``\cite``)."""
    writers: dict[str, Callable[[Sentence], str]] = {"text": _as_text, "md": _as_markdown, "latex": _as_latex}
    if how not in writers:
        raise UnknownName.among("format of a methods paragraph", how, writers)
    paragraph = " ".join(map(writers[how], _sentences(verdict)))
    return render_latex.with_definitions(paragraph) if how == "latex" else paragraph


def bibtex(verdict: Verdict) -> str:
    """The BibTeX entries of all works that the methods paragraph cites."""
    return "\n\n".join(map(bibtex_entry, works_cited(verdict)))


def works_cited(verdict: Verdict) -> Works:
    """The works behind the rule and the procedures of a verdict, in the order of their keys.

    A rule also names works on procedures that this verdict did not need: those are left out.
    """
    used = references(verdict)
    optional = {work for name in OPTIONAL for work in PROCEDURES[name].references}
    named = (work for work in works_named(verdict.reference) if work not in optional)
    return tuple(sorted({*used, *named}, key=bibtex_key))


def _sentences(verdict: Verdict) -> Iterator[Sentence]:
    """The sentences of the paragraph, in which each work is cited once.

    The sentence on the tests cites the works on its test, and those that no later sentence cites.
    """
    yield from (_design(verdict), _measure(verdict), *_failures(verdict))
    own, left = _own_works(verdict), dict.fromkeys(works_cited(verdict))
    later = []
    for sentence in _refinements(verdict):
        works = tuple(work for work in sentence.works if work in left and work not in own)
        later.append(Sentence(sentence.text, works))
        left = {work: None for work in left if work not in works}
    yield Sentence(_analysis(verdict), tuple(left))
    yield from later
    yield from _terms(verdict)


def _own_works(verdict: Verdict) -> Works:
    """The works on the test of pairs itself, without its estimate of the difference."""
    tested = _tested(verdict)
    own = None if tested is None else procedure_of(tested.outcomes[0].test)
    return () if own is None else tuple(work for work in own.references if work not in ESTIMATES)


def _design(verdict: Verdict) -> Sentence:
    evidence = verdict.evidence
    one = len(evidence.methods) == 1
    who = evidence.methods[0] if one else f"{len(evidence.methods)} methods ({listed(evidence.methods)})"
    sets = evidence.datasets
    where = sets[0] if len(sets) == 1 else f"{len(sets)} data sets ({listed(sets)})"
    schemes = [s for s in dict.fromkeys(d.scheme for d in evidence.dependence) if s != "unknown"]
    results = None if verdict.basis is None else verdict.basis.results
    study = None if results is None else results.definition
    scheme = f" by {listed(map(_in_full, schemes))}" if schemes else ", with scores whose split scheme is unknown"
    if score_unit(evidence.dependence) == "seed":
        scheme = f" with {listed(schemes)} on one fixed split{'' if len(sets) == 1 else ' of each'}"
    splits = f"; all methods shared the same splits (seed {study.seed})" if study is not None and not one else ""
    return Sentence(f"We {'evaluated' if one else 'compared'} {who} on {where}{scheme}{splits}")


def _in_full(scheme: str) -> str:
    return f"{scheme} cross-validation" if scheme.endswith("-fold") else scheme


def _measure(verdict: Verdict) -> Sentence:
    name, better = Wording(verdict.measure).name, Wording(verdict.measure).better_word
    control = verdict.question.control
    against = f", and the other methods were compared with {control}" if control is not None else ""
    return Sentence(f"The measure was {name} ({better} is better){against}")


def _failures(verdict: Verdict) -> Iterator[Sentence]:
    if verdict.failed:
        yield Sentence(f"{plural(verdict.failed, 'trial')} failed; {POLICIES[verdict.evidence.policy]}")


def _analysis(verdict: Verdict) -> str:
    """The sentence on the tests that were made, or on the estimate."""
    tested = _tested(verdict)
    if tested is None or not tested.outcomes:
        test = verdict.test
        return f"Analysis: {test}"
    alone = len(verdict.evidence.datasets) == 1
    units = (
        ""
        if alone
        else "On each data set, "
        if verdict.finding.each
        else "With the data sets as the units of the analysis and one mean score per method on each, "
    )
    pairs = "the two methods were compared" if len(tested.pairs) == 1 else "pairs of methods were compared"
    made = f"{units}{pairs} by {_inside_a_sentence(tested.outcomes[0].test)}"
    return f"{made[0].upper()}{made[1:]}"


def _inside_a_sentence(test: str) -> str:
    """The name of a test with a small first letter, unless it begins with the name of a person.

    >>> _inside_a_sentence("Corrected resampled t"), _inside_a_sentence("Wilcoxon signed ranks")
    ('corrected resampled t', 'Wilcoxon signed ranks')
    """
    first = test.partition(" ")[0].removesuffix("'s")
    return test if any(first in work.authors for work in all_works()) else f"{test[:1].lower()}{test[1:]}"


def _tested(verdict: Verdict) -> Comparisons | None:
    """The tests over data sets or, where each data set has a verdict of its own, those on the first that has any."""
    found = (f.comparisons for f in (verdict.finding, *verdict.parts.values()))
    return next((c for c in found if c is not None and c.outcomes), None)


def _refinements(verdict: Verdict) -> Iterator[Sentence]:
    """How p-values and intervals were adjusted, what a difference is, and what a winner is."""
    tested = _tested(verdict)
    if tested is None:
        return
    if verdict.evidence.as_ratio and verdict.comparisons is not None:
        yield Sentence("Methods were compared by ratios, as differences of logarithms")
    yield from _adjustment(tested, several=verdict.finding.each and len(verdict.parts) > 1)
    own = procedure_of(tested.outcomes[0].test)
    if own is not None and own.name == "wilcoxon":
        yield Sentence("Differences are Hodges–Lehmann estimates of the typical difference over data sets", ESTIMATES)
    if verdict.winner is not None and len(verdict.evidence.methods) > 2 and verdict.comparisons is not None:
        claim = "A method was called the winner if it beat every other in its own test, which needs no adjustment"
        yield Sentence(claim, PROCEDURES["sole_winner"].references)
    if len(verdict.finding.best) > 1:
        best = "The methods that may be the best are those that joint sign flips do not rule out"
        yield Sentence(best, PROCEDURES["best_set"].references)
    if verdict.omnibus is not None:
        yield Sentence("Friedman's test is reported, but decided nothing", PROCEDURES["friedman"].references)


def _adjustment(tested: Comparisons, *, several: bool) -> Iterator[Sentence]:
    n = len(tested.pairs)
    if n < 2 and not several:
        return
    over = "all pairs" if n > 1 else "the data sets"
    over = f"{over} and data sets" if several and n > 1 else over
    if tested.adjusted == "joint flips":
        works = PROCEDURES["joint_intervals"].references
        yield Sentence(f"Intervals hold for {over} together, by joint sign flips of the {n} pairs", works)
    elif tested.adjusted == "none":
        yield Sentence(f"P-values and intervals were not adjusted for {over}")
    else:
        how = TITLES.get(tested.adjusted, tested.adjusted)
        works = (WORKS[tested.adjusted],) if tested.adjusted in WORKS else ()
        yield Sentence(f"Tests were adjusted for {over} by {how}", works)


def _terms(verdict: Verdict) -> Iterator[Sentence]:
    """Level, smallest difference, when the question was stored, and the software."""
    asked = verdict.question
    size = "" if asked.delta is None else Wording(verdict.measure).delta(asked.delta)
    delta = size and f", and differences of {size} or more were regarded as relevant"
    yield Sentence(f"The confidence level was {100 * asked.level:g} %{delta}")
    when = verdict.asked
    if when.is_known and not (when.afterwards or when.changed):
        yield Sentence("The question and the plan were stored before the first trial")
    elif when.is_known and when.afterwards:
        yield Sentence(f"After the first trial these parts of the question were stated: {listed(when.afterwards)}")
    used = versions()
    others = ", ".join(f"{title} {used[name]}" for name, title in PACKAGES.items())
    yield Sentence(f"The analysis was made with fairtrial {used['fairtrial']} ({others})")


def _as_text(sentence: Sentence) -> str:
    cited = f" ({'; '.join(w.name for w in sentence.works)})" if sentence.works else ""
    return f"{sentence.text}{cited}."


def _as_markdown(sentence: Sentence) -> str:
    def link(work: Reference) -> str:
        name = render_md.escape(work.name)
        url = work.url.replace("<", "%3C").replace(">", "%3E").replace("(", "%28").replace(")", "%29")
        return f"[{name}]({url})" if url else name

    cited = f" ({'; '.join(map(link, sentence.works))})" if sentence.works else ""
    return f"{render_md.escape(sentence.text)}{cited}."


def _as_latex(sentence: Sentence) -> str:
    keys: Sequence[str] = [bibtex_key(work) for work in sentence.works]
    cited = f"~\\cite{{{','.join(keys)}}}" if keys else ""
    return f"{latex_text.escape(sentence.text)}{cited}."
