"""Dask clusters, and studies that run on them, which several tests share."""

import json
import os
import subprocess
import sys

import psutil
from engine_runs import until

import fairtrial as ft
from fairtrial.engine import run
from fairtrial.store import StudyFile

OPTIONS = {"dashboard_address": ":0", "silence_logs": 50}


def study_of(methods: dict, datasets=("labor",), resampling: str = "6-fold", **options: object) -> ft.Study:
    return ft.Study(datasets=list(datasets), methods=methods, resampling=resampling, **options)


def on(client, study: ft.Study, path: object = None, **options: object) -> StudyFile:
    return run(study, path, executor=ft.Dask(client), progress=False, **options)


def workers_below(process: int) -> list[int]:
    """Our own worker processes that some process has."""
    found = []
    for child in psutil.Process(process).children():
        try:
            if "fairtrial.worker" in child.cmdline():
                found.append(child.pid)
        except psutil.Error:
            continue
    return found


def own_cluster(folder, *path):
    """A scheduler and a worker as people start them, and the address; ``path`` comes first for the worker."""
    file = folder / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    scheduler = subprocess.Popen(
        [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", file], **quiet
    )
    before = os.environ.get("PYTHONPATH", "")  # and not this process's sys.path: it travels with the study
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, path), before])}
    worker = subprocess.Popen(
        [*dask, "worker", "--scheduler-file", file, "--nthreads", "1", "--no-nanny", "--no-dashboard"],
        env=environment,
        **quiet,
    )
    until(file.exists)
    return scheduler, worker, json.loads(file.read_text())["address"]
