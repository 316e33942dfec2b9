"""Which setting should a new data set get? The one that the mean chooses, or one that no data set pays for?

Nearest neighbours at 18 settings on eleven data sets. The default criterion is the mean of the worst quarter of the
differences from each data set's own mean over settings: data sets differ much more than settings do. The answer names
the setting that the mean would have chosen, and what is lost by either. A setting that is chosen by its scores looks
better than it is. So each data set is also left out in turn, and the others choose for it.
"""

from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import RobustScaler, StandardScaler

import fairtrial as ft

SCALINGS = {"none": "passthrough", "standard": StandardScaler(), "robust": RobustScaler()}

study = ft.Study(
    ft.Question("Which setting of nearest neighbours is robust?", measure="accuracy"),
    datasets=[
        "iris",
        "wine",
        "glass",
        "labor",
        "vote",
        "breast-cancer",
        "breast_cancer",
        "ionosphere",
        "pima-diabetes",
        "credit-g",
        "digits",
    ],
    methods={"neighbours": Pipeline([("scale", "passthrough"), ("model", KNeighborsClassifier())])},
    resampling="5-fold",
    factors=[
        ft.Factor("scaling", SCALINGS, of="scale"),
        ft.Factor("neighbours", [1, 5, 15], of="model__n_neighbors"),
        ft.Factor("weights", ["uniform", "distance"], of="model__weights"),
    ],
)

if __name__ == "__main__":
    results = study.run("robust_setting.trial")
    robust = results.robust_setting()
    print(robust)
    robust.figure().savefig("robust_setting.png")
    print("\nBy the smallest regret:\n")
    print("\n".join(results.robust_setting(criterion="regret").sentences[:2]))
