"""Commands that answer: a verdict, a gate, and the questions about factors, each with page, figure and report."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairtrial.choices import (
    AblationOptions,
    EffectsOptions,
    RobustOptions,
    SurfaceOptions,
    VerdictOptions,
)
from fairtrial.cli.gate_options import NO_GATE, AskedGate, gate_options
from fairtrial.cli.options import (
    BriefCommand,
    at_option,
    declared_options,
    file_argument,
    format_option,
    levels_of,
    verdict_options,
)
from fairtrial.cli.output_file import figure_file, report_file
from fairtrial.cli.printing import finish, save_figure, verdict_on
from fairtrial.cli.program import cli
from fairtrial.cli.reading import former_options, read_results, reading_options
from fairtrial.tables.output_formats import file_endings

if TYPE_CHECKING:
    from fairtrial.experiments import ResultsAnswer
    from fairtrial.results import Results

PAGES = ("text", "md", "html")


def page_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for the page, the figure and the report of an answer; the command gets them as ``page``."""

    @functools.wraps(command)
    def collected(**given: Any) -> None:
        page = {name: given.pop(name) for name in ("figure", "report", "how", "full", "explain")}
        if (page["full"] or page["explain"]) and page["how"] not in PAGES:
            raise click.UsageError(
                f"--full and --explain are for a page, but --format {page['how']} has data; leave them out"
            )
        command(page=page, **given)

    options = (
        click.option("--figure", type=figure_file, metavar="FILE", help="write the figure: .png, .pdf or .svg"),
        click.option("--report", type=report_file, metavar="FILE", help=f"write the report: {file_endings()}"),
        click.option("--full", is_flag=True, help="every check, reason and reference"),
        click.option("--explain", is_flag=True, help="what the columns of the table mean"),
        format_option,
    )
    return functools.reduce(lambda made, option: option(made), reversed(options), collected)


@cli.command()
@file_argument
@verdict_options
@reading_options
@former_options
@page_options
def compare(
    file: Path, options: VerdictOptions, levels: dict[str, float | str], reading: dict[str, Any], page: dict[str, Any]
) -> None:
    """Give a verdict on results that exist already.

    FILE has scores or, with --truth, predictions; or it is a study (.trial).

    \b
    fairtrial compare results.csv --measure accuracy
    fairtrial compare predictions.csv --truth y
    """
    results = read_results(file, **reading, measure=main_measure(options), baseline=options.get("baseline"))
    _show(*verdict_on(results, options, levels), page)


@cli.command(cls=BriefCommand)
@file_argument
@gate_options
@verdict_options
@reading_options
@page_options
def gate(
    file: Path, gate: AskedGate, options: VerdictOptions, levels: dict[str, float | str], reading: dict[str, Any],
    page: dict[str, Any],
) -> None:  # fmt: skip
    """Pass or fail a change in continuous integration.

    It ends with 0 (passed), 10 (failed) or 11 (the scores leave it open).

    \b
    fairtrial gate results.csv --control old --fail-if not-better --junit gate.xml
    """
    gate = gate.by_default()
    results = read_results(file, **reading, measure=main_measure(options), baseline=options.get("baseline"))
    gate.check(results.question, options, results.method_names())
    _show(*verdict_on(results, options, levels), page, gate)


def _about_factors(declaration: type, ask: Callable[[Results, dict[str, Any]], ResultsAnswer]) -> Callable[..., Any]:
    """Make a command of a function that has its help: a question about factors with its options."""

    def make(described: Callable[..., None]) -> click.Command:
        def command(
            file: Path, measure: str | None, levels: tuple[str, ...], options: dict[str, Any],
            reading: dict[str, Any], page: dict[str, Any],
        ) -> None:  # fmt: skip
            results = read_results(file, **reading, measure=measure, baseline=options.get("baseline"))
            at = levels_of(levels)
            chosen = results.at(at) if at else results
            _show(chosen, ask(chosen, {"measure": measure, **options}), page)

        command.__doc__, command.__name__ = described.__doc__, described.__name__
        one = click.option("--measure", metavar="NAME", help="what 'better' means")
        own = declared_options(declaration, "method", "dataset")  # --methods and --datasets choose these
        options = (file_argument, one, own, at_option, reading_options, page_options)
        made = functools.reduce(lambda found, option: option(found), reversed(options), command)
        return cli.command()(made)

    return make


@_about_factors(EffectsOptions, lambda results, asked: results.effects(**asked))
def effects() -> None:
    """Say which factors matter, by how much, and what to set.

    \b
    fairtrial effects study.trial
    fairtrial effects results.csv --measure accuracy --figure effects.png
    """


@_about_factors(SurfaceOptions, lambda results, asked: results.surface(**asked))
def surface() -> None:
    """Say which setting of numeric factors is best: a response surface.

    \b
    fairtrial surface study.trial --figure contour.png
    fairtrial surface study.trial --scale logit
    """


@_about_factors(AblationOptions, lambda results, asked: results.ablation(**asked))
def ablation() -> None:
    """Say why it is better: divide an advantage among its components.

    The base has the first level of each factor, the whole the last. All combinations must have been run.

    \b
    fairtrial ablation study.trial
    fairtrial ablation study.trial --components model=tree:boosting,scaling=no:yes
    """


@_about_factors(RobustOptions, lambda results, asked: results.robust_setting(**asked))
def robust() -> None:
    """Say which setting to take for a data set like these.

    What the mean would choose stands beside it.

    \b
    fairtrial robust study.trial
    fairtrial robust study.trial --criterion regret
    """


def main_measure(options: VerdictOptions) -> str | None:
    """The measure that the scores or predictions are read for; that of a file with several where several are asked."""
    measure = options.get("measure")
    return measure if measure is None or isinstance(measure, str) else measure[0]


def _show(results: Results, answer: ResultsAnswer, page: dict[str, Any], gate: AskedGate = NO_GATE) -> None:
    """Draw the figure, print the page, write the report, and end with the exit code."""
    if page["figure"] is not None:
        save_figure(answer.figure(), page["figure"])
    finish(results, answer, gate=gate, **page)
