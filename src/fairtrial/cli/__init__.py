"""The command line. Everything heavy is imported by the command that needs it, so that help answers at once."""

from fairtrial.cli import answers, lookup, studies
from fairtrial.cli.program import cli, main

__all__ = ["answers", "cli", "lookup", "main", "studies"]
