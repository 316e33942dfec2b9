"""Experiments with several factors: effects, analysis of variance, and response surfaces."""

from answering import answers

from fairtrial import stats


def of_table(found):
    tested = [source for source in found.sources if source.error]
    return {
        "df": [source.df for source in found.sources],
        "SS": [source.squares for source in found.sources],
        "MS": [source.mean_square for source in found.sources],
        "F": [source.f for source in tested],
        "p": [source.p_value for source in tested],
        "R2": found.explained,
        "terms": [named.name.replace(" × ", ":").replace("residual", "Residuals") for named in found.sources].__eq__,
    }


@answers("anova_twoway")
def two_way(case, _):
    given = case["inputs"]
    design = {"material": given["material"], "temperature": given["temperature"]}
    model = stats.factorial_model(design, levels={"material": [1, 2, 3], "temperature": [15, 70, 125]})
    return of_table(stats.factorial_anova(given["y"], model))


@answers("anova_latin_square")
def latin_square(case, _):
    given = case["inputs"]
    design = {"treat": given["treat"], "row": list(map(str, given["row"])), "col": list(map(str, given["col"]))}
    return of_table(stats.factorial_anova(given["y"], stats.factorial_model(design, interactions=1)))


@answers("doe_filtration_projected_ACD")
def filtration(case, _):
    y = case["inputs"]["y"]  # in standard order of A, B, C, D
    design = {name: [1 if i >> place & 1 else -1 for i in range(16)] for name, place in (("A", 0), ("C", 2), ("D", 3))}
    return of_table(stats.factorial_anova(y, stats.factorial_model(design, interactions=None)))


@answers("factorial_effects")
def plasma_etch(case, _):
    given = case["inputs"]
    model = stats.factorial_model({name: given[name] for name in "ABC"}, interactions=None)
    effects = model.values([given["y"]])
    named = zip(effects.names, effects.values[0].tolist(), strict=True)
    return of_table(stats.factorial_anova(given["y"], model)) | {
        f"effects.{name.replace(' × ', '')}": value for name, value in named
    }


@answers("response_surface")
def montgomery(case, _):
    given = case["inputs"]
    surface = stats.response_surface({"x1": given["x1"], "x2": given["x2"]}, given["y"])
    top = stats.stationary_point(surface)
    printed = {"middle": "(Intercept)", "x1²": "I(x1^2)", "x2²": "I(x2^2)", "x1 × x2": "x1:x2"}
    found = {f"coef.{printed.get(label, label)}": surface[label].estimate for label in surface.terms.labels}
    return found | {
        "stationary": top.point.tolist(),
        "y_stationary": top.height.estimate,
        "eigenvalues": [value.estimate for value in top.eigenvalues],
        "R2": surface.anova.explained,
        "sigma": surface.anova["residual"].mean_square ** 0.5,
    }
