"""A study against a hand-written loop of ``cross_validate`` over the same splits, with the same numbers out.

Four questions: wall time with short fits (about 10 ms) and with long ones, as a ratio to
``cross_validate(n_jobs=2, scoring=[4 scorers])``; CPU beyond process start and imports, as a ratio to bare clone, fit
and predict; overhead of a trivial trial, durable write included, here and on a Dask cluster of local processes; how far
a large study of such trials raises the memory of the process that runs it.

All random states are set, so that both sides make the same calls (making numpy's RandomState takes 0.1 ms).

A fifth: what ``training_scores=True`` adds to short fits.

Run: python benchmarks/engine.py [short] [long] [cpu] [trivial] [dask] [memory] [training]
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import fairtrial as ft
from fairtrial.data.encode import encoder_for

ROUNDS = 5
WORKERS = 2
SCORERS = {
    "accuracy": "accuracy",
    "average_recall": "balanced_accuracy",
    "log_loss": "neg_log_loss",
    "auc": "roc_auc_ovr",
}
DATASETS = ["iris", "wine", "breast_cancer", "digits", "ionosphere", "pima-diabetes", "vote", "credit-g"]
SHORT = {
    "tree": DecisionTreeClassifier(random_state=0),
    "forest": RandomForestClassifier(10, random_state=0),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=200, random_state=0)),
    "bayes": GaussianNB(),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "discriminant": LinearDiscriminantAnalysis(),
}
LONG = {
    "forest": RandomForestClassifier(400, random_state=0),
    "extra": ExtraTreesClassifier(400, random_state=0),
}


def study_of(methods: dict, datasets: list[str], resampling: str, *, training_scores: bool = False) -> ft.Study:
    return ft.Study(
        datasets=datasets,
        methods={**methods, "majority": DummyClassifier(strategy="prior", random_state=0)},
        resampling=resampling,
        measures=list(SCORERS),
        training_scores=training_scores,
    )


def ours(study: ft.Study) -> tuple[float, dict]:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        results = study.run(Path(folder) / "bench.trial", workers=WORKERS, progress=False)
        means = results.scores.groupby(["dataset", "method", "measure"])["value"].mean()
        return time.perf_counter() - start, means.to_dict()


def theirs(study: ft.Study) -> tuple[float, dict]:
    plan = study.plan()
    splits = {
        i: [(s.train_rows(), s.test) for s, o in zip(plan.splits, plan.dataset_of_split, strict=True) if o == i]
        for i in range(len(study.datasets))
    }
    start = time.perf_counter()
    means = {}
    for i, dataset in enumerate(study.datasets):
        for method in study.methods:
            encoder = encoder_for(dataset)
            estimator = method.estimator if encoder is None else make_pipeline(encoder, method.estimator)
            found = cross_validate(
                estimator, dataset.X, dataset.target, cv=splits[i], n_jobs=WORKERS, scoring=list(SCORERS.values())
            )
            for name, scorer in SCORERS.items():
                sign = -1 if scorer.startswith("neg_") else 1
                means[dataset.name, method.name, name] = sign * found[f"test_{scorer}"].mean()
    return time.perf_counter() - start, means


def compare(title: str, study: ft.Study) -> None:
    print(f"\n{title}: {study.plan().headline()}")
    times: dict[str, list[float]] = {"fairtrial": [], "cross_validate": []}
    for _ in range(ROUNDS):
        mine, our_means = ours(study)
        other, their_means = theirs(study)
        times["fairtrial"].append(mine)
        times["cross_validate"].append(other)
    worst = {m: max(abs(our_means[k] - their_means[k]) for k in their_means if k[2] == m) for m in SCORERS}
    medians = {k: statistics.median(v) for k, v in times.items()}
    for name, seconds in times.items():
        print(f"  {name:<15} median {medians[name]:7.2f} s   ({', '.join(f'{s:.2f}' for s in seconds)})")
    print(f"  largest difference between the means: {', '.join(f'{m} {d:.0e}' for m, d in worst.items())}")
    print("  (scikit-learn's log-loss scorer keeps one of two columns and takes 1 − p for the other; we keep both)")
    print(f"  ratio {medians['fairtrial'] / medians['cross_validate']:.2f}")


def cpu_now() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def cpu_of_start() -> float:
    """CPU that one worker needs before it can do anything: interpreter and imports."""
    modules = (
        "fairtrial.engine.executors.worker_loop, sklearn.ensemble, sklearn.discriminant_analysis, sklearn.neighbors"
    )
    before = cpu_now()
    subprocess.run([sys.executable, "-c", f"import {modules}"], check=True)
    return cpu_now() - before


def bare(study: ft.Study) -> float:
    """CPU of clone, fit, predict and predict_proba of every trial, in this process."""
    with threadpool_limits(1):
        return _bare(study)


def _bare(study: ft.Study) -> float:
    plan = study.plan()
    trials = list(plan.trials())
    encoders = [encoder_for(dataset) for dataset in study.datasets]
    before = time.process_time()
    for trial in trials:
        dataset, split, encoder = study.datasets[trial.dataset], plan.splits[trial.split], encoders[trial.dataset]
        train = split.train_rows()
        X, T = dataset.X[train], dataset.X[split.test]
        if encoder is not None:
            encoder = clone(encoder).fit(X)
            X, T = encoder.transform(X), encoder.transform(T)
        estimator = clone(study.methods[trial.method].estimator).fit(X, dataset.target[train])
        estimator.predict(T)
        estimator.predict_proba(T)
    return time.process_time() - before


def cpu() -> None:
    study = study_of(SHORT, DATASETS, "3x10-fold")
    ratios = []
    for _ in range(3):
        start = WORKERS * statistics.median(cpu_of_start() for _ in range(3))
        before = cpu_now()
        with tempfile.TemporaryDirectory() as folder:
            from fairtrial.engine import run

            run(study, Path(folder) / "bench.trial", workers=WORKERS, progress=False).close()
        used = cpu_now() - before - start
        alone = bare(study)
        ratios.append(used / alone)
        print(f"  CPU beyond start {used:.2f} s, bare clone, fit and predict {alone:.2f} s, ratio {used / alone:.3f}")
    print(f"  median ratio {statistics.median(ratios):.3f}")


def training() -> None:
    """Wall time of a run with training scores, as a ratio to the same run without, in turn."""
    plain, scored = (study_of(SHORT, DATASETS, "10-fold", training_scores=on) for on in (False, True))
    times = [(timed_run(plain, workers=WORKERS), timed_run(scored, workers=WORKERS)) for _ in range(ROUNDS)]
    without, with_them = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"  without {without:.2f} s, with training scores {with_them:.2f} s, ratio {with_them / without:.2f}")


def trivial() -> None:
    for workers in (1, 2):
        trivial_trials("processes", workers, workers=workers)


def dask() -> None:
    from distributed import Client, LocalCluster

    for workers in (1, 2):
        options = {"n_workers": workers, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
        with LocalCluster(**options) as cluster, Client(cluster) as client:
            trivial_trials("Dask workers", workers, executor=ft.Dask(client))


def trivial_study(trials: int) -> ft.Study:
    """Ten-fold, over and over, of two methods that do nothing."""
    methods = {"uniform": DummyClassifier(strategy="uniform", random_state=0)}
    return study_of(methods, ["iris"], f"{trials // 20}x10-fold")


def trivial_trials(title: str, number: int, **where: object) -> None:
    """What a trivial trial costs beyond starting and beyond its bare clone, fit and predict: planning to closed file.

    Wall time is compared with the bare CPU divided among the workers. Each of the three is measured in turn, over and
    over, and its least is taken: what else the machine does can only add to it. The median is printed beside it.
    """
    study, start = trivial_study(10_000), study_of({}, ["iris"], "2-fold")
    n = len(study.plan())
    rounds = []
    for _ in range(ROUNDS):
        rounds.append((timed_run(study, **where), timed_run(start, **where), bare(study) / number))
        wall, begun, alone = rounds[-1]
        print(
            f"  {number} {title}: {n} trials, {wall:.2f} s of which start {begun:.2f} s; bare "
            f"{1000 * alone / n:.3f} ms a trial and worker; overhead {1000 * (wall - begun - alone) / n:.3f} ms a trial"
        )
    median = statistics.median(1000 * (wall - begun - alone) / n for wall, begun, alone in rounds)
    wall, begun, alone = (min(column) for column in zip(*rounds, strict=True))
    print(f"  overhead {1000 * (wall - begun - alone) / n:.3f} ms a trial from the least of each (median {median:.3f})")


def timed_run(study: ft.Study, **where: object) -> float:
    """Wall time of a run into a file."""
    from fairtrial.engine import run

    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        run(study, Path(folder) / "bench.trial", progress=False, **where).close()
        return time.perf_counter() - begun


def memory() -> None:
    """Each size in a process of its own, since a high-water mark never falls."""
    for n in (20_000, 200_000):
        subprocess.run([sys.executable, __file__, f"memory-of-{n}"], check=True)


def memory_of(trials: int) -> None:
    """How far a run raises the resident high-water mark (VmHWM) of this process, after a plan was made here before."""
    study = trivial_study(trials)
    n = len(study.plan())
    before = high_water_mark()
    seconds = timed_run(study, workers=WORKERS)
    grown = high_water_mark() - before
    grew = f"from {before / 1024:.0f} MB by {grown / 1024:.1f} MB, {grown / n:.3f} kB a trial"
    print(f"  {n} trials: {grew} ({seconds:.0f} s)")


def high_water_mark() -> int:
    """Kilobytes."""
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])


def main() -> None:
    warnings.simplefilter("ignore")
    wanted = sys.argv[1:] or ["short", "long", "cpu", "trivial", "dask", "memory", "training"]
    np.seterr(all="ignore")
    if "short" in wanted:
        compare("short fits", study_of(SHORT, DATASETS, "3x10-fold"))
    if "long" in wanted:
        compare("long fits", study_of(LONG, ["digits", "credit-g"], "2x10-fold"))
    if "cpu" in wanted:
        print("\nCPU:")
        cpu()
    if "trivial" in wanted:
        print("\ntrivial trials:")
        trivial()
    if "dask" in wanted:
        print("\ntrivial trials on Dask:")
        dask()
    if "memory" in wanted:
        print("\nmemory of the process that runs trivial trials:")
        memory()
    if "training" in wanted:
        print("\ntraining scores:")
        training()
    if wanted[0].startswith("memory-of-"):
        memory_of(int(wanted[0].rpartition("-")[2]))


if __name__ == "__main__":
    main()
