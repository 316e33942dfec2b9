"""Commands that make and run studies."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairtrial.choices import VerdictOptions
from fairtrial.cli.gate_options import AskedGate, gate_options
from fairtrial.cli.options import BriefCommand, file_argument, format_option, study_argument, verdict_options
from fairtrial.cli.output_file import any_file, figure_file
from fairtrial.cli.printing import finish, print_text, save_figure, terminal_width, verdict_on
from fairtrial.cli.program import cli
from fairtrial.errors import InputError

if TYPE_CHECKING:
    from fairtrial.engine import Executor

WATCH_SECONDS = 2.0


@cli.command()
@click.option(
    "--into", "folder", type=click.Path(path_type=Path, file_okay=False), default=Path("demo"), show_default=True,
    metavar="FOLDER", help="The folder for study, results and report.",
)  # fmt: skip
@click.option("--workers", type=int, metavar="N", help="The number of worker processes; all cores by default.")
def demo(folder: Path, workers: int | None) -> None:
    """Run a small study on real data, in a minute.

    The verdict is printed. The study, its results and report.html are written to the folder given by --into.
    """
    from importlib.resources import as_file, files

    from fairtrial.design import load_study

    with as_file(files("fairtrial") / "demo.toml") as path:
        study = load_study(path)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "demo.toml").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        except OSError as error:
            raise InputError(
                f"--into {str(folder)!r} can't be written ({error.strerror or error}); choose another folder"
            ) from error
    results = study.run(folder / "demo.trial", workers=workers)
    finish(results, results.verdict(), "text", folder / "report.html")


@cli.command()
@study_argument
@click.option("--pilot", is_flag=True, help="Run one split of each data set, method and setting, to estimate the cost.")
@click.option(
    "--against", type=click.Path(path_type=Path, dir_okay=False), metavar="STUDY",
    help="Show the plans of two studies side by side: this one and another.",
)  # fmt: skip
@click.option(
    "--figure", type=figure_file, metavar="FILE",
    help="Draw which effects of its factors a plan can't tell apart: .png, .pdf or .svg.",
)  # fmt: skip
@format_option
def plan(study: Path, pilot: bool, against: Path | None, figure: Path | None, how: str) -> None:
    """Show what a study would run, and what it could answer.

    Nothing is run, except one split of each data set, method and setting with --pilot.

    \b
    fairtrial plan full.toml --against half.toml --pilot
    """
    from fairtrial.design import load_study

    made = load_study(study).plan(pilot=pilot)
    if figure is not None:
        save_figure(made.figure(), figure)
    if against is None:
        print_text(made.render(how))
        return
    other = load_study(against).plan(pilot=pilot)
    names = (study.stem, against.stem) if study.stem != against.stem else (str(study), str(against))
    print_text(made.compare(other, names).render(how))


@cli.command(cls=BriefCommand)
@study_argument
@click.option(
    "--into",
    type=any_file,
    metavar="FILE",
    help="the study file; STUDY.trial by default",
)
@click.option(
    "--workers",
    type=int,
    metavar="N",
    help="worker processes; all cores by default; 0: none",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Dask's address (tcp://…) or scheduler file",
)
@click.option("--retry-failed", is_flag=True, help="rerun the trials that failed in earlier runs")
@click.option(
    "--retries",
    type=int,
    default=0,
    metavar="N",
    help="at the end rerun failed trials, up to N times",
)
@click.option("--accept-versions", is_flag=True, help="continue although package versions have changed")
@click.option("--report/--no-report", default=True, help="write STUDY.html at the end (default)")
@click.option("--quiet", is_flag=True, help="show no progress")
@verdict_options
@gate_options
@format_option
def run(
    study: Path, into: Path | None, workers: int | None, cluster: str | None, retry_failed: bool,
    retries: int, accept_versions: bool, report: bool, quiet: bool, options: VerdictOptions,
    levels: dict[str, float | str], gate: AskedGate, how: str,
) -> None:  # fmt: skip
    """Run a study from a TOML file and print the verdict.

    Finished trials are kept in the study file: run it again to go on. Options such as --control replace parts of the
    study's question in this verdict only. A study is a file such as

    \b
    datasets = ["iris", "wine", "churn.csv"]
    methods = {tree = "sklearn.tree.DecisionTreeClassifier", rule = "one_rule"}
    question = {measure = "accuracy"}
    """
    from fairtrial.design import load_study
    from fairtrial.results.other_question import PARTS

    into = into or study.with_suffix(".trial")
    loaded = load_study(study)
    asked: dict[str, Any] = {name: value for name, value in options.items() if name in PARTS}
    replace(loaded.question, **asked)  # refused before the run
    gate.check(loaded.question, options, [method.name for method in loaded.methods])
    with cluster_executor(cluster) as executor:
        results = loaded.run(
            into,
            workers=workers,
            executor=executor,
            progress=not quiet,
            retry_failed=retry_failed,
            retries=retries,
            accept_versions=accept_versions,
        )
    finish(*verdict_on(results, options, levels), how, into.with_suffix(".html") if report else None, gate)


@contextmanager
def cluster_executor(address: str | None) -> Iterator[Executor | None]:
    """The executor for the Dask cluster at an address; None if no address is given."""
    if address is None:
        yield None
        return
    from fairtrial.engine.executors.dask_executor import Dask, connect

    with connect(address) as client:
        yield Dask(client)


@cli.command()
@file_argument
@click.option("--watch", is_flag=True, help="Show the status again every 2 seconds, until all trials are done.")
@format_option
def status(file: Path, watch: bool, how: str) -> None:
    """Show how much of a study is done.

    The status has done, failed and missing trials, who runs the study, time spent and left, and the failures.

    \b
    fairtrial status study.trial --watch
    fairtrial status study.trial --format json
    """
    if watch and how != "text":
        raise click.UsageError(f"--watch is for the terminal; leave out --watch or --format {how}")
    if watch:
        watch_status(file)
    else:
        print_text(status_of(file, how)[0])


def status_of(file: Path, how: str = "text") -> tuple[str, bool]:
    """The status of a study file as text, and whether all its trials have been run."""
    from fairtrial.store import StudyFile, study_status

    with StudyFile(file) as opened:  # closed at once, since a run that ends at the same time tidies up the file
        found = study_status(opened)
    width = terminal_width()
    return found.to_document(width).to_text(width) if how == "text" else found.render(how), not found.missing


def watch_status(file: Path) -> None:
    """Show the status again and again, until no trial is missing or Ctrl-C is pressed."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from fairtrial.words import visible_lines

    with suppress(KeyboardInterrupt), Live(console=Console(), auto_refresh=False) as live:
        done = False
        while not done:
            text, done = status_of(file)
            live.update(Text(visible_lines(text)), refresh=True)
            if not done:
                time.sleep(WATCH_SECONDS)


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--into", required=True, type=any_file, metavar="FILE", help="The new study file.")
@click.option("--accept-versions", is_flag=True, help="Merge although package versions differ.")
def merge(files: tuple[Path, ...], into: Path, accept_versions: bool) -> None:
    """Join study files that were made on the same splits.

    They may have other methods, data sets, repeats or levels of factors.

    \b
    fairtrial merge monday.trial tuesday.trial --into both.trial
    """
    from fairtrial.store import merge_studies

    print_text(str(merge_studies(files, into, accept_versions=accept_versions)))
