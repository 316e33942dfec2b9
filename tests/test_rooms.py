"""Rooms whose names are imported when they are used: each name is found, and editors see the same names."""

import importlib
from pathlib import Path

import pytest

from fairtrial import design, figures, methods, results, stats, store, verdict
from fairtrial.design import layouts

MORE = dict.fromkeys((design, layouts, methods, results, stats, store, verdict), ()) | {
    figures: ("from fairtrial.kinds import Kind as Kind", "", "KINDS: dict[str, Kind]")
}
HEAD = "# Made by tests/test_rooms.py from the map of names; don't edit: the test writes it anew.\n"
ROOMS = pytest.mark.parametrize("room", MORE, ids=lambda room: room.__name__)


def stub(room) -> str:
    """The stub: an import for each name, and what the package itself defines."""
    lines = [
        f"from {room.__name__}.{module} import {name} as {name}"
        for module, names in sorted(room._HOMES.items())
        for name in sorted(names.split())
    ]
    return "\n".join([HEAD, *lines, *MORE[room], "__all__: list[str]", ""])


@ROOMS
def test_the_stub_is_up_to_date(room):
    place, made = Path(room.__file__).with_suffix(".pyi"), stub(room)
    if not place.exists() or place.read_text(encoding="utf-8") != made:
        place.write_text(made, encoding="utf-8")
        raise AssertionError(f"{place} was out of date and has been written anew: look at its changes and commit it")


@ROOMS
def test_every_name_is_where_the_map_says(room):
    assert [name for name in room.__all__ if not hasattr(room, name)] == []
    assert dir(room) == room.__all__


@ROOMS
def test_no_module_has_the_name_of_something_public(room):
    """Importing the module would put it in the place of the name."""
    names = {name for name in room.__all__ if name != name.title()}
    own = {p.stem for p in Path(room.__file__).parent.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    assert names & own == set()


@ROOMS
def test_a_name_that_is_not_there(room):
    with pytest.raises(AttributeError, match=f"module '{room.__name__}' has no attribute 'pie_chart'"):
        room.pie_chart  # noqa: B018
    assert importlib.import_module(room.__name__) is room
