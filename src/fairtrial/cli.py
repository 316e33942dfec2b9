"""The command line. Everything heavy is imported by the command that needs it, so that help answers at once."""

from __future__ import annotations

import functools
import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import fairtrial
from fairtrial.errors import FairtrialError, InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import FoldsOfCurves, Results
    from fairtrial.tables import Table
    from fairtrial.verdict import LevelVerdicts, Verdict

__all__ = ["main"]

FORMATS = ("text", "json", "csv", "md", "latex")
FAILURES = ("baseline", "worst", "drop", "refuse")
DOMAINS = ("such as these", "these")
KINDS_OF_FIGURES = (
    "roc", "coverage", "precision_recall", "cost", "reliability", "confusion", "contexts", "levels", "growth", "pareto",
)  # fmt: skip
FOLDS_OF_CURVES = ("merged", "vertical", "horizontal", "threshold")
OBJECTIVES = ("classify", "find", "rank", "probabilities", "values", "distribution", "cost")
NOTHING: Mapping[str, Any] = {}
WATCH_SECONDS = 2.0
SOME_FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130
INSIST_SECONDS = 10

as_format = click.option(
    "--format", "how", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print it."
)
study_argument = click.argument("study", type=click.Path(path_type=Path, dir_okay=False))
file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


def context_options(command: Callable[..., None]) -> Callable[..., None]:
    """Where the methods will be used; the command is given it as ``context``."""

    @functools.wraps(command)
    def collected(**given: Any) -> None:
        positives, costs = given.pop("positives"), given.pop("costs")
        context: dict[str, object] = {} if positives is None else {"positives": number_or_text(positives)}
        if costs is not None:
            parts = [number_or_text(c) for c in costs.split(",")]
            context["costs"] = costs if any(isinstance(p, str) for p in parts) else parts
        command(context=context, **given)

    collected = click.option(
        "--costs", metavar="FP,FN", help="What a false positive and a false negative cost in use."
    )(collected)
    return click.option("--positives", help="Share of positives in use: 0.02, uniform or 'beta(2, 5)'.")(collected)


def number_or_text(text: str) -> float | str:
    """A number where it is one, whole where it is whole."""
    try:
        number = float(text)
    except ValueError:
        return text.strip()
    return int(number) if number.is_integer() else number


def question_options(command: Callable[..., None]) -> Callable[..., None]:
    """What can be asked of results that are there; the command is given it as ``asked``."""
    options: dict[str, Any] = {
        "measure": {"help": "What 'better' means: a measure of `fairtrial list measures`."},
        "control": {"help": "Compare all others with this method, instead of all pairs."},
        "smallest_difference": {"type": float, "help": "Below it a difference does not matter."},
        "level": {"type": float, "help": "Confidence level, 0.95 by default."},
        "domains": {"type": click.Choice(DOMAINS), "help": "Speak of data sets such as these, or of each of these."},
        "failures": {"type": click.Choice(FAILURES), "help": "How failed trials are scored."},
        "baseline": {"help": "The method whose score stands in for failed ones."},
        "adjust": {"default": "holm", "show_default": True, "help": "Adjustment for several comparisons, or none."},
        "per_dataset": {"metavar": "TEST", "help": "A table against the control on each data set: corrected_t."},
    }

    @context_options
    @functools.wraps(command)
    def collected(**given: Any) -> None:
        context = given.pop("context") or None
        given["levels"] = dict(level_of(text) for text in given["levels"])
        command(asked={"context": context, **{name: given.pop(name) for name in options}}, **given)

    for name, option in reversed(options.items()):
        collected = click.option(f"--{name.replace('_', '-')}", name, **option)(collected)
    return at_option(collected)


def level_of(text: str) -> tuple[str, float]:
    """The factor and level of ``label_noise=0.1``."""
    name, _, level = text.partition("=")
    number = number_or_text(level)
    if isinstance(number, str):
        raise InputError(f"--at must be a factor and its level, such as label_noise=0.1, got {text!r}")
    return name.strip(), number


at_option = click.option(
    "--at", "levels", multiple=True, metavar="FACTOR=LEVEL", help="Only the results at this level: label_noise=0.1."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(fairtrial.__version__, prog_name="fairtrial")
@click.option(
    "--import", "modules", multiple=True, metavar="MODULE", help="A module that declares measures of your own."
)
def cli(modules: tuple[str, ...]) -> None:
    """A fair trial for learning algorithms: from the question to a verdict that can be defended.

    \b
    fairtrial demo                     a whole small study on real data, in a minute
    fairtrial run study.toml           run a study (again: go on where it stopped)
    fairtrial compare results.csv      a verdict from scores that you have
    fairtrial report study.trial       one page with everything
    fairtrial draw study.trial roc     curves, confusion matrices, learning curves, growth of cost
    fairtrial advise churn.csv         which measure to choose

    Exit codes: 0 verdict reached, 1 some trials failed, 2 bad input.
    """
    if modules:
        from fairtrial.design import import_modules

        sys.path.insert(0, str(Path.cwd()))
        import_modules(modules, "--import")


@cli.command()
@click.option(
    "--into", "folder", type=click.Path(path_type=Path, file_okay=False), default=Path("demo"), show_default=True,
    help="The folder for study, results and report.",
)  # fmt: skip
@click.option("--workers", type=int, help="Worker processes; all cores by default.")
def demo(folder: Path, workers: int | None) -> None:
    """Run a small study on real data: verdict on the terminal, report in DEMO/report.html."""
    from importlib.resources import as_file, files

    from fairtrial.design import load_study

    folder.mkdir(parents=True, exist_ok=True)
    with as_file(files("fairtrial") / "demo.toml") as path:
        study = load_study(path)
        (folder / "demo.toml").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    results = study.run(folder / "demo.trial", workers=workers)
    finish(results, results.verdict(), "text", folder / "report.html")


@cli.command()
@study_argument
@click.option("--pilot", is_flag=True, help="Try one split of each data set and method, to tell what it will cost.")
@as_format
def plan(study: Path, pilot: bool, how: str) -> None:
    """Show what a study would run, what it could tell, and what to know before; without --pilot nothing is run."""
    from fairtrial.design import load_study

    made = load_study(study).plan(pilot=pilot)
    say(str(made) if how == "text" else made.to_table().render(how))


@cli.command()
@study_argument
@click.option("--into", type=click.Path(path_type=Path, dir_okay=False), help="Study file; STUDY.trial by default.")
@click.option("--workers", type=int, help="Worker processes; all cores by default. 0: in this process, for debugging.")
@click.option(
    "--cluster", metavar="ADDRESS", help="Run on the Dask cluster at tcp://…, or of a scheduler file (.json)."
)
@click.option("--retry-failed", is_flag=True, help="Run trials again that failed in earlier runs.")
@click.option(
    "--retries", type=int, default=0, show_default=True, metavar="N", help="Run what fails again, up to N times."
)
@click.option("--accept-versions", is_flag=True, help="Go on although package versions have changed.")
@click.option("--report/--no-report", default=True, show_default=True, help="Write STUDY.html at the end.")
@click.option("--quiet", is_flag=True, help="No progress.")
@as_format
def run(
    study: Path, into: Path | None, workers: int | None, cluster: str | None, retry_failed: bool,
    retries: int, accept_versions: bool, report: bool, quiet: bool, how: str,
) -> None:  # fmt: skip
    """Run a study from a TOML file and print the verdict. Run it again to go on where it stopped.

    \b
    datasets = ["iris", "wine", "churn.csv"]
    resampling = "10x10-fold"
    [question]
    measure = "accuracy"
    [methods.forest]
    use = "sklearn.ensemble.RandomForestClassifier"
    n_estimators = 200
    [methods.bayes]
    use = "sklearn.naive_bayes.GaussianNB"
    """
    from fairtrial.design import load_study

    into = into or study.with_suffix(".trial")
    loaded = load_study(study)
    with cluster_client(cluster) as client:
        results = loaded.run(
            into,
            workers=workers,
            client=client,
            progress=not quiet,
            retry_failed=retry_failed,
            retries=retries,
            accept_versions=accept_versions,
        )
    finish(*judged(results), how, into.with_suffix(".html") if report else None)


def cluster_client(address: str | None) -> AbstractContextManager[Any]:
    """A client of the cluster at that address; None where none was given."""
    if address is None:
        return nullcontext()
    from fairtrial.engine.cluster import connect

    return connect(address)


@cli.command()
@file_argument
@click.option("--watch", is_flag=True, help="Show it again every 2 seconds, until all is done.")
@as_format
def status(file: Path, watch: bool, how: str) -> None:
    """Show how far a study file is: done, failed and missing trials, who runs it, time spent and left, failures.

    \b
    fairtrial status study.trial --watch
    fairtrial status study.trial --format json
    """
    if watch and how != "text":
        raise click.UsageError(f"--watch is for the terminal; leave it out, or --format {how}")
    if watch:
        watch_status(file)
    else:
        say(status_of(file, how)[0])


def status_of(file: Path, how: str = "text") -> tuple[str, bool]:
    """The status of a study file as text, and whether all its trials have been run."""
    from fairtrial.store import StudyFile, status_table, status_text, study_status
    from fairtrial.tables.render import json_text

    with StudyFile(file) as opened:  # not longer: a writer that ends wants to tidy up
        found = study_status(opened)
    if how == "text":
        return status_text(found, terminal_width()), not found.missing
    if how == "json":
        return json_text(found.to_dict()), not found.missing
    return status_table(found).render(how), not found.missing


def watch_status(file: Path) -> None:
    """The status, again and again, until nothing is missing or Ctrl-C."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from fairtrial.tables.render import visible_lines

    with suppress(KeyboardInterrupt), Live(console=Console(), auto_refresh=False) as live:
        done = False
        while not done:
            text, done = status_of(file)
            live.update(Text(visible_lines(text)), refresh=True)
            if not done:
                time.sleep(WATCH_SECONDS)


@cli.command()
@file_argument
@click.option("--scores", metavar="FILE", help="Where to write the scores: .csv, .csv.gz, .parquet; - prints CSV.")
@click.option("--predictions", metavar="FILE", help="Where to write the predictions of all instances.")
@click.option("--measure", "measures", multiple=True, help="Only this measure; may be given several times.")
def export(file: Path, scores: str | None, predictions: str | None, measures: tuple[str, ...]) -> None:
    """Write scores and predictions of a study file as long tables, for other programs.

    \b
    fairtrial export study.trial --scores scores.csv --predictions predictions.parquet
    fairtrial export study.trial --scores - --measure accuracy --measure mcc
    """
    from fairtrial.results import read_study

    if measures and scores is None:
        raise click.UsageError("--measure is for scores; say --scores FILE")
    results = read_study(file)
    if measures:
        results = results.only_measures(*measures)
    for written in results.export(scores=scores, predictions=predictions):
        if str(written) != "-":
            say(str(written), err="-" in (scores, predictions))


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--into", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The new study file.")
@click.option("--accept-versions", is_flag=True, help="Merge although package versions differ.")
def merge(files: tuple[Path, ...], into: Path, accept_versions: bool) -> None:
    """Join study files that were made on the same splits: more methods, data sets, repeats, levels.

    \b
    fairtrial merge monday.trial tuesday.trial --into both.trial
    """
    from fairtrial.store import merge_studies

    say(str(merge_studies(files, into, accept_versions=accept_versions)))


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
@click.option("--report", type=click.Path(path_type=Path), help="Write the report: .html, .md or .tex.")
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
            methods=None if methods is None else [m.strip() for m in methods.split(",")],
        )  # fmt: skip
    results, verdict = judged(results, asked, levels)
    if figure is not None:
        save_figure(verdict.figure(), figure)
    finish(results, verdict, how, report)


@cli.command()
@file_argument
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Where to: .html, .md or .tex; FILE.html by default."
)
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
@question_options
def report(file: Path, out: Path | None, show: bool, asked: dict[str, Any], levels: dict[str, float]) -> None:
    """Write the whole study as one page that needs no network."""
    from fairtrial.report import write_report
    from fairtrial.results import read_study

    results, verdict = judged(read_study(file), asked, levels)
    written = write_report(results, out or file.with_suffix(".html"), verdict)
    say(str(written))
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

    asked: dict[str, Any] = {"truth": truth, "positive": positive}
    results = read_study(file) if truth is None else read_predictions(file, **asked)
    results = results.at(dict(map(level_of, levels))) if levels else results
    names = None if methods is None else [m.strip() for m in methods.split(",")]
    out = out or file.with_name(f"{file.stem}-{kind}.png")
    named = positive if truth is None or kind not in ("confusion", "contexts") else None  # the table has been told
    view = view_of_results(
        results, kind, dataset=dataset, methods=names, positive=named, folds=folds,
        measure=measure, factor=factor, cost=cost,
    )  # fmt: skip
    say(view.words)
    save_figure(view.figure, out)
    say(str(out))


@cli.command()
@click.argument("data")
@click.option("--target", help="Column with the true values.")
@click.option("--objective", type=click.Choice(OBJECTIVES), help="What the predictions are for.")
@click.option("--outputs", help="What the methods give: label,score,probability or value,std.")
@context_options
@as_format
def advise(
    data: str, target: str | None, objective: str | None, outputs: str | None, context: dict[str, object], how: str
) -> None:
    """Say which measure to choose for a data set (a file, or one that is bundled) and an objective, and why.

    \b
    fairtrial advise churn.csv --target churned
    fairtrial advise churn.csv --target churned --positives 0.02 --costs 1,30
    fairtrial advise churn.csv --objective rank
    """
    from fairtrial.data import bundled_names, datasets, read_dataset
    from fairtrial.measures import advise_measure

    given = {} if outputs is None else {"outputs": [o.strip() for o in outputs.split(",")]}
    chosen = datasets(data)[0] if target is None and data in bundled_names() else read_dataset(data, target=target)
    advice = advise_measure(chosen, objective=objective, context=context, **given)
    first = f"Decide by {advice.measure}: {advice.recommendations[0].reason}."
    table = advice.to_table()
    say(f"{first}\n\n{table.to_text(terminal_width())}" if how == "text" else table.render(how))


@cli.command("list")
@click.argument(
    "what", type=click.Choice(["measures", "tests", "resamplings", "factors", "rules", "baselines", "data"])
)
@as_format
def list_(what: str, how: str) -> None:
    """List what there is."""
    table = listing(what)
    say(table.to_text(terminal_width()) if how == "text" else table.render(how))


def listing(what: str) -> Table:
    """The table behind ``fairtrial list``."""
    if what == "measures":
        from fairtrial.measures import to_table as measures

        return measures()
    if what == "tests":
        from fairtrial.stats import to_table as tests

        return tests()
    if what == "resamplings":
        from fairtrial.resampling import to_table as resamplings

        return resamplings()
    if what == "factors":
        from fairtrial.design import factors_table

        return factors_table()
    if what == "rules":
        from fairtrial.verdict import to_table as rules

        return rules()
    if what == "baselines":
        from fairtrial.methods import to_table as baselines

        return baselines()
    from fairtrial.data import bundled_table

    return bundled_table()


def judged(
    results: Results, asked: Mapping[str, Any] = NOTHING, levels: Mapping[str, float] = NOTHING
) -> tuple[Results, Verdict | LevelVerdicts]:
    """The results at some levels and the verdict on them: one for each level, where several are left."""
    chosen = results.at(levels) if levels else results
    return chosen, chosen.verdicts(**asked) if chosen.factors else chosen.verdict(**asked)


def finish(results: Results, verdict: Verdict | LevelVerdicts, how: str, report: Path | None) -> None:
    """Print the verdict, write the report, and end with the exit code that says whether trials failed."""
    say(verdict.render(how))
    if report is not None:
        from fairtrial.report import write_report

        write_report(results, report, verdict)
        say(f"\n{report}", err=how != "text")
    if verdict.failed:
        raise SystemExit(SOME_FAILED)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a picture; a bad ending or folder is bad input."""
    import matplotlib

    fonts: Any = {"pdf.fonttype": 42, "ps.fonttype": 42}  # journals refuse Type 3 fonts
    try:
        with matplotlib.rc_context(fonts):
            figure.savefig(path)
    except (ValueError, OSError) as error:
        raise FairtrialError(f"the figure can't be written to {path}: {error}") from error


def terminal_width() -> int | None:
    """How wide the terminal is; None where the output goes into a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def say(text: str, *, err: bool = False) -> None:
    """Print; control characters that came with names from data are made visible, so that they do nothing."""
    from fairtrial.tables.render import visible_lines

    click.echo(visible_lines(text), err=err)


def main() -> None:
    """Run the command line; an error is one line and an exit code."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as in a shell's background
            signal.signal(number, _interrupt)
    try:
        cli(standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):  # click makes the one of the other
        _stop("stopped; what was done is kept: run again to go on", INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(BAD_INPUT)
    except FairtrialError as error:
        _stop(str(error), BAD_INPUT)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def _interrupt(*_: object) -> None:
    """End as after Ctrl-C, also at the end of a cluster's job (SIGTERM).

    It comes again while nobody heeds it: modules in C may swallow it while they are imported.
    """
    signal.alarm(INSIST_SECONDS)
    raise KeyboardInterrupt


def _stop(text: str, code: int) -> None:
    say(f"fairtrial: {text}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
