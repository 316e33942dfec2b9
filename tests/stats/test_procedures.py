import re

import numpy as np
import pytest
from offenders import for_each

from fairtrial import stats
from fairtrial.errors import CallError, InputError
from fairtrial.stats.procedures import MANY_P_VALUES, PROCEDURES, procedure, procedure_of, to_table

A, B = [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74], [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66]
every = for_each("found", PROCEDURES.values(), ids=PROCEDURES)


def addresses(text):
    """The dois and web addresses in a text."""
    text = " ".join(text.split())
    return {a.rstrip(".,;)") for a in re.findall(r"(?:doi:|https?://(?:doi\.org/)?|arXiv:)(\S+)", text)}


class TestEveryProcedure:
    def test_all_public_functions_are_registered(self):
        functions = {name for name in stats.__all__ if callable(getattr(stats, name)) and name[0].islower()}
        assert set(PROCEDURES) == functions - {"to_table"}

    @every
    def test_the_function_is_the_public_one(self, found):
        assert getattr(stats, found.name) is found.function

    @every
    def test_a_null_hypothesis_is_stated_where_the_documentation_has_one(self, found):
        assert bool(found.null) == ("Null hypothesis" in found.function.__doc__ or found.name == "compare_pairs")

    @every
    def test_references_stand_in_the_documentation(self, found):
        text = " ".join(found.function.__doc__.split())
        for work in found.references:
            assert work.authors.split(",")[0].split(" &")[0] in text
            assert str(work.year) in text

    @every
    def test_what_the_documentation_cites_by_address_is_one_of_the_references(self, found):
        mains = {"wilcoxon", "mcnemar", "friedman"}  # these name the works that a report cites, the text has more
        known = " ".join(work.url for work in found.references)
        cited = addresses(found.function.__doc__.split("Reference")[-1])
        assert found.name in mains or all(address.split("/", 1)[-1] in known for address in cited)

    @every
    def test_has_a_question_and_what_it_assumes(self, found):
        assert found.summary.endswith((".", "?"))
        assert found.assumes or found.name in ("details_table", "cliques", "letters")


class TestProcedureOf:
    @pytest.mark.parametrize(
        ("name", "outcome"),
        [
            ("wilcoxon", lambda: stats.wilcoxon(A, B)),
            ("corrected_t", lambda: stats.corrected_t(A, B, test_share=0.1)),
            ("mcnemar", lambda: stats.mcnemar([[50, 9], [3, 20]])),
            ("friedman", lambda: stats.friedman(np.array([A, B]).T)),
            ("paired_bootstrap", lambda: stats.paired_bootstrap([1, 0] * 9, [1, 0] * 9, [1, 1] * 9, replicates=99)),
            ("delong", lambda: stats.delong([0, 0, 1, 1, 1], [1, 3, 2, 4, 5], [2, 1, 4, 3, 5])),
        ],
    )
    def test_outcomes_lead_to_what_made_them(self, name, outcome):
        assert procedure_of(outcome().test).name == name

    def test_none_for_a_name_that_no_procedure_has(self):
        assert procedure_of("Difference of average ranks") is None
        assert procedure_of("") is None


class TestProcedure:
    def test_returns_the_function_as_a_door(self, monkeypatch):
        monkeypatch.setattr(PROCEDURES, "_known", dict(PROCEDURES))

        def mine(n: int = 1) -> float:
            """Mine."""
            return 1 / n

        made = procedure(question=MANY_P_VALUES, null="nothing is there")(mine)
        assert made.__wrapped__ is mine
        assert made(2) == 0.5
        with pytest.raises(InputError, match="n must be a whole number, got '2'"):
            made("2")
        assert PROCEDURES["mine"].null == "nothing is there"
        assert PROCEDURES["mine"].summary == "Mine."


@pytest.mark.parametrize("name", ["friedman", "quade", "repeated_anova"])
def test_columns_are_not_a_table(name):
    with pytest.raises(CallError, match=rf"{name} takes one table, data sets × methods, got 3 arguments.*column_stack"):
        getattr(stats, name)([0.1, 0.2], [0.3, 0.4], [0.5, 0.6])


def test_the_table_is_sorted_by_question_and_has_every_procedure():
    rows = to_table().rows
    assert len(rows) == len(PROCEDURES)
    assert list(rows) == sorted(rows)
    assert ("over data sets", "sign_test", "Sign test of two methods over data sets: wins against losses.") in rows
