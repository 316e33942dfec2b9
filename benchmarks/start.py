"""How long the command line takes to answer, against what any numerical Python program pays to start.

Run: python benchmarks/start.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROUNDS = 15


def seconds(*command: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    import fairtrial as ft

    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.csv"
        scores = np.random.default_rng(1).random((30, 5)).round(4)
        rows = [f"d{i}," + ",".join(map(str, row)) for i, row in enumerate(scores)]
        table.write_text("dataset,a,b,c,d,e\n" + "\n".join(rows))
        trial = Path(folder) / "small.trial"
        ft.Study(datasets=["iris"], methods=["majority"], resampling="2-fold").run(trial, workers=0, progress=False)
        tool = str(Path(sys.executable).with_name("fairtrial"))
        numpy = (sys.executable, "-c", "import numpy")
        pandas = (sys.executable, "-c", "import pandas, scipy.stats")
        cases = [
            ("--help", (tool, "--help"), numpy, 1.5),
            ("run --help", (tool, "run", "--help"), numpy, 1.5),
            ("status", (tool, "status", str(trial)), numpy, 1.5),
            ("compare 30 × 5", (tool, "compare", str(table), "--measure", "accuracy"), pandas, 2.5),
        ]
        for name, ours, limit, allowed in cases:
            pairs = [(seconds(*ours), seconds(*limit)) for _ in range(ROUNDS)]
            mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
            print(f"  {name:<15} {mine:.3f} s   {limit[-1]:<30} {other:.3f} s   ratio {mine / other:.2f} (≤ {allowed})")


if __name__ == "__main__":
    main()
