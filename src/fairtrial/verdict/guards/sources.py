"""Data sets that are parts of one source: what their names say, what their sizes say, and what the scores add.

Versions, folds, languages, subjects and noisy copies of one source are not independent evidence: they are averaged, and
the source counts once. Names decide; scores can show that data sets of one group are alike, but not that they are
independent, and nothing of groups of two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design import FEWEST_DATASETS
from fairtrial.notices import Notice, guard
from fairtrial.results.provenance import A_DATASET
from fairtrial.stats import clustering
from fairtrial.tables import formats
from fairtrial.words import listed, part_of, plural

if TYPE_CHECKING:
    from fairtrial.results import Results
    from fairtrial.verdict.evidence import Evidence

Family = dict[str, list[str]]
By = str  # versions, first parts, part 2, part 3, …, sizes

PATH = re.compile(r"\s*(?:/|\||::|\\)\s*")
SEPARATOR = re.compile(r"[\s_\-.:#@,;()\[\]+=&]+")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
NUMBER = re.compile(r"[A-Za-z]{0,4}\d+[A-Za-z]{0,3}|(?:fold|seed|run|rep|repeat|split|part|subject|session|version)\d+")
CAMEL = re.compile(r"[\s_\-.:#@,;()\[\]+=&/|]+|(?<=[a-z\d])(?=[A-Z])")
INNER = re.compile(r"([A-Za-z]{1,3})\d+([A-Za-z]{1,3})")
COUNTED = re.compile(r"[A-Za-z]{0,8}\d+")
GLUED = re.compile(r"(.*?[A-Za-z]{2,})(\d+[a-z]?)")
LETTER = re.compile(r"(.*[a-z\d])([A-Z])")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VARIANTS = _words("""
    train test valid val dev all orig original raw clean noise noisy with without small medium large big short long easy
    hard high low full mini tiny sub subset balanced unbalanced random rand left right daily weekly monthly hourly
    yearly quarterly stored unstored nominal numeric binary multi count dist loc ori azim elev normal reduced mm vs and
    version other
""")
LANGUAGES = _words("""
    af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu ha he hi hr hu hy id ig is it ja
    jv ka kk km kn ko ku ky lo lt lv mg mk ml mn mr ms my nb ne nl nn no pa pl ps pt ro ru rw si sk sl sn sq
    sr su sv sw ta te tg th tk tl tr tt uk ur uz vi wo xh yi yo yue zh zu ara bul ces deu ell eng fas fra guj
    heb hin hun ind ita jpn kan kat kaz kor lit mya nld por quy ron rus slk slv spa srp swa swe tha tur ukr
    urd uzb vie yor zho arabic basque bengali bulgarian chinese czech danish dutch english estonian finnish
    french german greek hebrew hindi hungarian indonesian italian japanese korean persian polish portuguese
    romanian russian spanish swahili swedish tamil telugu thai turkish ukrainian urdu vietnamese
""")
GENERIC = _words("""
    a b c d e f g h i k l m n o p q r s t u v w x y z ds data dataset datasets set sets task tasks problem problems
    question questions prob sub subj subject id ex exp example instance item case series ts file table bench benchmark
    name test train fold seed run row uci openml db func function word text doc user
""")
"""Stems of names that are only counted: d1, task_07."""

SHORTEST = 3  # letters of a first part that may be a source
WHOLE = 0.8  # of the names: what so many share is the name of the benchmark
MOST = 0.5  # of the data sets, above which sources that names show are counted
CLEAR = 0.01  # the p-value below which scores show that groups are alike
FEWEST_CLUSTERED = 8  # data sets of groups of two or more, of which scores can say something
FEWEST_LANGUAGES = FEWEST_COMMON = 3


def versions(names: Iterable[str]) -> Family:
    """Names that differ in a number, a language, a kind of version or what follows a slash, by what they share.

    >>> versions(["adult", "rl-1", "rl-2", "ecoli1", "ecoli2", "xnli-de", "xnli-fr", "m4/H/short", "m4/D/long"])
    {'rl': ['rl-1', 'rl-2'], 'ecoli': ['ecoli1', 'ecoli2'], 'xnli': ['xnli-de', 'xnli-fr'],
     'm4': ['m4/H/short', 'm4/D/long']}
    """
    known = list(names)
    shown = dict(zip(known, _without_common_parts(known), strict=True))
    stems = {name: _stem(shown[name]) for name in known}
    plain = Counter(stems.values())
    for name, stem in stems.items():  # abalone9-18 beside abalone19
        if (glued := GLUED.fullmatch(stem)) and glued[1] in plain and plain[stem] < plain[glued[1]] + 1:
            stems[name] = glued[1]
    found = _groups(stems)
    for part, own in first_parts(known).items():  # mnist_noise beside mnist_rot
        if part not in found and any(stems[name] == part for name in own):
            found[part] = [name for name in own if not any(name in group for group in found.values())]
    letters = _groups({name: found_[1] for name in known if (found_ := LETTER.fullmatch(name))})
    letters |= _groups({n: " ".join(t[:-1]) for n in known if len(t := _tokens(n)) > 1 and len(t[-1]) == 1})
    counted = _groups({n: f"{inner[1]}…{inner[2]}" for n in known if (inner := INNER.fullmatch(n))})
    for stem, own in (*letters.items(), *counted.items(), *_crossed(shown)):
        taken = {name for group in found.values() for name in group}
        series = stem not in letters or _is_series([name[-1] for name in own])
        if taken.isdisjoint(own) and series and (stem not in counted or len(own) > 2):
            found[stem.lower()] = own
    return {stem: own for stem, own in found.items() if 1 < len(own) <= WHOLE * len(known)}


def _without_common_parts(names: list[str]) -> list[str]:
    """The names without a number in front that counts them, and without last words that several share: …_eq."""
    tokens = [_tokens(name) for name in _without_common_path(names)]
    firsts = [own[0] for own in tokens if len(own) > 1 and COUNTED.fullmatch(own[0])]
    if len(firsts) > WHOLE * len(tokens) and len(set(firsts)) == len(firsts):
        tokens = [own[1:] if len(own) > 1 else own for own in tokens]
    lasts = Counter(own[-1].lower() for own in tokens if len(own) > 1)
    common = {word for word, count in lasts.items() if count >= FEWEST_COMMON and len(word) > 1 and word.isalpha()}
    common -= VARIANTS | LANGUAGES
    shorter = [own[:-1] if len(own) > 1 and own[-1].lower() in common else own for own in tokens]
    cut = [(name, old, new) for name, old, new in zip(_without_common_path(names), tokens, shorter, strict=True)]
    return [name if old == new and _tokens(name) == new else "_".join(new) for name, old, new in cut]


def _without_common_path(names: list[str]) -> list[str]:
    """The names without a first directory that nearly all of them share."""
    firsts = Counter(path[0] for name in names if len(path := PATH.split(name.strip())) > 1)
    common, count = firsts.most_common(1)[0] if firsts else ("", 0)
    if count <= WHOLE * len(names):
        return names
    cut = [PATH.split(name.strip(), maxsplit=1) for name in names]
    return _without_common_path(
        [own[1] if len(own) > 1 and own[0] == common else name for own, name in zip(cut, names, strict=True)]
    )


def _crossed(shown: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Groups of names that are all combinations of a few words with others: hopper-medium, hopper-expert, ant-medium, …

    The side with more words has the sources.
    """
    for cut in (SEPARATOR, CAMEL):
        halves: dict[str, dict[str, str]] = {}
        for name, text in shown.items():
            words = [w.lower() for w in cut.split(text) if w]
            for j in range(1, len(words)):
                halves.setdefault(" ".join(words[:j]), {})[" ".join(words[j:])] = name
        heads = {head: own for head, own in halves.items() if len(own) > 1}
        shared = {
            head: {t for other in heads if other != head for t in heads[other].keys() & own.keys()
                   if len(heads[other].keys() & own.keys()) > 1}
            for head, own in heads.items()
        }  # fmt: skip
        shared = {head: tails for head, tails in shared.items() if tails}
        tails = {tail for own in shared.values() for tail in own}
        if len(shared) >= len(tails):
            for head in sorted(shared, key=lambda h: len(shared[h]), reverse=True):
                yield head, list(heads[head].values())
        else:
            for tail in tails:
                yield tail, [heads[head][tail] for head in shared if tail in heads[head]]


def _is_series(letters: list[str]) -> bool:
    """Whether single letters count something: three or more of them, or two that follow each other."""
    places = sorted(ord(letter.lower()) for letter in letters if letter.isalpha())
    return len(set(places)) > 2 or (len(set(places)) == 2 and places[1] - places[0] == 1)


def _tokens(name: str) -> list[str]:
    return [token for token in SEPARATOR.split(name) if token]


def _stem(name: str) -> str:
    """What a name shares with other versions of its source; empty if it is only counted."""
    path = PATH.split(name.strip())
    if len(path) > 1 and path[0]:
        return path[0].lower()
    tokens, varied = _tokens(name), False
    while len(tokens) > 1 and _is_variable(tokens[-1]):
        tokens, varied = tokens[:-1], True
    while len(tokens) > 1 and tokens[0].lower() in LANGUAGES and len(tokens[0]) > 1:
        tokens = tokens[1:]
    if not varied and len(tokens) > 2 and any(token.isdigit() for token in tokens[1:-1]):
        tokens = ["…" if token.isdigit() else token for token in tokens]
    if not tokens:
        return ""
    if not varied and (glued := GLUED.fullmatch(tokens[-1])):
        tokens = [*tokens[:-1], glued[1]]
    stem = " ".join(tokens).lower()
    return "" if stem in GENERIC else stem


def _is_variable(token: str) -> bool:
    plain = token.lower()
    return bool(NUMBER.fullmatch(token)) or plain in VARIANTS or plain in LANGUAGES


def first_parts(names: Iterable[str]) -> Family:
    """Names that share a first part, by it: perhaps the source of all of them.

    >>> first_parts(["mfeat-factors", "mfeat-pixel", "iris", "GunPoint", "GunPointAgeSpan"])
    {'mfeat': ['mfeat-factors', 'mfeat-pixel'], 'gun': ['GunPoint', 'GunPointAgeSpan']}
    """
    known = list(names)
    shown = dict(zip(known, _without_common_parts(known), strict=True))
    found = _groups({name: _first_part(shown[name]) for name in known})
    return {part: own for part, own in found.items() if len(own) <= WHOLE * len(known)}


def _first_part(name: str) -> str:
    tokens = _tokens(PATH.split(name.strip())[0])
    if not tokens:
        return ""
    words = WORD.findall(tokens[0])
    part = tokens[0] if len(tokens) > 1 else words[0] if words else ""
    part = part.lower().rstrip("0123456789")
    return "" if len(part) < SHORTEST or part in GENERIC or part in VARIANTS else part


def _groups(stems: Mapping[str, str]) -> Family:
    """The names of each stem that two or more have."""
    found: Family = {}
    for name, stem in stems.items():
        if stem:
            found.setdefault(stem, []).append(name)
    return {stem: own for stem, own in found.items() if len(own) > 1}


def _other_parts(names: list[str]) -> dict[By, Family]:
    """Names by what stands between later slashes, where all have as many: scores may be alike by these instead."""
    paths = [PATH.split(name.strip()) for name in _without_common_path(names)]
    if len({len(path) for path in paths}) != 1:
        return {}
    by_place = {
        f"part {j + 1}": _groups(dict(zip(names, (path[j].lower() for path in paths), strict=True)))
        for j in range(1, len(paths[0]))
    }
    return {
        by: family for by, family in by_place.items() if all(len(own) <= WHOLE * len(names) for own in family.values())
    }


def _of_one_size(results: Results, evidence: Evidence) -> Family:
    """Data sets of a study with as many instances, features and missing values: perhaps one table, several targets."""
    facts = {d: results.datasets.get(d, {}) for d in evidence.datasets}
    sizes = {d: f"{f['n']} × {f['p']}{f.get('missing') or ''}" for d, f in facts.items() if f.get("n") and f.get("p")}
    return {size: own for size, own in _groups(sizes).items() if len(own) <= WHOLE * len(facts)}


@dataclass(frozen=True, slots=True)
class Sources:
    """Data sets of one source, by its name; whether they count once, and how clearly scores of one source are alike."""

    family: Family
    by: By
    counted: bool
    p_value: float = float("nan")

    @property
    def members(self) -> int:
        """The number of data sets that share a source with another one."""
        return sum(map(len, self.family.values()))


def sources_of(results: Results, evidence: Evidence) -> Sources | None:
    """The sources of data sets, by names, sizes and scores; None where each data set seems to have its own.

    They count once if names show it for most data sets, or if scores of one source are alike beyond chance.
    """
    names, n = list(evidence.datasets), len(evidence.datasets)
    by_name, parts = versions(names), first_parts(names)
    taken = {name for own in by_name.values() for name in own}
    wider = by_name | {part: own for part, own in parts.items() if taken.isdisjoint(own)}
    groups: dict[By, Family] = {
        "versions": by_name,
        "first parts": wider,
        **_other_parts(names),
        "sizes": _of_one_size(results, evidence),
    }
    groups = {by: family for by, family in groups.items() if family}
    if not groups:
        return None
    alike = _alike(evidence, groups)
    by, p_value = alike or (next(iter(groups)), float("nan"))
    if p_value < CLEAR:
        return Sources(groups[by], by, True, p_value)
    if all(by.startswith("part ") for by in groups):
        return None
    found = Sources(groups.get("versions", {}), "versions", True)
    if evidence.unit == A_DATASET and found.members > MOST * n:
        return found
    first: By = "first parts" if "first parts" in groups else "sizes"
    return Sources(groups[first], first if first == "sizes" or wider != by_name else "versions", False)


def _alike(evidence: Evidence, groups: Mapping[By, Family]) -> tuple[By, float] | None:
    """The grouping whose data sets have the most alike differences, with p for all groupings together."""
    k = len(evidence.methods)
    scores = evidence.comparable[:, :k]
    large = {by: f for by, f in groups.items() if sum(map(len, f.values())) >= FEWEST_CLUSTERED}
    if k < 2 or not large or not np.isfinite(scores).all():
        return None
    home = {by: {d: source for source, own in family.items() for d in own} for by, family in large.items()}
    labels: dict[str, list[str | None]] = {by: [own.get(d) for d in evidence.datasets] for by, own in home.items()}
    found = clustering(scores, labels)
    return None if found is None else (found.grouping, found.p_value)


@guard(stage="verdict", sees="results")
def parts_of_sources(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Data sets that seem to be parts of one source, such as versions, folds, languages or subjects."""
    if len(evidence.methods) < 2 or len(evidence.datasets) < FEWEST_DATASETS or results.question.domains == "these":
        return  # each data set is judged by itself
    if family := dict(results.question.family):
        found = sources_of(results, evidence) if list(family) == ["none"] else None
        if found is not None and found.p_value < CLEAR:
            yield Notice(
                f"all data sets are taken as independent, but differences of parts of "
                f"{plural(len(found.family), 'source')} are alike ({formats.p_equals(found.p_value)})",
                "doubt",
                evidence={"members": found.members, "sources": len(found.family)},
            )
        return
    if language := _one_in_languages(evidence.datasets):
        yield Notice(
            f"all {plural(len(evidence.datasets), evidence.unit)} are {language} in several languages, so that this is "
            f"about languages of {language}, and not about data sets",
            "doubt",
            evidence={"source": language},
        )
        return
    found = sources_of(results, evidence)
    if found is None:
        return
    several, unit = sorted(found.family.values(), key=len, reverse=True), evidence.unit
    whole = found.members == len(evidence.datasets)
    which = f"all {plural(found.members, unit)}" if whole else part_of(found.members, len(evidence.datasets), unit)
    seem = f"have names like parts of {plural(len(several), 'source')}"
    if found.by == "sizes":
        seem = f"have the numbers of rows and features of others, as from {plural(len(several), 'table')}"
    sentence = f"{which} {seem} (such as {listed(several[0], most=2)})"
    if found.p_value < CLEAR:
        sentence += f", and their differences are alike ({formats.p_equals(found.p_value)})"
    yield Notice(
        sentence,
        "doubt" if found.counted else "warning",
        evidence={
            "members": found.members,
            "sources": len(several),
            "counted": found.counted,
            "by": found.by,
            "families": dict(found.family),
        },
        remedy="" if found.counted else "name the families (--family), or say that all are independent (--family none)",
    )


def _one_in_languages(names: Iterable[str]) -> str:
    """The one source of which all data sets are languages; empty if there are others."""
    tokens = [_tokens(PATH.sub(" ", name)) for name in names]
    if len(tokens) < FEWEST_LANGUAGES or any(len(own) < 2 for own in tokens):
        return ""
    for place in (-1, 0):
        rest = {" ".join(own[:-1] if place else own[1:]) for own in tokens}
        if len(rest) == 1 and all(own[place].lower() in LANGUAGES for own in tokens):
            return rest.pop()
    return ""
