"""Fuzzer of ``read_scores``: wide, long, columns of folds and of measures, published tables, WEKA's result files."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from attempts import attempt, file_with, finding
from fuzzed_tables import Table, comma_decimals, damaged, encoded, mutated, number, written

from fairtrial.results import read_scores

DATASETS = ("iris", "wine", "glass", "01", "vote-2")
METHODS = ("forest", "bayes", "1", "k nn")
SAYS_WHY = (
    "left out",
    "not used",
    "not counted",
    "are one",
    "taken as missing",
    "fewer cells",
    "is read as text",
    "decimal comma",
)


def wide(random: Random) -> Table:
    rows = [(d, *(_score(random) for _ in METHODS)) for d in DATASETS]
    return Table(("dataset", *METHODS), tuple(rows))


def long(random: Random) -> Table:
    titles = random.choice((("dataset", "method", "fold", "value"), ("task", "framework", "fold", "score")))
    rows = [(d, m, str(f), _score(random)) for d in DATASETS[:3] for m in METHODS[:2] for f in range(2)]
    return Table(titles, tuple(rows))


def with_measures(random: Random) -> Table:
    rows = [(d, m, _score(random), _score(random)) for d in DATASETS for m in METHODS[:3]]
    return Table(("dataset", "method", "accuracy", "auc"), tuple(rows))


def named_measures(random: Random) -> Table:
    rows = [(d, m, w, _score(random)) for d in DATASETS[:3] for m in METHODS[:2] for w in ("accuracy", "mcc")]
    return Table(("dataset", "method", "measure", "value"), tuple(rows))


def folds(random: Random) -> Table:
    rows = [(d, m, *(_score(random) for _ in range(4))) for d in DATASETS[:3] for m in METHODS[:2]]
    return Table(("dataset", "method", "s0", "s1", "s2", "s3"), tuple(rows))


def published(random: Random) -> Table:
    rows = [(d, m, _score(random), "0.01", random.choice(("", "*"))) for d in DATASETS for m in METHODS[:2]]
    return Table(("dataset", "method", "value", "standard_error", "sign"), tuple(rows))


def _score(random: Random) -> str:
    return f"{random.uniform(0.3, 0.99):.{random.choice((2, 3, 6))}f}"


SHAPES = (wide, wide, long, long, with_measures, named_measures, folds, published)


def case(seed: int) -> str | None:
    """Read a table of scores that may be odd; what was read must be what the table says, or an error or note tells."""
    random = Random(f"scores {seed}")
    if random.random() < 0.1:
        return finding(lambda: _weka(random))
    made = random.choice(SHAPES)(random)
    table = mutated(made, random)
    table = comma_decimals(table) if random.random() < 0.1 else table
    name, content = written(table, random)
    harmed = random.random() < 0.25
    path = file_with(name, damaged(content, random) if harmed else content)
    options = _options(table, random)
    return finding(lambda: _compared(path, options, None if harmed else table))


def _options(table: Table, random: Random) -> dict[str, Any]:
    options: dict[str, Any] = {"higher_is_better": True} if random.random() < 0.8 else {"measure": "accuracy"}
    for role in ("dataset", "method", "fold", "repeat", "value", "sign"):
        if random.random() < 0.06:
            options[role] = random.choice((*table.titles, "nothing"))
    if random.random() < 0.05:
        options["resampling"] = random.choice(("2-fold", "2x2-fold", "10x10-fold", "nonsense", "0-fold"))
    return options


def _compared(path: Any, options: dict[str, Any], table: Table | None) -> str | None:
    results = attempt(lambda: read_scores(path, **options))
    if table is None or set(options) - {"higher_is_better", "measure"}:
        return None
    read = Counter(
        (d, float(v)) for d, v in zip(results.scores["dataset"], results.scores["value"], strict=True) if v == v
    )
    notes = " ".join((*results.notes, str(results.reading)))
    strange = _unexpected(read, table) or _forgotten(read, table)
    return f"silent: {strange}; notes: {notes[:300]}" if strange and not any(w in notes for w in SAYS_WHY) else None


def _unexpected(read: Counter[Any], table: Table) -> str | None:
    """Scores that the table does not have in a row that names the data set."""
    there: Counter[Any] = Counter()
    for row in table.rows:
        numbers = [n for n in map(number, row) if n is not None]
        there.update((d, n) for d in {c.strip() for c in row} for n in numbers)
    alien = [key for key in read if read[key] > there[key]]
    return f"read {alien[:3]}, which is not in the table" if alien else None


def _forgotten(read: Counter[Any], table: Table) -> str | None:
    """Numbers in the columns of scores of the table as it was made that were not read."""
    plain = [
        i for i, t in enumerate(table.titles) if t in (*METHODS, "value", "score", "accuracy", "s0", "s1", "s2", "s3")
    ]
    if len(plain) > 1 and {"value", "score", "result"} & {t.strip().lower() for t in table.titles}:
        return None  # a column of that title has the scores
    values = Counter(n for row in table.rows for i in plain if i < len(row) and (n := number(row[i])) is not None)
    got = Counter(v for (_, v), k in read.items() for _ in range(k))
    gone = [v for v in values if got[v] < values[v]]
    return f"did not read {gone[:3]}" if gone else None


def _weka(random: Random) -> str | None:
    """A result file of WEKA's Experimenter, with odd attributes and cells."""
    attributes = [
        ("Key_Dataset", "{iris,wine}"),
        ("Key_Run", "{1,2}"),
        ("Key_Fold", "{1,2}"),
        ("Key_Scheme", "{a.b.J48,a.b.NB}"),
        ("Key_Scheme_options", "{'',-C}"),
        ("Number_of_training_instances", "numeric"),
        ("Number_of_testing_instances", "numeric"),
        ("Percent_correct", "numeric"),
        ("Kappa_statistic", "numeric"),
    ]
    rows = [
        [d, r, f, s, "''", "90", "10", f"{random.uniform(50, 100):.2f}", "0.5"]
        for d in ("iris", "wine")
        for r in "12"
        for f in "12"
        for s in ("a.b.J48", "a.b.NB")
    ]
    expected = Counter((row[0], float(row[7])) for row in rows)
    harmed = random.random() < 0.8
    for _ in range(random.choice((1, 1, 2)) if harmed else 0):
        at, what = random.randrange(len(attributes)), random.random()
        if what < 0.3:
            attributes[at] = (
                attributes[at][0],
                random.choice(("numeric", "string", "date", "{a,b}", "date 'yyyy yyyy'", "relational")),
            )
        elif what < 0.5:
            attributes[at] = (random.choice(("Key_Run", "x", "?", "Percent_correct")), attributes[at][1])
        elif what < 0.9:
            random.choice(rows)[at] = random.choice(("?", "abc", "1_0", "''", "1e400", "{", "%", "\u00a0", "٣"))
        elif len(attributes) > 3:
            del attributes[at]
            rows = [row[:at] + row[at + 1 :] for row in rows]
    text = "@relation r\n" + "".join(f"@attribute {n} {k}\n" for n, k in attributes) + "@data\n"
    content, packed = encoded(text + "".join(",".join(row) + "\n" for row in rows), random)
    if harmed and random.random() < 0.1:
        content = damaged(content, random)
    path = file_with("r.arff.gz" if packed else "r.arff", content)
    results = attempt(lambda: read_scores(path))
    scores = results.scores[results.scores["measure"] == "Percent_correct"]
    read = Counter((d, float(v)) for d, v in zip(scores["dataset"], scores["value"], strict=True) if v == v)
    return None if harmed or read == expected else f"silent: {read} instead of {expected}"
