"""Commands as a person types them, in processes of their own."""

import subprocess
import sys


def fairtrial(folder, *arguments):
    """The command in a folder."""
    command = [sys.executable, "-m", "fairtrial.cli", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )


def call(*words):
    """The command here: exit code, what it printed, what it complained."""
    done = fairtrial(None, *words)
    return done.returncode, done.stdout, done.stderr
