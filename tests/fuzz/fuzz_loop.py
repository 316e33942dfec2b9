"""Runs fuzzers over seeds, with a limit of time for each case, and goes on where it was stopped.

A fuzzer is a module ``fuzz_*.py`` beside this one with ``case(seed) -> str | None``: None, or what went wrong. A child
process runs the cases, so that one that hangs is reported with its seed and ended.

Run: python tests/fuzz/fuzz_loop.py [--state FILE] [--only NAME,…] [--share 0.1] [--seconds N] [--workers 2]
"""

from __future__ import annotations

import argparse
import importlib
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

HERE = Path(__file__).parent
COUNTS = {
    "scores": 30_000,
    "predictions": 15_000,
    "data": 20_000,
    "arff": 15_000,
    "toml": 10_000,
    "functions": 9_000,
    "doors": 40_000,
    "cli": 1_000,
    "processes": 50,
}
"""The number of cases of the long form; a fuzzer that is not listed has 1,000."""

HANG_SECONDS = {"processes": 120.0, "cli": 60.0}
USUAL_HANG = 30.0


@dataclass
class Progress:
    """How far a fuzzer came."""

    next: int = 0
    seconds: float = 0.0
    findings: list[tuple[int, str]] = field(default_factory=list)


def fuzzers() -> list[str]:
    """The names of the fuzzers that there are."""
    found = {p.stem.removeprefix("fuzz_") for p in HERE.glob("fuzz_*.py")} - {"loop"}
    return sorted(found, key=lambda name: (list(COUNTS).index(name) if name in COUNTS else len(COUNTS), name))


def run_cases(name: str, first: int, last: int, pipe: Connection) -> None:
    """In a child: run the cases, and send the seed and the finding of each."""
    sys.path.insert(0, str(HERE))
    sys.stdout = sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the process ends
    case = importlib.import_module(f"fuzz_{name}").case
    pipe.send((-1, None))
    for seed in range(first, last):
        pipe.send((seed, case(seed)))
    pipe.close()


def results_of(name: str, first: int, last: int, hang: float) -> Iterator[tuple[int, str | None]]:
    """The seed and finding of each case; a case that takes too long, or ends its process, is a finding."""
    context = multiprocessing.get_context("spawn")
    while first < last:
        here, there = context.Pipe(duplex=False)
        child = context.Process(target=run_cases, args=(name, first, last, there), daemon=True)
        child.start()
        there.close()
        try:
            limit = 120.0  # the first message comes after the imports
            while first < last:
                if not here.poll(limit):
                    yield first, f"hang: more than {limit:g} s"
                    first += 1
                    break
                seed, told = here.recv()
                limit = hang
                if seed >= 0:
                    yield seed, told
                    first = seed + 1
        except EOFError:
            child.join()
            yield first, f"the process ended with exit code {child.exitcode}"
            first += 1
        finally:
            child.kill()
            child.join()
            here.close()


def fuzz(name: str, progress: Progress, last: int, deadline: float) -> Iterator[Progress]:
    """Run a fuzzer up to a seed or a time; the progress is given now and then."""
    told, before = time.monotonic(), progress.seconds
    begun = told
    for seed, found in results_of(name, progress.next, last, HANG_SECONDS.get(name, USUAL_HANG)):
        progress.next = seed + 1
        progress.seconds = before + time.monotonic() - begun
        if found is not None:
            progress.findings.append((seed, found))
        if time.monotonic() > deadline:
            break
        if found is not None or time.monotonic() - told > 5:
            told = time.monotonic()
            yield progress
    yield progress


def fuzz_one(name: str, state: Path, last: int, deadline: float) -> None:
    """Run one fuzzer, and keep its progress in its own file."""
    kept = state.with_name(f"{state.stem}-{name}.json")
    progress = Progress(**json.loads(kept.read_text(encoding="utf-8"))) if kept.exists() else Progress()
    for made in fuzz(name, progress, last, deadline):
        kept.write_text(json.dumps(asdict(made), ensure_ascii=True), encoding="utf-8")
        print(f"  {name}: {made.next:,} of {last:,}, {len(made.findings)} findings, {made.seconds:.0f} s", flush=True)


def summary(name: str, state: Path) -> tuple[str, bool]:
    """A line on a fuzzer, and whether it found nothing."""
    kept = state.with_name(f"{state.stem}-{name}.json")
    made = Progress(**json.loads(kept.read_text(encoding="utf-8")))
    kinds = ("raw", "hang", "silent")
    counts = ", ".join(f"{sum(text.startswith(kind) for _, text in made.findings)} {kind}" for kind in kinds)
    lines = [f"{name}: seeds 0 to {made.next - 1:,}, {made.seconds:.0f} s, {len(made.findings)} findings ({counts})"]
    return "\n".join([*lines, *(f"    seed {seed}: {text}" for seed, text in made.findings[:10])]), not made.findings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--state", type=Path, default=Path("fuzz.json"))
    parser.add_argument("--only", default="")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the long form")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="at most so long for each fuzzer")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    names = given.only.split(",") if given.only else fuzzers()
    running: list[multiprocessing.Process] = []
    for name in names:
        while len(running) >= given.workers:
            time.sleep(0.2)
            running = [p for p in running if p.is_alive()]
        last = max(1, round(COUNTS.get(name, 1_000) * given.share))
        args = (name, given.state, last, time.monotonic() + given.seconds)
        running.append(multiprocessing.Process(target=fuzz_one, args=args))
        running[-1].start()
    for process in running:
        process.join()
    lines, clean = zip(*(summary(name, given.state) for name in names), strict=True)
    print("\n".join(lines))
    return 0 if all(clean) else 1


if __name__ == "__main__":
    sys.exit(main())
