"""Commands that answer from results that are there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairtrial.cli.options import as_format, at_option, file_argument, levels_of, names_in, question_options
from fairtrial.cli.printing import check_picture, finish, print_text, save_figure, verdict_on
from fairtrial.cli.program import cli
from fairtrial.tables.output_formats import file_endings

if TYPE_CHECKING:
    from fairtrial.results import FoldsOfCurves

__all__ = ["compare", "draw", "export", "report"]

KINDS_OF_FIGURES = (
    "roc", "coverage", "precision_recall", "cost", "reliability", "confusion", "contexts", "levels", "growth", "pareto",
)  # fmt: skip
FOLDS_OF_CURVES = ("merged", "vertical", "horizontal", "threshold")


@cli.command()
@file_argument
@click.option("--scores", metavar="FILE", help="Where to write the scores: .csv, .csv.gz, .parquet; - prints CSV.")
@click.option("--predictions", metavar="FILE", help="Where to write the predictions of all instances.")
@click.option("--measure", "measures", multiple=True, help="Only this measure; may be given several times.")
@at_option
@click.option(
    "--anonymous",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write a copy of the study file that names no host, command or folder.",
)
def export(
    file: Path, scores: str | None, predictions: str | None, measures: tuple[str, ...], levels: tuple[str, ...],
    anonymous: Path | None,
) -> None:  # fmt: skip
    """Write scores and predictions of a study file as long tables, for other programs, or a copy for blind review.

    \b
    fairtrial export study.trial --scores scores.csv --predictions predictions.parquet
    fairtrial export study.trial --scores - --measure accuracy --measure mcc
    fairtrial export study.trial --predictions noisy.parquet --at label_noise=0.1
    fairtrial export study.trial --anonymous blind.trial
    """
    from fairtrial.results import read_study

    if measures and scores is None:
        raise click.UsageError("--measure is for scores; say --scores FILE")
    if levels and scores is None and predictions is None:
        raise click.UsageError("--at is for scores and predictions; say --scores FILE or --predictions FILE")
    results = read_study(file)
    results = results.at(levels_of(levels)) if levels else results
    if measures:
        results = results.only_measures(*measures)
    for written in results.export(scores=scores, predictions=predictions, anonymous=anonymous):
        if str(written) != "-":
            print_text(str(written), err="-" in (scores, predictions))


@cli.command()
@file_argument
@question_options
@click.option("--higher-is-better/--lower-is-better", default=None, help="The direction of an unregistered measure.")
@click.option("--resampling", help="What the folds are, such as '10x10-fold'.")
@click.option("--dataset", help="Column that names the data set.")
@click.option("--method", help="Column that names the method.")
@click.option("--repeat", help="Column that numbers the repeats.")
@click.option("--fold", help="Column that numbers the folds.")
@click.option("--value", help="Column with the score, in a long table.")
@click.option("--methods", help="Only these methods, with commas between them.")
@click.option("--truth", help="FILE has predictions, not scores; this column has the true values.")
@click.option("--instance", help="Column that numbers the instances (with --truth, in a long table).")
@click.option("--cluster", help="Column whose equal entries belong together (with --truth).")
@click.option("--positive", help="The positive class (with --truth).")
@click.option("--figure", type=click.Path(path_type=Path), help="Write the picture: .png, .pdf or .svg.")
@click.option("--report", type=click.Path(path_type=Path), help=f"Write the report: {file_endings()}.")
@as_format
def compare(
    file: Path, asked: dict[str, Any], levels: dict[str, float], higher_is_better: bool | None,
    resampling: str | None, dataset: str | None,
    method: str | None, repeat: str | None, fold: str | None, value: str | None, methods: str | None,
    truth: str | None, instance: str | None, cluster: str | None, positive: str | None,
    figure: Path | None, report: Path | None, how: str,
) -> None:  # fmt: skip
    """Give a verdict on results that are there: scores (CSV, Parquet, WEKA's ARFF), predictions, or a study file.

    \b
    fairtrial compare results.csv --measure accuracy
    fairtrial compare results.csv --measure rmse --control ridge
    fairtrial compare results.arff --control J48 --per-dataset corrected_t --adjust none
    fairtrial compare long.csv --dataset task --method framework --fold fold --value auc --measure auc
    fairtrial compare predictions.csv --truth y
    """
    from fairtrial.results import read_predictions, read_scores, read_study

    if figure is not None:
        check_picture(figure)
    if file.suffix == ".trial":
        results = read_study(file)
    elif truth is not None:
        results = read_predictions(
            file, truth=truth, measure=asked["measure"], dataset=dataset, method=method, instance=instance,
            repeat=repeat, fold=fold, cluster=cluster, resampling=resampling, positive=positive,
        )  # fmt: skip
    else:
        results = read_scores(
            file, measure=asked["measure"], higher_is_better=higher_is_better, resampling=resampling, dataset=dataset,
            method=method, repeat=repeat, fold=fold, value=value, baseline=asked["baseline"],
            methods=names_in(methods),
        )  # fmt: skip
    results, verdict = verdict_on(results, asked, levels)
    if figure is not None:
        save_figure(verdict.figure(), figure)
    finish(results, verdict, how, report)


@cli.command()
@file_argument
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help=f"Where to: {file_endings()}; FILE.html by default."
)
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
@click.option("--full-provenance", is_flag=True, help="Keep the host, paths and whole command lines.")
@question_options
def report(
    file: Path, out: Path | None, show: bool, full_provenance: bool, asked: dict[str, Any], levels: dict[str, float]
) -> None:
    """Write the whole study as one page that needs no network."""
    from fairtrial.report import write_report
    from fairtrial.results import read_study

    results, verdict = verdict_on(read_study(file), asked, levels)
    written = write_report(results, out or file.with_suffix(".html"), verdict, full_provenance=full_provenance)
    print_text(str(written))
    if show:
        click.launch(written.resolve().as_uri())


@cli.command()
@file_argument
@click.argument("kind", type=click.Choice(KINDS_OF_FIGURES))
@click.option("--dataset", help="The data set, where there are several.")
@click.option("--methods", help="Only these methods, with commas between them; one for a confusion matrix.")
@click.option("--positive", help="The class that is set against the rest.")
@click.option("--folds", type=click.Choice(FOLDS_OF_CURVES), default="merged", show_default=True,
              help="One curve of all test sets, or the average of their ROC curves.")  # fmt: skip
@click.option("--measure", help="What is drawn of levels, growth or pareto: a measure of `fairtrial list measures`.")
@click.option("--factor", help="The factor whose levels are drawn, where there are several.")
@click.option("--cost", help="What quality is set against in a figure of pareto; fit_time by default.")
@at_option
@click.option("--truth", help="FILE is a table of predictions; this column has the true values.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Where to: .png, .pdf or .svg.")
def draw(
    file: Path, kind: str, dataset: str | None, methods: str | None, positive: str | None, folds: FoldsOfCurves,
    measure: str | None, factor: str | None, cost: str | None, levels: tuple[str, ...], truth: str | None,
    out: Path | None,
) -> None:  # fmt: skip
    """Draw curves, matrices, learning curves, growth of cost, quality against cost.

    Of one data set: curves, a confusion matrix, which method is best in which context. Of one or all: a measure
    against the levels of a factor, quality against cost.

    \b
    fairtrial draw study.trial roc --dataset churn.csv
    fairtrial draw study.trial confusion --dataset iris --methods forest
    fairtrial draw predictions.csv reliability --truth y --positive yes
    fairtrial draw study.trial levels --factor train_size --measure auc
    fairtrial draw study.trial growth --measure peak_memory
    fairtrial draw study.trial pareto --cost predict_time --at train_size=1
    """
    from fairtrial.figures import view_of_results
    from fairtrial.results import read_predictions, read_study

    out = out or file.with_name(f"{file.stem}-{kind}.png")
    check_picture(out)
    asked: dict[str, Any] = {"truth": truth, "positive": positive}
    results = read_study(file) if truth is None else read_predictions(file, **asked)
    results = results.at(levels_of(levels)) if levels else results
    named = positive if truth is None or kind not in ("confusion", "contexts") else None  # the table has been told
    view = view_of_results(
        results, kind, dataset=dataset, methods=names_in(methods), positive=named, folds=folds,
        measure=measure, factor=factor, cost=cost,
    )  # fmt: skip
    print_text(view.words)
    save_figure(view.figure, out)
    print_text(str(out))
