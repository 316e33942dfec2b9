"""OpenML's answer for its data set 561 (cpu, public), as fetch_openml of scikit-learn 1.9.1 returns it.

Recorded by ``fetch_openml(data_id=561, as_frame=True, parser="liac-arff")`` from the answers of the server that
scikit-learn's own tests keep, into ``openml_561.json``.
"""

import json
from pathlib import Path
from urllib.error import URLError

import pandas as pd
from sklearn.utils import Bunch


def recorded() -> Bunch:
    answer = json.loads(Path(__file__).with_name("openml_561.json").read_text(encoding="utf-8"))
    frame = pd.DataFrame(answer["rows"], columns=list(answer["columns"]))
    for column, kind in answer["columns"].items():
        frame[column] = pd.Categorical(frame[column], categories=kind) if isinstance(kind, list) else frame[column]
    [target] = answer["target_names"]
    return Bunch(
        data=frame.drop(columns=target),
        target=frame[target],
        frame=frame,
        target_names=answer["target_names"],
        details=answer["details"],
        url=answer["url"],
    )


class Server:
    """A stand-in for fetch_openml: what it was asked, and a network that can be taken away."""

    def __init__(self) -> None:
        self.calls: list[dict] = []
        self.trouble: Exception | None = None
        self.answer = recorded()

    def __call__(self, name=None, *, data_id=None, **options) -> Bunch:
        self.calls.append({"name": name, "data_id": data_id})
        if self.trouble is not None:
            raise self.trouble
        return self.answer

    def unplug(self) -> None:
        self.trouble = URLError("Name or service not known")
