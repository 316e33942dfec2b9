"""Make the pictures of the documentation: `python docs/pictures.py [FOLDER WITH demo.trial]`.

Without a folder the demo study is run first, which takes a minute. The screenshot needs chromium; without it that one
picture is left as it is.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

import matplotlib as mpl

import fairtrial as ft
from fairtrial.figures import figures_for, nemenyi_figure
from fairtrial.report import write_report

mpl.use("Agg")

IMAGES = Path(__file__).parent / "images"
DPI = 168  # twice what a screen shows, so that text stays sharp
NO_DATE = {"Software": None}  # the same bytes from the same study


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(made)
        results = demo_results(folder / "demo.trial")
        verdict = results.verdict()
        critical, differences, levels = figures_for(verdict)
        save(critical.figure, "demo.png")
        save(differences.figure, "differences.png")
        save(levels.figure, "dots.png")
        save(nemenyi_figure(verdict), "nemenyi.png")
        screenshot(write_report(results, Path(made) / "report.html", verdict), IMAGES / "report.png")


def demo_results(path: Path) -> ft.Results:
    """The results of the study that `fairtrial demo` runs."""
    if path.exists():
        return ft.read_study(path)
    with as_file(files("fairtrial") / "demo.toml") as study:
        return ft.load_study(study).run(path)


def save(figure: object, name: str) -> None:
    figure.savefig(IMAGES / name, dpi=DPI, facecolor="white", metadata=NO_DATE)  # type: ignore[attr-defined]
    print(IMAGES / name)


def screenshot(page: Path, image: Path) -> None:
    """The top of the report, as a browser shows it."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        print(f"no chromium here: {image} is left as it is")
        return
    with tempfile.TemporaryDirectory() as profile:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
        options += ["--hide-scrollbars", f"--user-data-dir={profile}", f"--screenshot={image}"]
        subprocess.run(
            [browser, *options, "--window-size=1000,900", page.resolve().as_uri()], check=True, capture_output=True
        )
    print(image)


if __name__ == "__main__":
    main()
