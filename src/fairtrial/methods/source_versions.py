"""The source of classes and functions of the user's own, with all that they use, as what is hashed.

The code of a notebook, a script or a module beside it changes while its names stay. So its text takes the place of an
import path: that of each method, of functions around it, of decorators, and of the functions, classes and constants
of such code that it names, all the way down.

Which modules are the user's own, and what code uses of them.

A module whose file is neither of the standard library nor of an installed package is edited like a script, so its code
counts by its source too (``source_versions.py``). The versions of installed packages are in the study's sessions.
"""

from __future__ import annotations

import ast
import dataclasses
import dis
import enum
import functools
import importlib
import importlib.util
import inspect
import linecache
import logging
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
