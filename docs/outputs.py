"""Write the printed outputs of all pages anew: examples of Python, console sessions, and the README's first program.

    python docs/outputs.py            # all pages and the README
    python docs/outputs.py verdicts   # pages whose names hold this

No output is edited by hand: read the diff. An output that agrees with the page within the digits that it shows stays as
it is; what a page leaves out with ``…`` is left out again.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from _pytest.doctest import _get_checker

ROOT = Path(__file__).parents[1]
DOCS, EXAMPLES = ROOT / "docs", ROOT / "examples"
QUICK = ("list", "plan", "compare", "advise", "choose", "--help")
sys.path.insert(0, str(ROOT / "tests"))


class Rewriter(doctest.DocTestRunner):
    """Runs the examples of a page, and keeps what those print that differ."""

    def __init__(self) -> None:
        from _pytest.doctest import _get_number_flag

        doctest.register_optionflag("NUMBER")
        super().__init__(_get_checker(), verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | _get_number_flag())
        self.found: list[tuple[doctest.Example, str]] = []
        self.raised: list[str] = []

    def report_failure(self, out, test, example, got):  # noqa: ARG002
        self.found.append((example, got))

    def report_unexpected_exception(self, out, test, example, exc_info):  # noqa: ARG002
        self.raised.append(f"  {test.name}:{example.lineno + 1} raised {exc_info[0].__name__}: {exc_info[1]}")


def rewrite_examples(path: Path) -> int:
    """The examples of Python on a page; gives the number of outputs that changed."""
    text = path.read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, path.name, str(path), 0)
    if not test.examples:
        return 0
    runner, here = Rewriter(), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        try:
            runner.run(test, clear_globs=False, out=lambda _: None)
        finally:
            os.chdir(here)
            del folder
    print("".join(f"{text}\n" for text in runner.raised), end="")
    lines = text.split("\n")
    for example, got in sorted(runner.found, key=lambda pair: -pair[0].lineno):
        first = example.lineno + example.source.count("\n")
        last = first + example.want.count("\n")
        indent = " " * example.indent
        made = [indent + line if line else indent + "<BLANKLINE>" for line in got.rstrip("\n").split("\n")]
        lines[first:last] = made if got else []
    if runner.found:
        path.write_text("\n".join(lines), encoding="utf-8")
    return len(runner.found)


def rewrite_sessions(path: Path) -> int:
    """The console sessions on a page; what follows … stays left out."""
    from example_runs import run

    text, changed = path.read_text(encoding="utf-8"), 0
    sessions = re.findall(r"```console\n\$ fairtrial (.*?)\n(.*?)```", text, flags=re.DOTALL)
    for command, shown in sessions:
        if command.split()[0] not in QUICK:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            shutil.copytree(EXAMPLES, folder / "examples")
            rows = ["age,plan,churned", *["31,a,no"] * 96, *["52,b,yes"] * 4]
            (folder / "churn.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
            printed = run(folder, sys.executable, "-m", "fairtrial.cli", *command.split())
        printed = printed.replace("python -m fairtrial.cli", "fairtrial")
        before, dots, after = shown.partition("…\n")
        if not printed.startswith(before):
            kept = printed.split("\n")[: max(before.count("\n"), 1)] if dots else [printed.rstrip("\n")]
            text = text.replace(f"$ fairtrial {command}\n{shown}```", "".join(
                (f"$ fairtrial {command}\n", "\n".join(kept), "\n", dots + after if dots else "", "```")
            ))  # fmt: skip
            changed += 1
    if changed:
        path.write_text(text, encoding="utf-8")
    return changed


def rewrite_first_program(path: Path) -> int:
    """What the README's first program prints."""
    text = path.read_text(encoding="utf-8")
    program = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)[0]
    shown = re.findall(r"```text\n(.*?)```", text, flags=re.DOTALL)[0]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.py").write_text(program, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, check=True,
        )  # fmt: skip
    if done.stdout.rstrip() == shown.rstrip():
        return 0
    path.write_text(text.replace(f"```text\n{shown}```", f"```text\n{done.stdout.rstrip()}\n```"), encoding="utf-8")
    return 1


def main(part: str = "") -> None:
    """All pages whose names hold ``part``."""
    for path in sorted(DOCS.rglob("*.md")):
        if part in path.stem:
            changed = rewrite_examples(path) + rewrite_sessions(path)
            if changed:
                print(f"{path.relative_to(ROOT)}: {changed}")
    if part in "README":
        print(f"README.md: {rewrite_first_program(ROOT / 'README.md')}")


if __name__ == "__main__":
    main(*sys.argv[1:])
