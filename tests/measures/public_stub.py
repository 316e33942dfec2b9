"""The stub ``measures/__init__.pyi``, which tells editors and type checkers the arguments of each measure.

``@measure`` joins the arguments of an intermediate with the options of a formula, which no static type can express.
The joined signatures are therefore written down, from the registry; ``test_public_types.py`` keeps the file up to date.
"""

import ast
import functools
import inspect
import subprocess
import sys
from pathlib import Path

from fairtrial import measures
from fairtrial.measures import registry

STUB = Path(measures.__file__).with_suffix(".pyi")
HEAD = "# Made by tests/measures/public_stub.py from the registry of measures; don't edit: the tests write it anew.\n"


def functions():
    """The public functions of all measures, by name."""
    return {name: getattr(measures, name) for name in measures.__all__ if registry.is_known(name)}


def other_names():
    """The same functions by their other names; some have options set, such as ``macro_f1``."""
    own, aliases = functions(), sorted(registry._aliases.items())
    return {alias: getattr(measures, alias) for alias, name in aliases if registry.resolve(name)[0] in own}


def text():
    """The whole stub."""
    imports = {**_public_imports(), **_imports_of_types()}
    lines = [f"from {module} import {name}" for name, module in imports.items()]
    lines.append(f"__all__ = {measures.__all__}")
    lines += [_declared(name, found) for name, found in functions().items()]
    lines += [_alias(name, found) for name, found in other_names().items()]
    return HEAD + _formatted("\n".join(lines))


def _alias(name, found):
    """An assignment, through which editors find the docstring; a function with its own where options are set."""
    if not isinstance(found, functools.partial):
        return f"{name} = {found.__name__}"
    return _declared(name, found, f'\n    """{measures.get(name).title}; see {found.func.__name__}."""')


def _declared(name, found, body="..."):
    arguments = []
    for p in inspect.signature(found).parameters.values():
        if p.kind is p.KEYWORD_ONLY and "*" not in arguments:
            arguments.append("*")
        arguments.append(f"{p.name}: {p.annotation}" + ("" if p.default is p.empty else f" = {p.default!r}"))
    return f"def {name}({', '.join(arguments)}) -> float: {body}"


def _public_imports():
    """Where public names that are no measures come from."""
    own = functions()
    return {name: home for name, home in _bound_in(measures).items() if name in measures.__all__ and name not in own}


def _imports_of_types():
    """Where the types in the signatures come from: the modules that declare them, or that these import them from."""
    found = {}
    for name, function in functions().items():
        entry = registry.find_entry(name)
        homes = _bound_in(sys.modules[entry.of.__module__]) | _bound_in(sys.modules[entry.formula.__module__])
        for p in inspect.signature(function).parameters.values():
            types = {n.id for n in ast.walk(ast.parse(p.annotation)) if isinstance(n, ast.Name)}
            found |= {t: homes[t] for t in types if t in homes}
    return found


@functools.cache
def _bound_in(module):
    """The module that each name of a module comes from."""
    homes = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ImportFrom):
            homes |= {a.name: node.module for a in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            homes |= {t.id: module.__name__ for t in targets if isinstance(t, ast.Name)}
    return homes


def _formatted(code):
    """The code in the form that ruff asks for everywhere."""
    for command in (["check", "--fix-only", "--select=I,Q", "--quiet"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *command, f"--stdin-filename={STUB}", "-"]
        code = subprocess.run(ruff, input=code, capture_output=True, encoding="utf-8", check=True).stdout
    return code
