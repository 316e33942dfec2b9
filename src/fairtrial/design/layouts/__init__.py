"""Layouts: how the settings of an experiment with several factors are chosen, and what each can estimate."""

from fairtrial.design.layouts.alias_structure import Aliases, alias_structure
from fairtrial.design.layouts.all_layouts import LAYOUTS, layouts_table, parse_layout
from fairtrial.design.layouts.box_behnken import BoxBehnken
from fairtrial.design.layouts.central_composite import CentralComposite
from fairtrial.design.layouts.chosen_rows import BestGuess, OneAtATime
from fairtrial.design.layouts.compare_layouts import compare_layouts, layout_facts
from fairtrial.design.layouts.d_optimal import DOptimal
from fairtrial.design.layouts.definitive_screening import DefinitiveScreening
from fairtrial.design.layouts.fractional import Fractional
from fairtrial.design.layouts.full_factorial import FullFactorial
from fairtrial.design.layouts.layout import Axis, CodedRows, Layout
from fairtrial.design.layouts.layout_information import (
    DesignSpace,
    Efficiency,
    design_space,
    efficiency,
    estimable_effects,
    prediction_variance,
    standard_errors,
)
from fairtrial.design.layouts.layout_power import effect_power, error_df, power_table
from fairtrial.design.layouts.layout_terms import MODELS, Model, ModelMatrix, Term, model_matrix, model_terms
from fairtrial.design.layouts.plackett_burman import PlackettBurman
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
