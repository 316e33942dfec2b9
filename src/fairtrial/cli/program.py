"""The program ``fairtrial``: its group of commands, and its exit codes."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Any

import click

import fairtrial
from fairtrial.cli.options import SortedCommand
from fairtrial.cli.printing import print_text
from fairtrial.errors import FairtrialError

BAD_INPUT, INTERRUPTED = 2, 130
INSIST_SECONDS = 10
KEEPING = ("run", "demo", "lab")  # these commands keep what is done when they are stopped
SIGNALS = ("SIGINT", "SIGTERM", "SIGALRM")  # Windows has no alarm

_invoked: list[str] = []  # the name of the command, once click has found it


class Program(click.Group):
    """The group of commands; an error names options of the command, not arguments of Python."""

    command_class = SortedCommand

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except FairtrialError as error:
            from fairtrial.cli.reading import in_options

            command = self.commands.get(str(ctx.invoked_subcommand))
            error.args = (in_options(str(error), command.params if command else ()),)
            raise


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(fairtrial.__version__, prog_name="fairtrial")
@click.option(
    "--import", "modules", multiple=True, metavar="MODULE", help="Import a module that declares measures of your own."
)
def cli(modules: tuple[str, ...]) -> None:
    """A fair trial for learning algorithms: from the question to a verdict that can be defended.

    \b
    fairtrial demo                     a small study on real data, in a minute
    fairtrial run study.toml           run a study; run it again to continue it
    fairtrial compare results.csv      a verdict on scores that you have
    fairtrial report study.trial       one page with everything
    fairtrial table results.csv scores tables for a paper, a page or a program
    fairtrial draw study.trial roc     curves, confusion matrices, learning curves
    fairtrial advise churn.csv         which measure to choose
    fairtrial choose                   which test and resampling to choose
    fairtrial verify verdict.json      make a verdict again, and compare
    fairtrial check study.trial        whether a study file is whole

    Exit codes: 0 verdict reached, 1 some trials failed, 2 bad input; 10 gate failed, 11 gate undecided.
    """
    _invoked[:] = [str(click.get_current_context().invoked_subcommand)]
    if modules:
        from fairtrial.design import import_modules

        sys.path.insert(0, str(Path.cwd()))
        import_modules(modules, "--import")


def main() -> None:
    """Run the command line; an error is one line and an exit code."""
    for number in (getattr(signal, name) for name in SIGNALS if hasattr(signal, name)):
        if signal.getsignal(number) is not signal.SIG_IGN:  # a shell ignores Ctrl-C for programs in its background
            signal.signal(number, _interrupt)
    try:
        cli(standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):  # click raises Abort where Python raises KeyboardInterrupt
        kept = any(command in KEEPING for command in _invoked)
        _stop("stopped; what was done is kept: run again to go on" if kept else "stopped", INTERRUPTED)
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

    An alarm repeats the interruption until it has an effect: modules in C may swallow it while they are imported.
    """
    if hasattr(signal, "alarm"):
        signal.alarm(INSIST_SECONDS)
    raise KeyboardInterrupt


def _stop(text: str, code: int) -> None:
    print_text(f"fairtrial: {text}", err=True)
    sys.exit(code)
