"""The power of each effect of a layout, before anything is run."""

from __future__ import annotations

import math

from fairtrial.design.layouts.layout import CodedRows
from fairtrial.design.layouts.layout_information import Information, information
from fairtrial.design.layouts.layout_options import check_whole
from fairtrial.errors import InputError
from fairtrial.stats.arguments import number
from fairtrial.stats.power.planning import power
from fairtrial.tables import Column, Table, formats
from fairtrial.words import shown

NO_DF = "the model uses up all runs, so none are left to estimate the error: there is no test, and no power"


def error_df(coded: CodedRows, model: str = "main") -> int:
    """The runs that remain to estimate the error: their number less the rank of the model with blocks."""
    return information(coded, model).error_df


def effect_power(
    coded: CodedRows, *, effect: float, sd: float, model: str = "main", level: float = 0.95, replicates: int = 1
) -> dict[str, float]:
    r"""The power of the t-test of each effect: the probability of finding an effect of this size.

    ``effect`` is the change of the response that an effect makes (see :func:`standard_errors`), ``sd`` the standard
    deviation of the error of one run, ``replicates`` how often all rows are run. The test of an effect with standard
    error s · sd has noncentrality effect / (s · sd), and as many degrees of freedom as runs remain beyond the model.
    nan: the effect can't be estimated, or no runs remain.

    >>> from fairtrial.design.layouts import Axis, FullFactorial
    >>> laid = FullFactorial().lay_out([Axis("A"), Axis("B")], seed=1)
    >>> effect_power(laid, effect=2.0, sd=1.0, replicates=2)   # 8 runs, 5 degrees of freedom, noncentrality 2√2
    {'A': 0.6228, 'B': 0.6228}
    """
    return power_of(information(coded, model), effect=effect, sd=sd, level=level, replicates=replicates)


def power_of(
    known: Information, *, effect: float, sd: float, level: float = 0.95, replicates: int = 1
) -> dict[str, float]:
    """The power of each effect; see :func:`effect_power`."""
    if not 0 < number(sd) < math.inf:
        raise InputError(f"sd must be the standard deviation of the error, a finite number above 0, got {shown(sd)}")
    if not math.isfinite(number(effect)):
        raise InputError(f"effect must be a finite number, the change of the response, got {shown(effect)}")
    check_whole("replicates", replicates, least=1)
    df = known.error_df + (replicates - 1) * len(known.coded.rows)
    errors = known.standard_errors()
    by_size: dict[float, float] = {}
    for error in errors.values():
        size = round(error, 12)
        if size not in by_size and df > 0 and not math.isnan(error):
            shift = effect * math.sqrt(replicates) / (sd * error)
            # the one-sample t-test has the same degrees of freedom and noncentrality
            by_size[size] = power("one_sample_t", n=df + 1, effect=shift / math.sqrt(df + 1), level=level).power
    return {name: by_size.get(round(error, 12), math.nan) for name, error in errors.items()}


def power_table(
    coded: CodedRows, *, effect: float, sd: float, model: str = "main", level: float = 0.95, replicates: int = 1
) -> Table:
    """The power of each effect as a table, with its standard error."""
    known = information(coded, model)
    errors = known.standard_errors()
    found = power_of(known, effect=effect, sd=sd, level=level, replicates=replicates)
    rows = tuple((name, errors[name] * sd / math.sqrt(replicates), found[name]) for name in found)
    columns = (
        Column("effect", align="left"),
        Column("standard error", formats.significant(3)),
        Column("power", formats.fixed(3)),
    )
    df = known.error_df + (replicates - 1) * len(coded.rows)
    caption = f"power to find an effect of {effect:g} if the error of a run has standard deviation {sd:g}"
    notes = (f"two-sided t-tests at level {level:g} with {df} degrees of freedom",) if df > 0 else (NO_DF,)
    return Table(columns=columns, rows=rows, caption=caption, notes=notes)
