"""How fast is a computer? A study on a data set of OpenML, by its name.

The data are fetched once, by scikit-learn, and kept in a cache of fairtrial's own. Later runs read the copy, check its
fingerprint and never ask the network. Without network and without a copy, the study says what to do.
"""

from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression

import fairtrial as ft


def study():
    return ft.Study(
        ft.Question("Is performance a linear function of the parts?", measure="mae", control="linear"),
        datasets=["openml:561"],  # or "openml:cpu"
        methods={"linear": LinearRegression(), "forest": RandomForestRegressor(20)},
        resampling="5-fold",
    )


if __name__ == "__main__":
    try:
        chosen = study()
    except ft.errors.InputError as error:
        raise SystemExit(str(error)) from None
    print(chosen.datasets[0], "\n")
    print(chosen.run(workers=0, progress=False).verdict())
