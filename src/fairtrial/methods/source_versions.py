"""The source of classes and functions of the user's own, with all that they use, as what is hashed.

The code of a notebook, a script or a module beside it changes while its names stay. So its text takes the place of an
import path: that of each method, of functions around it, of decorators, and of the functions, classes and constants
of such code that it names, all the way down.
"""

from __future__ import annotations

import ast
import dataclasses
import dis
import enum
import functools
import inspect
import linecache
import logging
import sys
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fairtrial.methods.own_modules import (
    ChangedSource,
    NoSource,
    check_constant,
    is_own,
    is_own_module,
    is_read_plainly,
    used_of_modules,
)

MAIN = ("__main__", "__mp_main__")
BUILT = ("member_descriptor", "getset_descriptor", "_tuplegetter")  # what Python makes of slots and named tuples


def is_typed(thing: object) -> bool:
    """Whether a class or function is of the user's own: of a notebook, a script, or a module that is not installed.

    >>> is_typed(Path), is_typed(is_typed)
    (False, False)
    """
    if isinstance(thing, types.FunctionType):
        return _is_own(thing.__globals__) or _wrapped(thing)
    return inspect.isclass(thing) and (thing.__module__ in MAIN or _is_own(home_of(thing)))


def hides_state(kind: type) -> bool:
    """Whether objects of a class may have state that ``vars`` does not show, as those of classes written in C do.

    >>> hides_state(Path), hides_state(ValueError)
    (False, True)
    """
    on_the_heap = 1 << 9  # Py_TPFLAGS_HEAPTYPE, which classes written in Python have
    return any(not base.__flags__ & on_the_heap for base in kind.__mro__ if base is not object)


def home_of(thing: Any) -> Mapping[str, Any]:
    """The names of the module that a class or function belongs to; none if it is not loaded."""
    if isinstance(thing, types.FunctionType):
        return thing.__globals__
    return vars(sys.modules[thing.__module__]) if thing.__module__ in sys.modules else {}


def source_parts(thing: Any) -> dict[str, Any]:
    """All that a class or function of a script is made of: texts, and the things that it uses, by name."""
    return _class_parts(thing) if inspect.isclass(thing) else _function_parts(thing)


def _is_own(names: Mapping[str, Any]) -> bool:
    """Whether a module, given by its names, is a notebook, a script or a module of the user's own."""
    return names.get("__name__") in MAIN or is_own_module(names)


def _wrapped(function: types.FunctionType) -> bool:
    """Whether a decorator of some library stands around a function of a script."""
    inside = getattr(function, "__wrapped__", None)
    return inside is not None and inside is not function and is_typed(inside)


def _function_parts(function: types.FunctionType) -> dict[str, Any]:
    code, closure = function.__code__, _closure(function)
    if not _is_own(function.__globals__):  # of a library: its versions are in the study's sessions
        return {"decorated by": f"{function.__globals__.get('__name__')}.{code.co_qualname}", "closure": closure}
    names = {n: function.__globals__[n] for n in sorted(_global_names(code)) if n in function.__globals__}
    for name in names:
        check_constant(name, function.__globals__)
    names = {n: v for n, v in names.items() if not is_own(v)} | used_of_modules(code, function.__globals__)
    return {
        "text": _text_of(function),
        "closure": closure,
        "defaults": [function.__defaults__, function.__kwdefaults__],
        "names": {name: _plain(value) for name, value in names.items() if not name.startswith("__")},
    }


def _closure(function: types.FunctionType) -> dict[str, Any]:
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = _plain(cell.cell_contents)
        except ValueError:  # not filled yet
            found[name] = None
    return found


def _global_names(code: types.CodeType) -> set[str]:
    """The names that code looks up in its module; attributes of the same name are something else."""
    found = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return found.union(*(_global_names(c) for c in code.co_consts if isinstance(c, types.CodeType)))


def _class_parts(kind: type) -> dict[str, Any]:
    fields: Mapping[str, Any] = vars(kind).get("__dataclass_fields__", {})
    own = {n: _plain(v) for n, v in vars(kind).items() if _counts(n, v, generated=bool(fields))}
    if issubclass(kind, enum.Enum):
        own = {n: v for n, v in own.items() if not n.startswith("_")} | {member.name: member.value for member in kind}
    return {"bases": list(kind.__bases__), "attributes": own, "fields": [_field(f) for f in fields.values()]}


def _counts(name: str, value: object, *, generated: bool) -> bool:
    """Whether an attribute of a class was written by its author, not by Python, dataclasses or scikit-learn."""
    function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
    if isinstance(function, types.FunctionType):
        made = generated and inspect.unwrap(function).__code__.co_filename == "<string>"
        return not made and (is_typed(function) or not name.startswith("_"))
    if name.startswith(("__", "_abc_", "_sklearn_")) or type(value).__name__ in BUILT:
        return isinstance(value, property)
    return not type(value).__module__.startswith("sklearn.utils._metadata")


def _field(field: Any) -> list[Any]:
    default = None if field.default is dataclasses.MISSING else [_plain(field.default)]
    factory = None if field.default_factory is dataclasses.MISSING else [field.default_factory]
    return [field.name, default, factory]


def _plain(value: Any) -> Any:
    """The functions inside of a descriptor; a table as arrays; the name of a logger, which changes no number."""
    if isinstance(value, property):
        return {"property": [value.fget, value.fset, value.fdel]}
    if isinstance(value, (classmethod, staticmethod)):
        return {type(value).__name__: value.__func__}
    if isinstance(value, functools.cached_property):
        return {"property": [value.func]}
    if isinstance(value, functools._lru_cache_wrapper):
        return {"cached": value.__wrapped__}
    if isinstance(value, logging.Logger):
        return {"logger": value.name}
    if type(value).__module__.partition(".")[0] == "pandas" and hasattr(value, "index") and hasattr(value, "to_numpy"):
        return {"table": [value.index.to_numpy(), list(getattr(value, "columns", ())), value.to_numpy()]}
    if not isinstance(value, types.FunctionType) and is_typed(getattr(value, "__wrapped__", None)):
        return {"wrapper": type(value), "around": [part for part in vars(value).values() if callable(part)]}
    return value


def _text_of(function: types.FunctionType) -> str:
    """The text of a function, as it was when Python read it.

    A file that was changed since then is refused: its text is not the code that runs.
    """
    code, names = function.__code__, function.__globals__
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename))
    if not text:
        raise NoSource("its source can't be found")
    nodes = [node for node in _functions(text) if _place(node) == (code.co_firstlineno, code.co_name)]
    if len(nodes) > 1:
        raise NoSource("several functions stand on its line")
    is_checked = names.get("__name__") in MAIN or is_read_plainly(names)
    if not nodes:
        raise (ChangedSource if is_checked else NoSource)("its source has changed since it was read")
    if is_checked and Path(code.co_filename).is_file() and not any(_same(code, other) for other in _compiled(text)):
        raise ChangedSource("its file was changed after Python had read it; import it again or start anew")
    (node,) = nodes
    if isinstance(node, ast.Lambda):
        return ast.get_source_segment(text, node) or ""
    return "".join(text.splitlines(keepends=True)[_place(node)[0] - 1 : node.end_lineno])


Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@functools.lru_cache(maxsize=64)
def _functions(text: str) -> tuple[Function, ...]:
    try:
        return tuple(node for node in ast.walk(ast.parse(text)) if isinstance(node, Function))
    except SyntaxError:
        return ()


def _place(node: Function) -> tuple[int, str]:
    """The first line, that of the first decorator, and the name."""
    if isinstance(node, ast.Lambda):
        return node.lineno, "<lambda>"
    return min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.name


@functools.lru_cache(maxsize=64)
def _compiled(text: str) -> tuple[types.CodeType, ...]:
    return tuple(_inside(compile(text, "<source>", "exec", dont_inherit=True)))


def _inside(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _inside(constant)


def _same(one: types.CodeType, other: types.CodeType) -> bool:
    """Whether two pieces of code do the same at the same place."""
    facts = ("co_name", "co_firstlineno", "co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars")
    if any(getattr(one, fact) != getattr(other, fact) for fact in facts) or len(one.co_consts) != len(other.co_consts):
        return False
    pairs = zip(one.co_consts, other.co_consts, strict=True)
    return all(_same(a, b) if isinstance(a, types.CodeType) else repr(a) == repr(b) for a, b in pairs)
