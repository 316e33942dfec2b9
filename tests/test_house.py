"""The house is in order: one can tell from a file's name what is in it, and from its place where its tests are."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOUSE, TESTS = ROOT / "src" / "fairtrial", ROOT / "tests"
MODULES = [p.relative_to(HOUSE) for p in sorted(HOUSE.rglob("*.py")) if not p.name.startswith("__")]


def test_every_module_has_a_test_file_of_its_name():
    assert [str(m) for m in MODULES if not (TESTS / m.parent / f"test_{m.name}").exists()] == []


def test_every_folder_of_tests_mirrors_one_of_the_house():
    folders = {p.parent.relative_to(TESTS) for p in TESTS.rglob("test_*.py")} - {
        Path(),
        Path("fuzz"),
        Path("golden"),
        Path("fuzz"),
        Path("verdict/situations"),
    }
    assert [str(f) for f in sorted(folders) if not (HOUSE / f).is_dir()] == []


def test_no_file_name_stands_in_two_rooms():
    assert [name for name, count in Counter(m.name for m in MODULES).items() if count > 1] == []


def test_no_file_is_too_long_to_be_read():
    files = [*HOUSE.rglob("*.py"), *TESTS.rglob("*.py")]
    assert [str(f) for f in files if len(f.read_text(encoding="utf-8").splitlines()) > 400] == []


def test_files_that_the_map_names_are_there():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:[\w/]+/)?(\w+\.py)`", text))
    assert len(named) > 100
    there = {p.name for p in (*HOUSE.rglob("*.py"), *TESTS.rglob("*.py"), *(ROOT / "docs").glob("*.py"))}
    assert named - there == set()
    rooms = {p.relative_to(HOUSE).as_posix() for p in HOUSE.rglob("*") if p.is_dir()}
    mentioned = {f for f in re.findall(r"`([a-z_/]+)/`", text) if not f.startswith(("tests", "docs", "src"))}
    assert [f for f in mentioned if not any(room == f or room.endswith(f"/{f}") for room in rooms)] == []
