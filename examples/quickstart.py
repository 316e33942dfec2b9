"""The study of the README: three methods on eight data sets. The second time you run it, no trial is run again."""

from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft

study = ft.Study(
    ft.Question("Which method is most accurate?", measure="accuracy", smallest_difference=0.01),
    datasets=["iris", "wine", "breast_cancer", "glass", "ionosphere", "labor", "vote", "pima-diabetes"],
    methods={
        "forest": RandomForestClassifier(50),
        "tree": DecisionTreeClassifier(),
        "small tree": DecisionTreeClassifier(max_depth=3),
    },
    resampling="10-fold",
)
print(study.plan())
results = study.run("small.trial")
print(results.verdict())
print(results.report("report.html"))
