"""Make docs/gallery.md and its pictures: `python docs/gallery.py`.

Every table and figure of results that has a name, each from a real study by the line beside it. Tests make all tables
again and compare them with the page, and draw all figures. Pictures with times differ from run to run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial import figures, result_tables
from fairtrial.words import listed

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PAGE = DOCS / "gallery.md"
IMAGES = "images/gallery"
DPI = 110

METHODS = """{
    "forest": RandomForestClassifier(20),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "bayes": GaussianNB(),
}"""

STUDIES = {
    "results": f"""methods = {METHODS}
results = ft.Study(
    ft.Question(measure="accuracy", smallest_difference=0.01),
    datasets=["iris", "wine", "glass", "vote", "breast_cancer", "ionosphere"],
    methods=methods,
    resampling="5-fold",
    measures=["accuracy", "log_loss", "fit_time"],
    training_scores=True,
).run(workers=0, progress=False)""",
    "scores": 'scores = ft.read_scores("examples/demsar_2006_auc.csv", measure="auc")',
    "kernels": 'kernels = ft.read_scores("examples/kernels.csv", measure="accuracy", resampling="10-fold")',
    "noisy": """noisy = ft.Study(
    datasets=["iris", "wine", "glass", "vote"],
    methods=methods,
    resampling="5-fold",
    factors={"label_noise": [0, 0.2, 0.4]},
).run(workers=0, progress=False)""",
    "sizes": """sizes = ft.Study(
    datasets=["breast_cancer", "ionosphere"],
    methods=methods,
    resampling="5-fold",
    factors={"train_size": [20, 60, 180]},
    measures=["accuracy", "fit_time"],
).run(workers=0, progress=False)""",
    "settings": """settings = ft.Study(
    datasets=["iris", "wine", "glass", "vote", "breast_cancer", "ionosphere", "labor", "breast-cancer", "credit-g"],
    methods={"tree": DecisionTreeClassifier()},
    resampling="5-fold",
    factors={"max_depth": [1, 6], "min_samples_leaf": [1, 15], "criterion": ["gini", "entropy"]},
).run(workers=0, progress=False)""",
    "svms": """svms = ft.Study(
    datasets=["iris", "wine", "glass", "vote", "breast_cancer", "ionosphere", "labor"],
    methods={"svm": make_pipeline(StandardScaler(), SVC())},
    resampling="5-fold",
    factors=[ft.Factor("C", log=(0.3, 300), of="svc__C"), ft.Factor("gamma", log=(0.0003, 0.3), of="svc__gamma")],
    plan={"kind": "central composite", "alpha": "face"},
).run(workers=0, progress=False)""",
}
"""The lines that make each of the results of the page."""


class Line(NamedTuple):
    """A line of the page: the results, the name of a table or figure, and its options as they are written."""

    of: str
    name: str
    options: str = ""

    def call(self, method: str) -> str:
        return f'{self.of}.{method}("{self.name}"{", " if self.options else ""}{self.options})'


TABLES = (
    Line("results", "scores"),
    Line("results", "measures", 'dataset="glass", measures=["accuracy", "log_loss"]'),
    Line("results", "measures_by_dataset", 'measures=["accuracy", "log_loss"], spread="none"'),
    Line("scores", "ranking"),
    Line("scores", "pairwise"),
    Line("results", "winners"),
    Line("noisy", "win_tie_loss", 'factor="label_noise"'),
    Line("results", "anova", 'dataset="glass"'),
    Line("results", "confusion", 'dataset="glass", methods=["forest"]'),
    Line("results", "mcnemar", 'dataset="glass"'),
    Line("kernels", "failures"),
    Line("", "critical_values", 'test="wilcoxon"'),
)
TWO = 'methods=["C4.5+m", "C4.5"]'
FIGURES = (
    Line("scores", "leads"),
    Line("scores", "critical_difference"),
    Line("scores", "critical_difference", 'control="C4.5", test="bonferroni_dunn"'),
    Line("scores", "ranks"),
    Line("scores", "pairwise"),
    Line("scores", "differences"),
    Line("scores", "dataset_differences", f"{TWO}, smallest_difference=0.01"),
    Line("scores", "null_distribution"),
    Line("scores", "decision_path"),
    Line("scores", "scatter", f"{TWO}, smallest_difference=0.01"),
    Line("scores", "profiles"),
    Line("scores", "simplex", f"{TWO}, smallest_difference=0.01"),
    Line("scores", "power"),
    Line("results", "folds", 'dataset="glass"'),
    Line("results", "training_gap"),
    Line("results", "pareto"),
    Line("results", "roc", 'dataset="ionosphere"'),
    Line("results", "coverage", 'dataset="ionosphere"'),
    Line("results", "precision_recall", 'dataset="ionosphere"'),
    Line("results", "cost", 'dataset="ionosphere"'),
    Line("results", "reliability", 'dataset="ionosphere"'),
    Line("results", "contexts", 'dataset="ionosphere"'),
    Line("results", "confusion", 'dataset="glass"'),
    Line("sizes", "levels"),
    Line("sizes", "growth", 'dataset="breast_cancer"'),
    Line("settings", "pareto_effects"),
    Line("settings", "half_normal"),
    Line("settings", "main_effects"),
    Line("settings", "interactions"),
    Line("svms", "contour"),
    Line("svms", "slices"),
    Line("settings", "ablation"),
    Line("settings", "robust_setting"),
)


def run_studies() -> dict[str, object]:
    """The results of the page by name, made by its own lines."""
    names: dict[str, object] = {
        "ft": ft, "RandomForestClassifier": RandomForestClassifier, "LogisticRegression": LogisticRegression,
        "GaussianNB": GaussianNB, "DecisionTreeClassifier": DecisionTreeClassifier, "make_pipeline": make_pipeline,
        "StandardScaler": StandardScaler, "SVC": SVC,
    }  # fmt: skip
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        for lines in STUDIES.values():
            exec(lines, names)
    finally:
        os.chdir(before)
    return names


def table_call(line: Line) -> str:
    """The line of Python that makes a table."""
    return line.call("table") if line.of else f"ft.stats.{line.name}({line.options.partition('=')[2]})"


def table_of(line: Line, names: dict[str, object]) -> ft.tables.Table:
    made: ft.tables.Table = eval(table_call(line), names)
    return made


def command_of(line: Line, command: str, file: str) -> str:
    """The same on the command line."""
    options = "".join(f" --{text}" for text in _options(line.options))
    options += " --measure auc" if line.of == "scores" else ""
    return f"fairtrial {command} {file + ' ' if file else ''}{line.name}{options}"


def _options(text: str) -> Iterator[str]:
    given: dict[str, object] = eval(f"dict({text})")
    for name, value in given.items():
        shown = ",".join(value) if isinstance(value, list) else str(value)
        yield f"{name.replace('_', '-')} {shown!r}" if " " in shown else f"{name.replace('_', '-')} {shown}"


FILES = {
    "results": "results.trial", "scores": "examples/demsar_2006_auc.csv", "kernels": "examples/kernels.csv",
    "noisy": "noisy.trial", "sizes": "sizes.trial", "settings": "settings.trial", "svms": "svms.trial", "": "",
}  # fmt: skip


def sections(names: dict[str, object], draw: bool) -> Iterator[str]:
    """The page, piece by piece; its pictures are drawn where ``draw`` is set."""
    yield "# Gallery"
    yield (
        "Every table and figure of results that has a name, each from a real study by the line beside it. In Python "
        "a table is printed, or written with `to_latex()`, `to_html()`, `to_markdown()` and `to_csv()`; a figure is "
        "saved with `savefig`. On the command line `--format` chooses the format of a table, and `--out` the file. "
        "`fairtrial list tables` and `fairtrial list figures` say which options each takes."
    )
    yield "This page is made by `python docs/gallery.py`, from these results:"
    imports = (
        "from sklearn.ensemble import RandomForestClassifier",
        "from sklearn.linear_model import LogisticRegression",
        "from sklearn.naive_bayes import GaussianNB",
        "from sklearn.pipeline import make_pipeline",
        "from sklearn.preprocessing import StandardScaler",
        "from sklearn.svm import SVC",
        "from sklearn.tree import DecisionTreeClassifier",
        "",
        "import fairtrial as ft",
    )
    yield "```python\n" + "\n".join(imports) + "\n\n" + "\n".join(STUDIES.values()) + "\n```"
    yield "## Tables"
    for line in TABLES:
        yield from _table(line, names)
    yield "## Figures"
    for number, line in enumerate(FIGURES):
        yield from _figure(line, names, f"{IMAGES}/{number:02}_{line.name}.png", draw)


def _table(line: Line, names: dict[str, object]) -> Iterator[str]:
    made = table_of(line, names)
    yield f"### {line.name}"
    yield f"{_sentence(result_tables.KINDS[line.name].shows)}"
    call = f"print({table_call(line)})"
    yield f"```python\n{call}\n```"
    yield f"    {command_of(line, 'table', FILES[line.of])}"
    yield f"```text\n{made}\n```"
    if made.explain:
        yield f"*How to read it.* {made.explain}"


def _figure(line: Line, names: dict[str, object], image: str, draw: bool) -> Iterator[str]:
    options = listed((name for name, _ in _named(line.options)), None)
    again = sum(other.name == line.name for other in FIGURES) > 1 and line.options
    yield f"### {line.name} as a figure" + (f", with {options}" if again else "")
    yield f"{_sentence(figures.KINDS[line.name].shows)}"
    yield f"```python\n{line.call('figure')}\n```"
    yield f"    {command_of(line, 'draw', FILES[line.of])}"
    if draw:
        figure = eval(line.call("figure"), names)
        figure.savefig(DOCS / image, dpi=DPI, metadata={"Software": None})
    yield f"![{figures.KINDS[line.name].shows}]({image})"


def _named(options: str) -> list[tuple[str, object]]:
    given: dict[str, object] = eval(f"dict({options})")
    return list(given.items())


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def main() -> None:
    (DOCS / IMAGES).mkdir(parents=True, exist_ok=True)
    PAGE.write_text("\n\n".join(sections(run_studies(), draw=True)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
