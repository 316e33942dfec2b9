"""Layouts of experiments with several factors."""

from answering import answers

from fairtrial.design.layouts import Axis, BoxBehnken, CentralComposite, Fractional


def axes(k):
    return [Axis(name) for name in "ABCDEFG"[:k]]


@answers("fractional_factorial")
def fraction(case, _):
    generators = dict(g.split("=") for g in case["params"]["generators"])
    found = Fractional(generators=generators).fraction([axis.name for axis in axes(case["inputs"]["k"])])
    return {
        "defining_words": lambda expected: list(found.defining_words) == expected,
        "resolution": found.resolution,
        "runs": len(found.rows),
    }


@answers("central_composite")
def central_composite(case, _):
    k, center = case["inputs"]["k"], case["inputs"]["n_center"]
    laid = CentralComposite("rotatable", center=center).lay_out(axes(k), seed=1)
    return {
        **{
            f"{a}_alpha": CentralComposite(a, center).distance(k, 2**k)
            for a in ("rotatable", "orthogonal", "spherical")
        },
        "design_rotatable": laid.rows.tolist(),
        "n_runs": len(laid.rows),
    }


@answers("box_behnken")
def box_behnken(case, _):
    rows = BoxBehnken(case["inputs"]["n_center"]).lay_out(axes(case["inputs"]["k"]), seed=1).rows
    return {
        "n_runs": len(rows),
        "design_rows_any_order": lambda expected: sorted(rows.tolist()) == sorted(expected),
    }
