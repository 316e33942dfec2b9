"""Every figure's name is found where the map says, and editors see the same names."""

from pathlib import Path

import pytest

from fairtrial import figures

STUB = Path(figures.__file__).with_suffix(".pyi")
HEAD = "# Made by tests/figures/test_public_names.py from the map of names; don't edit: the test writes it anew.\n"


def text() -> str:
    """The stub: an import for each name, and what the package itself defines."""
    lines = [
        f"from fairtrial.figures.{module} import {name} as {name}"
        for module, names in sorted(figures._HOMES.items())
        for name in sorted(names.split())
    ]
    return "\n".join([HEAD, *lines, "from fairtrial.kinds import Kind as Kind", "", "KINDS: dict[str, Kind]", ""])


def test_the_stub_is_up_to_date():
    made = text()
    if not STUB.exists() or STUB.read_text(encoding="utf-8") != made:
        STUB.write_text(made, encoding="utf-8")
        raise AssertionError(f"{STUB} was out of date and has been written anew: look at its changes and commit it")


def test_every_name_is_defined_where_the_map_says():
    assert [name for name in figures.__all__ if not hasattr(figures, name)] == []


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'pie_chart'"):
        figures.pie_chart  # noqa: B018
