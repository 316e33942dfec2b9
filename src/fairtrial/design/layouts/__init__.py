"""Layouts: how the settings of an experiment with several factors are chosen, and what each can estimate."""

from fairtrial.design.layouts.all_layouts import LAYOUTS, layouts_table, parse_layout
from fairtrial.design.layouts.central_composite import BoxBehnken, CentralComposite
from fairtrial.design.layouts.chosen_rows import BestGuess, OneAtATime
from fairtrial.design.layouts.d_optimal import DOptimal
from fairtrial.design.layouts.fractional import Fractional, FullFactorial
from fairtrial.design.layouts.layout import Axis, CodedRows, Layout
from fairtrial.design.layouts.layout_information import (
    DesignSpace,
    Efficiency,
    compare_layouts,
    design_space,
    effect_power,
    efficiency,
    error_df,
    estimable_effects,
    layout_facts,
    power_table,
    prediction_variance,
    standard_errors,
)
from fairtrial.design.layouts.layout_terms import (
    MODELS,
    Aliases,
    Model,
    ModelMatrix,
    Term,
    alias_structure,
    model_matrix,
    model_terms,
)
from fairtrial.design.layouts.plackett_burman import DefinitiveScreening, PlackettBurman
from fairtrial.design.layouts.regular_fraction import RegularFraction
from fairtrial.design.layouts.space_filling import Halton, LatinHypercube

__all__ = [
    "LAYOUTS",
    "MODELS",
    "Aliases",
    "Axis",
    "BestGuess",
    "BoxBehnken",
    "CentralComposite",
    "CodedRows",
    "DOptimal",
    "DefinitiveScreening",
    "DesignSpace",
    "Efficiency",
    "Fractional",
    "FullFactorial",
    "Halton",
    "LatinHypercube",
    "Layout",
    "Model",
    "ModelMatrix",
    "OneAtATime",
    "PlackettBurman",
    "RegularFraction",
    "Term",
    "alias_structure",
    "compare_layouts",
    "design_space",
    "effect_power",
    "efficiency",
    "error_df",
    "estimable_effects",
    "layout_facts",
    "layouts_table",
    "model_matrix",
    "model_terms",
    "parse_layout",
    "power_table",
    "prediction_variance",
    "standard_errors",
]
