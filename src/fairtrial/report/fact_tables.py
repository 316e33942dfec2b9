"""Tables of facts: failed trials, warnings, data sets, methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from fairtrial.methods.recipe import recipe
from fairtrial.report.private import hosts_of
from fairtrial.results import Results
from fairtrial.results.absentees import first_line
from fairtrial.store.json_checks import WARNINGS, read_json
from fairtrial.tables import Column, Table, formats
from fairtrial.tables.private import hide_places, hide_source

__all__ = ["datasets_table", "failures_table", "methods_table", "warnings_table"]

MOST_ROWS = 100


def failures_table(results: Results, full: bool = False) -> Table | None:
    """Failed trials, grouped by method, data set and reason; None where nothing failed."""
    if not len(results.failures):
        return None
    shown = _shown(results, full)
    groups = Counter(
        (str(f.method), str(f.dataset), shown(first_line(f.error))) for f in results.failures.itertuples(index=False)
    )
    rows = [(method, dataset, n, reason) for (method, dataset, reason), n in groups.most_common()]
    left = sum(n for _, _, n, _ in rows[MOST_ROWS:])
    notes = (f"and {formats.count(left)} more failed trials, in results.failures",) if left else ()
    columns = (
        Column("method", align="left"),
        Column("data set", align="left"),
        Column("failed trials", formats.count, key="count"),
        Column("reason", align="left"),
    )
    return Table(columns, tuple(rows[:MOST_ROWS]), caption="failed trials by method, data set and reason", notes=notes)


def _shown(results: Results, full: bool) -> Callable[[str], str]:
    """How to show what a method said: without paths and the hosts that ran it, or as it is."""
    hosts = hosts_of(results)
    return str if full else lambda text: hide_places(text, hosts)


def warnings_table(results: Results, full: bool = False) -> Table | None:
    """Trials that warned, per method, and what most of them said; None where none did."""
    if not results.warnings:
        return None
    common = _most_common_warnings(results, _shown(results, full))
    columns = [Column("method", align="left"), Column("trials with warnings", formats.count, key="trials")]
    columns += [Column("most often", align="left")] if common else []
    rows = tuple((m, n, *((common.get(m, ""),) if common else ())) for m, n in results.warnings.items())
    return Table(tuple(columns), rows, caption="warnings while fitting and predicting")


def _most_common_warnings(results: Results, shown: Callable[[str], str]) -> dict[str, str]:
    """The most frequent warning of each method, where the study file has them."""
    trials = getattr(results.source, "trials", None)
    if trials is None or "warnings" not in trials:
        return {}
    counts: dict[str, Counter[str]] = {}
    for method, said in trials.loc[trials["warnings"].notna(), ["method", "warnings"]].itertuples(index=False):
        for text, n in read_json(said, WARNINGS, "warnings", results.path):
            counts.setdefault(str(method), Counter())[shown(first_line(text))] += int(n)
    return {method: found.most_common(1)[0][0] for method, found in counts.items() if found}


def datasets_table(results: Results, full: bool = False) -> Table | None:
    """Instances, features, classes and where they came from; None where nothing is known of them."""
    known = {d: results.datasets[d] for d in results.dataset_names() if results.datasets.get(d)}
    if not known:
        return None
    source = str if full else hide_source
    wanted: dict[str, Callable[[Mapping[str, Any]], object]] = {
        "instances": lambda f: f.get("n"),
        "features": lambda f: f.get("p"),
        "classes": lambda f: len(f["classes"]) if f.get("classes") else None,
        "largest class": lambda f: max(f["balance"]) if f.get("balance") else None,
        "source": lambda f: source(str(f["source"])) if f.get("source") else None,
        "notes": lambda f: "; ".join(map(str, f.get("notes") or ())) or None,
    }
    values = {title: [of(facts) for facts in known.values()] for title, of in wanted.items()}
    kept = [title for title, column in values.items() if any(v is not None for v in column)]
    columns = (
        Column("data set", align="left"),
        *(
            Column(
                title,
                formats.percent if title == "largest class" else formats.auto,
                align="left" if title in ("source", "notes") else "right",
            )
            for title in kept
        ),
    )
    rows = tuple((name, *(values[title][i] for title in kept)) for i, name in enumerate(known))
    return Table(columns, rows, caption="data sets")


def methods_table(results: Results) -> Table | None:
    """What each method is, and the facts that its author declared; None where neither is known."""
    definition: Mapping[str, Any] = results.provenance.get("definition") or {}
    forms = {m["name"]: m["canonical"] for m in definition.get("methods", ())}
    written = {m["name"]: m["recipe"] for m in definition.get("methods", ()) if "recipe" in m}
    titles = list(dict.fromkeys(title for facts in results.facts.values() for title in facts))
    if not forms and not titles:
        return None
    inputs = {forms[m]["inputs"] for m in forms}
    columns = [Column("method", align="left")]
    columns += [Column("what it is", align="left")] if forms else []
    columns += [Column("is fed with", align="left")] if len(inputs) > 1 else []
    columns += [Column(title, align="left") for title in titles]
    rows = []
    for name in results.method_names():
        row: list[object] = [f"{name} (yardstick)" if name in results.yardsticks else name]
        form = forms.get(name)
        row += [written.get(name, recipe(form["estimator"])) if form else None] if forms else []
        row += [form["inputs"] if form else None] if len(inputs) > 1 else []
        row += [results.facts.get(name, {}).get(title) for title in titles]
        rows.append(tuple(row))
    notes = ("parameters that aren't shown have their default values",) if forms else ()
    return Table(tuple(columns), tuple(rows), caption="methods", notes=notes)
