"""Two layouts side by side: runs, resolution, efficiencies, variance of predictions, power."""

from __future__ import annotations

import math

import numpy as np

from fairtrial.design.layouts.layout import CodedRows
from fairtrial.design.layouts.layout_checks import as_signs, resolution_of_signs
from fairtrial.design.layouts.layout_information import efficiency_of, information
from fairtrial.design.layouts.layout_power import power_of
from fairtrial.errors import InputError
from fairtrial.tables import Column, Table

MOST_PRODUCTS = 5  # factors of a product: the resolution is looked for up to this number


def layout_facts(
    coded: CodedRows, *, model: str = "main", effect: float | None = None, sd: float | None = None, level: float = 0.95
) -> dict[str, object]:
    """The numbers by which layouts are compared, by name; nan where one is undefined."""
    known = information(coded, model)
    found, errors = efficiency_of(known), known.standard_errors()
    facts: dict[str, object] = {
        "runs": len(coded.rows),
        "resolution": _resolution(coded),
        "estimable effects": f"{sum(not math.isnan(e) for e in errors.values())} of {len(errors)}",
        "degrees of freedom of the error": known.error_df,
        "D-efficiency, %": found.d,
        "A-efficiency, %": found.a,
        "G-efficiency, %": found.g,
        "average variance of a prediction": found.average_variance,
        "largest variance of a prediction": found.largest_variance,
    }
    if effect is not None and sd is not None:
        powers = list(power_of(known, effect=effect, sd=sd, level=level).values())
        facts["smallest power of an effect"] = float(np.min(powers)) if powers else math.nan  # nan if one is
    return facts


def _resolution(coded: CodedRows) -> object:
    """The resolution of a two-level layout by brute force; center points are left out."""
    corners = coded.rows[(coded.rows != 0).any(axis=1)] if all(a.levels is None for a in coded.axes) else coded.rows
    signs = as_signs(corners, coded.axes)
    if signs is None or len(signs) > 1024 or len(coded.axes) > 32:
        return math.nan
    found = resolution_of_signs(signs, MOST_PRODUCTS)
    return "full" if found is None and len(coded.axes) <= MOST_PRODUCTS else found or f"above {MOST_PRODUCTS}"


def compare_layouts(
    one: CodedRows,
    other: CodedRows,
    *,
    names: tuple[str, str] = ("one", "other"),
    model: str = "main",
    effect: float | None = None,
    sd: float | None = None,
    level: float = 0.95,
) -> Table:
    """Two layouts of the same factors side by side.

    With ``effect`` and ``sd`` the smallest power of an effect is there, too (:func:`effect_power`).

    >>> from fairtrial.design.layouts import Axis, Fractional, FullFactorial
    >>> axes = [Axis(name) for name in "ABCDE"]
    >>> small, large = (layout.lay_out(axes, seed=1) for layout in (Fractional(runs=8), FullFactorial()))
    >>> print(compare_layouts(small, large, names=("2^(5−2)", "2^5"), effect=2, sd=1))
    two layouts for the model 'main'
                                      2^(5−2)      2^5
    runs                                    8       32
    resolution                              3     full
    estimable effects                  5 of 5   5 of 5
    degrees of freedom of the error         2       26
    D-efficiency, %                     100.0    100.0
    A-efficiency, %                     100.0    100.0
    G-efficiency, %                     100.0    100.0
    average variance of a prediction   0.3333  0.08333
    largest variance of a prediction   0.7500   0.1875
    smallest power of an effect        0.3568   0.9997
    """
    if [axis.name for axis in one.axes] != [axis.name for axis in other.axes]:
        raise InputError("layouts can be compared if they have the same factors, but these have different ones")
    first, second = (layout_facts(coded, model=model, effect=effect, sd=sd, level=level) for coded in (one, other))
    columns = (Column("", align="left", key="property"), *map(Column, names))
    rows = tuple((name, first[name], second[name]) for name in first)
    return Table(columns=columns, rows=rows, caption=f"two layouts for the model {model!r}")
