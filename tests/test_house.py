"""The house is in order: one can tell from a file's name what is in it, and from its place where its tests are."""

from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOUSE, TESTS = ROOT / "src" / "fairtrial", ROOT / "tests"
MODULES = [p.relative_to(HOUSE) for p in sorted(HOUSE.rglob("*.py")) if not p.name.startswith("__")]
FILES = [p.relative_to(ROOT) for folder in (HOUSE, TESTS) for p in sorted(folder.rglob("*.py"))]


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_every_module_has_a_test_file_of_its_name(module):
    assert (TESTS / module.parent / f"test_{module.name}").exists()


def test_no_file_name_stands_in_two_rooms():
    assert [name for name, count in Counter(m.name for m in MODULES).items() if count > 1] == []


@pytest.mark.parametrize("file", FILES, ids=str)
def test_no_file_is_too_long_to_be_read(file):
    assert len((ROOT / file).read_text(encoding="utf-8").splitlines()) <= 400


def test_every_folder_of_tests_mirrors_one_of_the_house():
    folders = {p.parent.relative_to(TESTS) for p in TESTS.rglob("test_*.py")} - {Path(), Path("golden")}
    assert [str(f) for f in sorted(folders) if not (HOUSE / f).is_dir()] == []
