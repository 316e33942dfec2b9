"""Small result tables, made here."""

from __future__ import annotations

import pytest


@pytest.fixture
def write(tmp_path):
    """A text as a file."""

    def make(text, name="scores.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return make


@pytest.fixture(scope="session")
def tumour_data():
    """Breast cancer with its first class as the positive one."""
    import fairtrial as ft

    return ft.datasets("breast_cancer")[0].with_positive("benign")


@pytest.fixture(scope="session")
def tumours(tumour_data):
    """Results of three methods on breast cancer and iris, with their predictions."""
    from sklearn.linear_model import RidgeClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import NearestCentroid

    import fairtrial as ft

    methods = {"bayes": GaussianNB(), "ridge": RidgeClassifier(), "centroid": NearestCentroid()}
    study = ft.Study(datasets=[tumour_data, "iris"], methods=methods, resampling="2x3-fold", seed=5)
    return study.run(None, workers=0, progress=False)


@pytest.fixture(scope="session")
def shown():
    """The frame of what a method predicted on a data set."""

    def find(results, method, dataset="breast_cancer"):
        frame = results.predictions
        return frame[(frame["method"] == method) & (frame["dataset"] == dataset)]

    return find
