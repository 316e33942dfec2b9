"""Make the pictures of the documentation: `python docs/pictures.py [FOLDER WITH demo.trial]`.

Without a folder the demo study is run first, which takes a minute. The screenshot needs chromium; without it that one
picture is left as it is. The pictures of times differ from run to run.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.calibration import CalibrationDisplay
from sklearn.ensemble import RandomForestClassifier
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import BayesianRidge, LogisticRegression
from sklearn.metrics import PrecisionRecallDisplay, RocCurveDisplay
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import fairtrial as ft
from fairtrial import figures
from fairtrial.design import layouts
from fairtrial.figures import (
    contexts_figure,
    coverage_figure,
    draw_curves,
    figures_for,
    nemenyi_figure,
    precision_recall_data,
    reliability_data,
    roc_data,
    roc_figure,
)
from fairtrial.measures import ConfusionMatrix
from fairtrial.report import write_report

mpl.use("Agg")
mpl.rcParams["font.size"] = 8

IMAGES = Path(__file__).parent / "images"
EXAMPLES = Path(__file__).parents[1] / "examples"
README = Path(__file__).parents[1] / "README.md"
DPI = 168  # twice what a screen shows, so that text stays sharp
BESIDE = {"left": 0.06, "right": 0.98, "top": 0.95, "bottom": 0.08, "wspace": 0.75, "hspace": 0.3}
NO_DATE = {"Software": None}  # the same bytes from the same study


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(made)
        pictures_of_verdicts(demo_results(folder / "demo.trial"), Path(made))
        save(readme_results(Path(made)).figure("leads"), "demo.png")
    pictures_of_one_dataset()
    pictures_of_numbers_and_times()
    pictures_of_sizes()
    pictures_of_experiments()


def pictures_of_verdicts(results: ft.Results, folder: Path) -> None:
    verdict = results.verdict()
    save(verdict.figure(), "leads.png")
    save(results.figure("differences"), "differences.png")
    save(figures_for(verdict)[-1].figure, "dots.png")
    save(nemenyi_figure(verdict), "nemenyi.png")
    screenshot(write_report(results, folder / "report.html", verdict), IMAGES / "report.png")


def pictures_of_one_dataset() -> None:
    """Curves, matrices and maps: three methods on the German credits, and a forest on kinds of glass."""
    credit = ft.Study(
        datasets=["credit-g"],
        methods={
            "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
            "bayes": GaussianNB(),
            "tree": DecisionTreeClassifier(max_depth=4),
        },
        resampling="5-fold",
    ).run(progress=False)
    save(credit.figure("cost"), "cost.png")
    curves = credit.curves("roc")
    save(roc_figure({"tree": curves["tree"]}, hull=True), "roc_hull.png")
    save(coverage_figure(curves, accuracies=True), "coverage.png")
    save(credit.figure("roc", folds="vertical"), "roc_folds.png")
    save(beside_roc(credit), "roc.png")
    save(beside_reliability(credit), "reliability.png")
    save(contexts_figure(credit.contexts(), here=(0.3, 1.0)), "contexts.png")
    save(two_models(), "two_models.png")
    save(places(credit), "places.png")
    glass = ft.Study(
        datasets=["glass"], methods={"forest": RandomForestClassifier(50)}, resampling="10-fold", measures=["accuracy"]
    ).run(progress=False)
    save(glass.figure("confusion"), "confusion.png")


def pictures_of_numbers_and_times() -> None:
    """Levels of methods that predict numbers, and of what learning costs."""
    ridge = make_pipeline(StandardScaler(), BayesianRidge())
    process = GaussianProcessRegressor(RBF(5.0) + WhiteKernel(0.5), normalize_y=True)
    values = ft.Study(
        ft.Question(measure="nrmse"),
        datasets=["diabetes"],
        methods={
            "ridge": ridge,
            "process": make_pipeline(StandardScaler(), process),
            "tree": DecisionTreeRegressor(max_depth=4),
        },
        resampling="10-fold",
    ).run(progress=False)
    save(values.verdict().figure(), "values.png")
    cost = ft.Study(
        ft.Question(measure="fit_time"),
        datasets=["iris", "wine", "glass", "pima-diabetes", "credit-g", "digits"],
        methods={
            "forest": RandomForestClassifier(50),
            "bayes": GaussianNB(),
            "tree": DecisionTreeClassifier(),
        },
        resampling="4x5-fold",
    ).run(progress=False, workers=1)
    save(figures_for(cost.verdict())[-1].figure, "times.png")


def pictures_of_sizes() -> None:
    """Learning curves, growth of cost and the Pareto front: the studies of the examples."""
    curves = example("learning_curve").run(progress=False)
    save(curves.figure("levels"), "learning_curve.png")
    save(example("student_curves").run(progress=False).figure("levels"), "level_panels.png")
    sizes = example("scaling").run(progress=False, workers=1)
    save(sizes.figure("growth", measure="fit_cpu"), "growth.png")
    save(sizes.at(train_size=6400).figure("pareto", cost="predict_cpu"), "pareto.png")


def example(name: str) -> ft.Study:
    """The study of one of the examples."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))["study"]


def beside_roc(results: ft.Results) -> Figure:
    """ROC and precision–recall curves, ours on the left, scikit-learn's displays on the right."""
    figure = Figure(figsize=(9.6, 7.0), layout="none")
    ours, theirs = zip(*figure.subplots(2, 2, gridspec_kw=BESIDE), strict=True)
    draw_curves(roc_data(results.curves("roc")), ours[0])
    draw_curves(precision_recall_data(results.curves("precision_recall")), ours[1])
    for name, (truth, p) in probabilities(results).items():
        RocCurveDisplay.from_predictions(truth, p, name=name, ax=theirs[0], drop_intermediate=False)
        PrecisionRecallDisplay.from_predictions(truth, p, name=name, ax=theirs[1])
    return titled(figure, ours[0], theirs[0])


def beside_reliability(results: ft.Results) -> Figure:
    """Reliability curves, ours on the left, scikit-learn's display on the right."""
    figure = Figure(figsize=(9.6, 5.0), layout="none")
    ours, theirs = figure.subplots(1, 2, gridspec_kw=BESIDE | {"bottom": 0.32})
    draw_curves(reliability_data(results.curves("reliability")), ours)
    for name, (truth, p) in probabilities(results).items():
        CalibrationDisplay.from_predictions(truth, p, n_bins=10, name=name, ax=theirs)
    return titled(figure, ours, theirs)


def titled(figure: Figure, ours: Axes, theirs: Axes) -> Figure:
    ours.set_title("fairtrial", fontsize=10)
    theirs.set_title("scikit-learn", fontsize=10)
    return figure


def probabilities(results: ft.Results) -> Mapping[str, tuple[np.ndarray, np.ndarray]]:
    """Of each method on the one data set: whether each instance is positive, and the probability that it is."""
    frame, (facts,) = results.predictions, results.datasets.values()
    positive = facts["classes"][facts["positive"]]
    own = {m: rows for m, rows in frame.groupby("method") if m not in results.yardsticks}
    return {m: ((own[m].truth == positive).to_numpy(), own[m][f"p_{positive}"].to_numpy()) for m in results.curves()}


def two_models() -> Figure:
    """The accuracy of Flach's two classifiers (example 12.1) for every class balance."""
    models = {
        "first": ConfusionMatrix.of_table(tp=60, fn=20, fp=0, tn=20),
        "second": ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=10),
    }
    figure = Figure(figsize=(5.2, 3.2), layout="constrained")
    ax = figure.subplots()
    shares = np.linspace(0, 1, 101)
    for (name, model), color, style in zip(models.items(), ("#0072B2", "#D55E00"), ("-", "--"), strict=True):
        accuracies = [model.measure(f"expected_accuracy(prior={share})") for share in shares]
        ax.plot(shares, accuracies, style, color=color, label=f"{name}: mean {np.mean(accuracies):.3f}")
        ax.plot(0.8, model.measure("accuracy"), "o", color=color)
    ax.axvline(0.8, color="0.6", linewidth=0.8)
    ax.annotate("test data", (0.8, 0.42), xytext=(-4, 0), textcoords="offset points", ha="right", color="0.4", size=8)
    ax.set(xlabel="share of positives", ylabel="accuracy", xlim=(0, 1), ylim=(0.4, 1.0))
    ax.legend(frameon=False, fontsize=8, loc="lower left")
    return figure


def places(results: ft.Results) -> Figure:
    """Which method is first, second, third by which measure."""
    asked = ("accuracy", "average_recall", "precision", "recall", "f_measure", "auc", "log_loss", "calibration_error")
    methods = [m for m in results.method_names() if m not in results.yardsticks]
    scores = results.with_measures(*asked).scores
    means = scores[scores.method.isin(methods)].pivot_table(index="measure", columns="method", values="value")
    figure = Figure(figsize=(7.6, 2.4), layout="constrained")
    ax = figure.subplots()
    for name, color, style in zip(methods, ("#0072B2", "#D55E00", "#009E73"), ("-o", "--s", ":^"), strict=True):
        better = [ft.measures.get(m).higher_is_better for m in asked]
        ranks = [means.loc[m].rank(ascending=not up)[name] for m, up in zip(asked, better, strict=True)]
        ax.plot(ranks, style, color=color, markersize=9, label=name)
    ax.set_xticks(range(len(asked)), [m.replace("_", "\n") for m in asked], fontsize=8)
    ax.set_yticks([1, 2, 3], ["first", "second", "third"])
    ax.set_ylim(3.35, 0.65)
    for side in ("top", "right", "left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.tick_params(length=0)
    ax.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def pictures_of_experiments() -> None:
    """Montgomery's experiment on a filtration rate (2017, chapter 6), and three layouts."""
    rate = [45, 71, 48, 65, 68, 60, 80, 65, 43, 100, 45, 104, 75, 86, 70, 96]
    names = ("temperature", "pressure", "formaldehyde", "stirring")
    runs = [{name: ("low", "high")[i >> j & 1] for j, name in enumerate(names)} for i in range(16)]
    coded = {name: [-1 if run[name] == "low" else 1 for run in runs] for name in names}
    values = ft.stats.factorial_model(coded, interactions=None).values([rate])
    effects = ft.stats.lenth(values)
    active = {term for term, is_active in zip(values.terms, effects.active(), strict=True) if is_active}
    label = "filtration rate"
    save(figures.pareto_effects_figure(figures.pareto_effects_data(effects, measure=label)), "pareto_effects.png")
    save(figures.half_normal_figure(figures.half_normal_data(effects, measure=label)), "half_normal.png")
    main = figures.main_effects_data(runs, [rate], label=label, active=active)
    save(figures.main_effects_figure(main), "main_effects.png")
    pairs = figures.interactions_data(runs, [rate], label=label, active=active)
    save(figures.interactions_figure(pairs), "interactions.png")
    screening = layouts.PlackettBurman(runs=12).lay_out([layouts.Axis(name) for name in "ABCDE"], seed=1)
    save(figures.alias_map_figure(figures.alias_map_data(screening)), "alias_map.png")
    space = [layouts.Axis(name) for name in ("rate", "depth", "trees")]
    kinds = {"central composite": layouts.CentralComposite(), "Box–Behnken": layouts.BoxBehnken()}
    two = {name: kind.lay_out(space, seed=1) for name, kind in kinds.items()}
    variance = figures.prediction_variance_data(two, "quadratic")
    save(figures.prediction_variance_figure(variance), "prediction_variance.png")


def demo_results(path: Path) -> ft.Results:
    """The results of the study that `fairtrial demo` runs."""
    if path.exists():
        return ft.read_study(path)
    with as_file(files("fairtrial") / "demo.toml") as study:
        return ft.load_study(study).run(path)


def readme_results(folder: Path) -> ft.Results:
    """The results of the first program of the README."""
    program = README.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    names: dict[str, object] = {}
    before = Path.cwd()
    os.chdir(folder)
    try:
        exec(program, names)
    finally:
        os.chdir(before)
    results = names["results"]
    assert isinstance(results, ft.Results)
    return results


def save(figure: Figure, name: str) -> None:
    figure.savefig(IMAGES / name, dpi=DPI, facecolor="white", metadata=NO_DATE)
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
