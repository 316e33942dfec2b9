"""Which modules are the user's own, and what code uses of them.

A module whose file is neither of the standard library nor of an installed package is edited like a script, so its code
counts by its source too (``source_versions.py``). The versions of installed packages are in the study's sessions.
"""

from __future__ import annotations

import ast
import dis
import functools
import importlib
import importlib.util
import linecache
import sys
import sysconfig
import types
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

INSTALLED = ("site-packages", "dist-packages")
ATTRIBUTE = ("LOAD_ATTR", "LOAD_METHOD")


class NoSource(Exception):
    """The source of a function can't be had; the text says why."""


class ChangedSource(NoSource):
    """The source of a function is not the code that runs."""


def is_own(value: object) -> bool:
    """Whether a thing is a module of the user's own."""
    return isinstance(value, types.ModuleType) and is_own_module(vars(value))


def is_own_module(names: Mapping[str, Any] | None) -> bool:
    """Whether a module, given by its names, lies in a source file of the user's own.

    >>> is_own_module(vars(functools)), is_own_module(globals())
    (False, False)
    """
    if not names or str(names.get("__name__")).partition(".")[0] == "fairtrial":
        return False
    file = names.get("__file__")
    if file is None:  # a folder without __init__.py
        return any(_is_own_folder(folder) for folder in names.get("__path__", ()))
    return str(file).endswith(".py") and _is_own_folder(str(Path(file).parent)) and Path(file).is_file()


def is_read_plainly(names: Mapping[str, Any]) -> bool:
    """Whether Python itself read a module, so that its code is that of its file; pytest, for one, changes asserts."""
    return type(names.get("__loader__")) is SourceFileLoader


def check_constant(name: str, names: Mapping[str, Any]) -> None:
    """Refuse a constant of a module that has another value in its file: worker processes would read the file."""
    if not is_own_module(names) or not is_read_plainly(names):
        return
    file = str(names["__file__"])
    linecache.checkcache(file)
    written = _literals("".join(linecache.getlines(file)))
    if name in written and repr(written[name]) != repr(names[name]):
        raise ChangedSource(f"its constant {name} is not what its file says; import that again or start anew")


def own_parts(module: types.ModuleType) -> dict[str, Any]:
    """A whole module: its text, and what it took from other modules of the user's own."""
    file = module.__file__
    text = Path(file).read_text(encoding="utf-8", errors="replace") if file else ""
    return {"text": text, "names": {n: v for n, v in sorted(vars(module).items()) if _is_elsewhere(v, module)}}


def used_of_modules(code: types.CodeType, names: Mapping[str, Any]) -> dict[str, Any]:
    """What code uses of modules of the user's own, by dotted name: ``helper.dist``, or all of ``helper``.

    Modules that it imports when it runs are imported now: otherwise the answer would depend on what ran before.
    """
    return dict(_used(code, names))


def _used(code: types.CodeType, names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    for place, step in enumerate(steps):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and is_own(names.get(step.argval)):
            yield _followed(step.argval, names[step.argval], steps[place + 1 :])
        elif step.opname == "IMPORT_NAME":
            level, chosen = (earlier.argval for earlier in steps[place - 2 : place])
            yield from _taken(step.argval, level, chosen or (), names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _used(constant, names)


def _followed(name: str, value: Any, after: list[dis.Instruction]) -> tuple[str, Any]:
    """What a chain of attributes leads to, as far as it goes through modules."""
    for step in after:
        if not is_own(value) or step.opname not in ATTRIBUTE or step.argval not in vars(value):
            break
        check_constant(step.argval, vars(value))
        name, value = f"{name}.{step.argval}", vars(value)[step.argval]
    return name, value


def _taken(name: str, level: int, chosen: Iterable[str], names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The names that ``from module import …`` takes; of ``import module``, all of it."""
    module = _imported(name, level, names)
    if not is_own(module):
        return
    for one in chosen:
        inner = f"{name}.{one}" if name else one
        yield inner, getattr(module, one) if hasattr(module, one) else _imported(inner, level, names)
    if not chosen:
        yield name, module


def _imported(name: str, level: int, names: Mapping[str, Any]) -> Any:
    """A module that code imports, if it is of the user's own; None for all others, which are left alone."""
    package = str(names.get("__package__") or "")
    try:
        full = importlib.util.resolve_name("." * level + name, package)
        if full not in sys.modules:
            first = full.partition(".")[0]  # a look at what is inside would import it
            spec = importlib.util.find_spec(first)
            places = (
                {} if spec is None else {"__file__": spec.origin, "__path__": spec.submodule_search_locations or ()}
            )
            if not is_own_module({"__name__": first, **places}):
                return None
        return importlib.import_module(full)
    except Exception:  # noqa: BLE001 - code that is imported may raise anything, and will again when it runs
        return None


def _is_elsewhere(value: Any, module: types.ModuleType) -> bool:
    """Whether a name of a module is another module of the user's own, or a class or function of one."""
    if isinstance(value, types.ModuleType):
        return value is not module and is_own(value)
    if not isinstance(value, (type, types.FunctionType)):
        return False
    home = sys.modules.get(value.__module__ or "")
    return home is not module and is_own(home)


@functools.cache
def _is_own_folder(folder: str) -> bool:
    path = Path(folder)
    if any(part in INSTALLED for part in path.parts):
        return False
    return not any(path.resolve().is_relative_to(standard) for standard in _standard())


@functools.cache
def _standard() -> tuple[Path, ...]:
    """The folders of the standard library."""
    return tuple({Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")})


@functools.lru_cache(maxsize=64)
def _literals(text: str) -> dict[str, Any]:
    """The numbers and texts that a module gives names to, once and for all."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return {}
    nodes = list(ast.walk(tree))
    stored = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    stored.update(name for node in nodes if isinstance(node, ast.Global) for name in node.names)
    plain = (n for n in tree.body if isinstance(n, ast.Assign) and isinstance(n.value, ast.Constant))
    named = ((target, node.value) for node in plain for target in node.targets)
    return {t.id: v.value for t, v in named if isinstance(t, ast.Name) and stored[t.id] == 1}  # type: ignore[attr-defined]
