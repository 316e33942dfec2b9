"""Execute the notebooks beside this file and show them as a person sees them: HTML, and PNG with Chromium.

    python examples/notebooks/render.py [FOLDER]      make notebooks

The pages are light and dark. They are written into FOLDER, ``.notebooks`` by default; the notebooks stay as they are.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from PIL import Image, ImageChops

HERE = Path(__file__).parent
THEMES = ("light", "dark")
WIDTH, TALL = 1000, 9000
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def executed(path: Path, folder: Path) -> nbformat.NotebookNode:
    """The notebook with its outputs; study files of earlier times are removed, so that all of it runs."""
    for old in folder.glob("*.trial*"):
        old.unlink()
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def photograph(page: Path) -> None:
    """Take a picture of the whole page, without the empty space below it."""
    picture = page.with_suffix(".png")
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={WIDTH},{TALL}")
    subprocess.run([BROWSER, *options, f"--screenshot={picture}", str(page)], check=True, capture_output=True)
    image = Image.open(picture).convert("RGB")
    empty = Image.new("RGB", image.size, image.getpixel((WIDTH - 1, TALL - 1)))
    bottom = ImageChops.difference(image, empty).getbbox()[3]
    image.crop((0, 0, WIDTH, min(TALL, bottom + 40))).save(picture)


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".notebooks").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(HERE.glob("*.ipynb")):
        notebook = executed(path, folder)
        for theme in THEMES:
            page = folder / f"{path.stem}-{theme}.html"
            page.write_text(HTMLExporter(theme=theme).from_notebook_node(notebook)[0], encoding="utf-8")
            if BROWSER:
                photograph(page)
            print(page)
