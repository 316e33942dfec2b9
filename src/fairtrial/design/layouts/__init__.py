"""Layouts: how the settings of an experiment with several factors are chosen, and what each can estimate."""

from fairtrial.rooms import lazy_names

_HOMES = {
    "all_layouts": "LAYOUTS layouts_table parse_layout",
    "central_composite": "BoxBehnken CentralComposite",
    "chosen_rows": "BestGuess OneAtATime",
    "d_optimal": "DOptimal",
    "fractional": "Fractional FullFactorial",
    "layout": "Axis CodedRows Layout",
    "layout_information": (
        "DesignSpace Efficiency compare_layouts design_space effect_power efficiency error_df "
        "estimable_effects layout_facts power_table prediction_variance standard_errors "
    ),
    "layout_terms": "Aliases MODELS Model ModelMatrix Term alias_structure model_matrix model_terms",
    "plackett_burman": "DefinitiveScreening PlackettBurman",
    "regular_fraction": "RegularFraction",
    "space_filling": "Halton LatinHypercube",
}

__all__, __getattr__, __dir__ = lazy_names(__name__, _HOMES)
