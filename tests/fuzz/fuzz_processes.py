"""Fuzzer of the command line in processes of its own: exit code, no traceback, within a time."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import fuzz_cli

LIMIT = 60


def case(seed: int) -> str | None:
    """Run a command: it ends with 0, 1 or 2, and prints no traceback."""
    words = fuzz_cli.arguments(Random(f"processes {seed}"))
    if any("\0" in word for word in words):
        return None  # no system starts a process with NUL among its words
    try:
        done = subprocess.run(
            [sys.executable, "-m", "fairtrial.cli", *words],
            capture_output=True,
            timeout=LIMIT,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return f"hang: {words} took more than {LIMIT} s"
    if b"Traceback" in done.stderr or done.returncode not in (0, 1, 2):
        return f"raw exit code {done.returncode} of {words}: {done.stderr[-500:].decode(errors='replace')}"
    return None
