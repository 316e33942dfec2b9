"""Programs and commands of the documentation, run in a folder."""

import os
import subprocess
import sys
from pathlib import Path


def run(folder: Path, *command: str) -> str:
    environment = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode in (0, 2), done.stderr
    return done.stdout + done.stderr


def run_quicker(program, less):
    """What an example prints when it does less: with each of these texts replaced."""
    text = program.read_text(encoding="utf-8")
    for more, fewer in less.items():
        assert more in text
        text = text.replace(more, fewer)
    program.write_text(text, encoding="utf-8")
    return run(program.parent, sys.executable, program.name)
