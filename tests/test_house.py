"""The house is in order: the folders of the tests are those of the rooms."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
HOUSE, TESTS = ROOT / "src" / "fairtrial", ROOT / "tests"


def test_every_folder_of_tests_mirrors_one_of_the_house():
    folders = {p.parent.relative_to(TESTS) for p in TESTS.rglob("test_*.py")} - {
        Path(),
        Path("fuzz"),
        Path("golden"),
        Path("verdict/situations"),
    }
    assert [str(f) for f in sorted(folders) if not (HOUSE / f).is_dir()] == []
