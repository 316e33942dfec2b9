"""Does tuning pay? A learner with its defaults, the same learner tuned, and another tuned learner.

Each method is tuned inside each training set, on inner splits that all methods share. The score of the best
configuration on these splits does not estimate its quality: the configuration was chosen for that score, and fitted to
fewer rows. The score on the outer test set does.
"""

from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import fairtrial as ft

svm = make_pipeline(StandardScaler(), SVC())
neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier())
bounds = {"low": 0.001, "high": 1000, "log": True}

study = ft.Study(
    ft.Question("Does tuning pay?", measure="accuracy"),
    datasets=["glass", "labor", "wine"],
    methods={
        "svm": svm,
        "tuned svm": ft.tuned(svm, {"svc__C": bounds, "svc__gamma": bounds}, search="halton", budget=10),
        "tuned neighbours": ft.tuned(neighbours, {"kneighborsclassifier__n_neighbors": list(range(1, 20, 2))}),
    },
    resampling="5-fold",
)
print(study.plan())
results = study.run()
print(results.verdict())
print(results.tuning_table())

accuracy = results.scores[results.scores["measure"] == "accuracy"].groupby("method")["value"].mean()
for method, inner in results.tuning.groupby("method")["inner_score"].mean().items():
    print(f"{method}: {inner:.3f} on the inner splits, {accuracy[method]:.3f} on the test sets")
