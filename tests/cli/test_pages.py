"""The page of ``fairtrial compare``: all pairs, the full page, explanations, and colours on a terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner

from fairtrial.cli import cli

BOLD, DIM, YELLOW, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[0m"
NAMES = ["forest", "boosting", "logistic", "guess"]
MORE = "--full: every check and reason · --explain: what the columns mean"


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    """Four methods on twelve data sets; of one trials are missing, so that there is a doubt."""
    random = np.random.default_rng(1)
    table = random.uniform(0.6, 0.8, (12, 1)) + np.array([0.1, 0.09, 0.05, -0.1]) + random.normal(0, 0.01, (12, 4))
    rows = [[f"d{i}", *(f"{x:.4f}" for x in row)] for i, row in enumerate(table)]
    rows[3][2] = ""
    path = tmp_path_factory.mktemp("pages") / "scores.csv"
    path.write_text("\n".join(map(",".join, [["dataset", *NAMES], *rows])) + "\n", encoding="utf-8")
    return path


def words(path, *more):
    return ["compare", str(path), "--measure", "accuracy", "--baseline", "guess", *more]


@cache
def compare(path, *more):
    return CliRunner().invoke(cli, words(path, *more))


@cache
def on_terminal(path, *more, columns=80, **variables):
    """What the command writes on a terminal of so many columns."""
    pty, fcntl, termios = (pytest.importorskip(name) for name in ("pty", "fcntl", "termios"))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, np.array([40, columns, 0, 0], dtype=np.uint16).tobytes())
    clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
    command = [sys.executable, "-m", "fairtrial.cli", *words(path, *more)]
    process = subprocess.Popen(
        command, stdout=theirs, stderr=subprocess.DEVNULL, stdin=theirs, env={**clean, **variables}
    )
    os.close(theirs)
    found = b""
    try:
        while part := os.read(ours, 2**16):
            found += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.wait(60) == 1  # one score is missing
    return found.decode().replace("\r\n", "\n")


class TestFlags:
    def test_the_last_line_names_them(self, scores):
        assert compare(scores).stdout.rstrip().splitlines()[-1] == MORE
        assert MORE not in compare(scores, "--full").stdout
        assert MORE not in compare(scores, "--format", "md").stdout

    def test_the_full_page_has_the_same_claims_and_every_check(self, scores):
        page, full = compare(scores).stdout, compare(scores, "--full").stdout
        rows = [line for line in page.splitlines() if line.endswith(("  best", "  out"))]
        assert len(rows) == 4
        assert set(rows) <= set(full.splitlines())
        assert page.splitlines()[0] == full.splitlines()[0]
        assert "Checked" not in page
        assert {"Checked", "Stable"} <= {line.split(" ")[0] for line in full.splitlines()}

    @pytest.mark.parametrize("how", ["text", "md", "html"])
    @pytest.mark.parametrize("flag", ["--full", "--explain"])
    def test_in_every_format_of_pages(self, scores, how, flag):
        plain, more = (compare(scores, "--format", how, *extra).stdout for extra in ((), (flag,)))
        mark = {"--full": "Friedman", "--explain": "typical lead"}[flag]
        assert more.count(mark) > plain.count(mark)

    @pytest.mark.parametrize("how", ["csv", "json", "latex"])
    @pytest.mark.parametrize("flag", ["--full", "--explain"])
    def test_data_have_no_pages(self, scores, how, flag, tmp_path):
        done = compare(scores, "--format", how, flag, "--figure", str(tmp_path / "a.png"))
        assert done.exit_code == 2
        assert f"are for a page, but --format {how} has data" in done.output
        assert not (tmp_path / "a.png").exists()

    def test_all_pairs_are_the_one_family_of_their_page(self, scores):
        usual, pairs = (json.loads(compare(scores, "--format", "json", *extra).stdout) for extra in ((), ("--pairs",)))
        assert (usual["family"], usual["comparisons"], usual["decisions"]) == ("best", None, [])
        assert pairs["family"] == "pairs"
        assert pairs["leads"] is None
        assert len(pairs["decisions"]) == 6
        assert [s["kind"] for s in pairs["statements"] if s["role"] == "answer"] == ["Differences"]

    @pytest.mark.slow
    def test_names_can_not_steer_the_terminal(self, scores, tmp_path):
        path = tmp_path / "scores.csv"
        path.write_text(scores.read_text(encoding="utf-8").replace("boosting", "boo\x1b[31mst"), encoding="utf-8")
        assert "\x1b[31m" not in on_terminal(path)


class TestColours:
    @pytest.mark.slow
    def test_on_a_terminal(self, scores):
        lines = on_terminal(scores).splitlines()
        assert lines[0].startswith(BOLD)
        assert lines[0].endswith(PLAIN)
        out = [line for line in lines if line.removesuffix(PLAIN).endswith("  out")]
        assert len(out) == 3
        assert all(line.startswith(DIM) for line in out)
        doubts = [line for line in lines if YELLOW in line]
        assert doubts
        assert doubts[0].startswith("Beware")
        assert not any(
            code in line for line in lines if line.startswith(("Read", "Test", "Next")) for code in (BOLD, DIM)
        )

    @pytest.mark.slow
    @pytest.mark.parametrize("columns", [80, 120])
    def test_fits_the_terminal(self, scores, columns):
        lines = re.sub(r"\x1b\[\d+m", "", on_terminal(scores, columns=columns)).splitlines()
        assert max(map(len, lines)) <= columns

    @pytest.mark.slow
    def test_none_where_nobody_wants_any(self, scores):
        assert "\x1b" not in on_terminal(scores, NO_COLOR="1")

    @pytest.mark.slow
    def test_none_in_a_pipe(self, scores):
        command = [sys.executable, "-m", "fairtrial.cli", *words(scores)]
        assert b"\x1b" not in subprocess.run(command, capture_output=True, check=False).stdout
