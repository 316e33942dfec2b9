"""The command line. Everything heavy is imported by the command that needs it, so that help answers at once."""

from fairtrial.cli import (
    answer_commands,
    check_command,
    choose_command,
    lab_command,
    list_and_advise,
    result_commands,
    study_commands,
)
from fairtrial.cli.program import cli, main

__all__ = [
    "answer_commands",
    "check_command",
    "choose_command",
    "cli",
    "lab_command",
    "list_and_advise",
    "main",
    "result_commands",
    "study_commands",
]
