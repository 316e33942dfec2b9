"""A class compares three methods on one data set, from the verdict to a model that can be used.

The verdict is about the algorithms: would the difference be there with other training data of this kind? Confusion
matrices show which classes are mistaken for which. McNemar's test is about the models of one cross-validation alone:
on which instances is only one of two right? At last the best method learns from all rows.
"""

import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fairtrial as ft

study = ft.Study(
    ft.Question("Which of three methods tells kinds of glass apart?", measure="accuracy"),
    datasets=["glass"],
    methods={
        "bayes": GaussianNB(),
        "forest": RandomForestClassifier(20),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    },
    resampling="3x5-fold",
)

if __name__ == "__main__":
    results = study.run("teacher.trial")

    print(results.verdict())

    results.figure("confusion").savefig("teacher_confusion.png")
    print("\nteacher_confusion.png\n")

    print(results.mcnemar("forest", "logistic"))

    model = results.final_model("forest")
    print(f"\n{model}")
    pane = {"RI": 1.52, "Na": 13.2, "Mg": 3.5, "Al": 1.3, "Si": 72.8, "K": 0.6, "Ca": 8.6, "Ba": 0.0, "Fe": 0.0}
    print("A new pane is predicted to be", *model.predict(pd.DataFrame([pane])))
