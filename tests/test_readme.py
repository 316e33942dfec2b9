"""The README's programs run, and print what it says they print (numbers aside, which change with library versions)."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairtrial.store import StudyFile

README = Path(__file__).parents[1] / "README.md"
QUICKSTART = README.parent / "examples" / "quickstart.py"
GOLDEN = Path(__file__).parent / "golden"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)


def words(text: str) -> list[str]:
    """The text without numbers and typography."""
    return re.findall(r"[A-Za-zčš]{3,}", text)


@pytest.fixture
def folder(tmp_path):
    shutil.copy(GOLDEN / "demsar_2006_table6.csv", tmp_path / "results.csv")
    return tmp_path


def run(program: str, folder: Path) -> str:
    (folder / "program.py").write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """What the first program printed, and the folder that it ran in, with its study file."""
    folder = tmp_path_factory.mktemp("readme")
    return run(blocks("python")[0], folder), folder


class TestReadme:
    @pytest.mark.slow
    def test_the_first_program_prints_what_the_readme_says(self, first):
        printed, folder = first
        assert words(printed) == words(blocks("text")[0])
        assert (folder / "report.html").stat().st_size > 10_000

    @pytest.mark.slow
    def test_the_quickstart_goes_on_with_the_study_of_the_first_program(self, first):
        """It is the same study, so that no trial is run again; it prints the plan and the same verdict."""
        printed, folder = first
        before = (folder / "report.html").stat().st_mtime_ns
        again = run(QUICKSTART.read_text(encoding="utf-8"), folder)
        assert printed.strip() in again
        assert "8 data sets × 4 methods × 10-fold = 320 trials" in again
        assert (folder / "report.html").stat().st_mtime_ns > before
        with StudyFile(folder / "small.trial") as file:
            assert file.query("SELECT COUNT(*), COUNT(DISTINCT session) FROM trial") == [(320, 1)]

    @pytest.mark.slow
    def test_the_second_program_runs(self, folder):
        sentence, p = run(blocks("python")[1], folder).splitlines()
        assert "C4.5+m+cf" in sentence
        # differences in hundredths: 2, 1, -1, 6, 5, 4; R- = 1.5, and 3 of 2**6 sign patterns have a sum of at most 1.5
        assert float(p) == 2 * 3 / 64

    def test_the_study_in_toml_is_a_study(self, folder):
        from fairtrial.design import load_study

        text = blocks("toml")[0]
        (folder / "churn.csv").write_text("age,plan,churned\n" + "31,a,no\n45,b,yes\n29,a,no\n52,b,yes\n" * 10)
        (folder / "study.toml").write_text(text, encoding="utf-8")
        study = load_study(folder / "study.toml")
        assert len(study.plan()) == 3 * 3 * 100

    def test_the_first_screen_has_the_two_commands_then_the_installation(self):
        text = README.read_text(encoding="utf-8")
        commands, rest = re.search(r"((?:^    .*\n)+)((?:.*\n)*?)```", text, flags=re.MULTILINE).groups()
        assert [line.split("#")[0].strip() for line in commands.splitlines()] == ["make demo", "make test"]
        assert "pip install ." in rest
        targets = re.findall(r"^([a-z]+):", (README.parent / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        assert {"demo", "test"} <= set(targets)

    def test_every_command_it_names_exists(self):
        from fairtrial.cli import cli

        named = set(re.findall(r"fairtrial (\w+)", README.read_text(encoding="utf-8"))) - {"as"}
        assert named <= set(cli.commands), named - set(cli.commands)
