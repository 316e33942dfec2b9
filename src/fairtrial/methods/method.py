"""A method: an estimator with a label, what it is fed, and facts that its author declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from fairtrial.doors import door
from fairtrial.errors import FairtrialError, InputError
from fairtrial.methods.canonical_form import canonical, digest
from fairtrial.methods.decision_rules import DECIDE, ByCosts, Decide
from fairtrial.methods.import_paths import by_name
from fairtrial.methods.label_codes import needs_codes
from fairtrial.shown import ShownAsText, as_written
from fairtrial.words import error_line

Inputs = Literal["auto", "encoded", "raw", "frame"]
INPUTS: tuple[Inputs, ...] = ("auto", "encoded", "raw", "frame")
Labels = Literal["auto", "original", "codes"]
LABELS: tuple[Labels, ...] = ("auto", "original", "codes")


@door
@dataclass(frozen=True, slots=True, eq=False)
class Method(ShownAsText):
    """A method to be compared: an estimator under a name, or a function ``fit_predict(X_train, y_train, X_test)``.

    ``inputs`` says what ``fit`` and ``predict`` are given:

    - ``"encoded"``: a numeric matrix; categories are one-hot encoded and missing values imputed, both learned on the
      training split;
    - ``"raw"``: a numeric matrix with category codes and nan as they are;
    - ``"frame"``: a DataFrame with category columns;
    - ``"auto"`` (default): a frame if the estimator contains a ColumnTransformer or declares
      ``fairtrial_inputs = "frame"`` (1R does), else encoded.

    ``labels`` says which labels ``fit`` is given: the ``"original"`` ones; ``"codes"``, that is 0 … k−1, from which
    predictions are translated back; or ``"auto"`` (default): codes for XGBoost and skorch, which take nothing else, and
    original labels for all others.

    ``decide`` says where predicted classes come from in a study whose question has costs:

    - ``"tuned"``: a threshold that is tuned inside each training set, on five inner folds; for two classes. The
      probabilities need not be calibrated, and scores (``decision_function``) are enough;
    - ``"costs"``: the class whose expected cost is lowest, given the predicted probabilities. With two classes this is
      the threshold that the costs imply, 1 / 31 for costs of 1 and 30. It needs calibrated probabilities;
    - ``"labels"``: its own ``predict``, which usually decides at 0.5, as if all mistakes cost the same;
    - ``"auto"`` (default): what the study says, by default ``"tuned"`` for two classes and ``"costs"`` for more.
      Baselines keep their labels.

    ``facts`` are shown in tables (``{"complexity": "n log n", "interpretable": "yes"}``). ``version`` is needed for
    code that has neither an import path nor a source. A ``yardstick`` is shown, and every method should beat it, but it
    gets no rank. With ``threads``, the method keeps its ``n_jobs``, and the libraries that it computes with (BLAS,
    OpenMP) may use its share of the machine's cores. Otherwise they use one, so that the numbers are the same on every
    machine, to the last digit.
    """

    name: str
    estimator: Any
    inputs: Inputs = "auto"
    facts: Mapping[str, str] = field(default_factory=dict)
    version: str | None = None
    yardstick: bool = False
    threads: bool = False
    labels: Labels = "auto"
    decide: Decide | ByCosts = "auto"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise InputError(f"a method's name must be a text that can be read, got {self.name!r}")
        if isinstance(self.estimator, type):
            raise InputError(
                f"method {self.name!r} must be an object, got the class {self.estimator.__name__}; "
                f"write {self.estimator.__name__}()"
            )
        if callable(self.estimator) and not hasattr(self.estimator, "fit"):
            from fairtrial.methods.estimators import as_estimator

            object.__setattr__(self, "estimator", as_estimator(self.estimator))
        for verb in ("fit", "predict"):
            if not callable(getattr(self.estimator, verb, None)):
                kind = type(self.estimator).__name__
                raise InputError(f"method {self.name!r} must have fit and predict, but {kind} has no {verb}")
        if self.inputs not in INPUTS:
            raise InputError(f"inputs of method {self.name!r} must be one of {INPUTS}, got {self.inputs!r}")
        if self.labels not in LABELS:
            raise InputError(f"labels of method {self.name!r} must be one of {LABELS}, got {self.labels!r}")
        if not isinstance(self.decide, ByCosts) and self.decide not in DECIDE:
            raise InputError(f"decide of method {self.name!r} must be one of {DECIDE}, got {self.decide!r}")
        if not isinstance(self.threads, bool):
            raise InputError(f"threads of method {self.name!r} must be True or False, got {self.threads!r}")

    def __str__(self) -> str:
        return as_written(self)

    def canonical(self) -> Any:
        """The identity of the method, apart from its name, as plain data."""
        # threads are left out, like the kind of processor: they say how it is computed, not what; who changes them
        # should not have to run everything again
        with self.asked():
            form = canonical(self.estimator, version=self.version)
            usual = self.labels == "auto" or self.given_codes() == needs_codes(self.estimator)
            labels = {} if usual else {"labels": self.labels}
            decide = {"decide": self.decide.canonical()} if isinstance(self.decide, ByCosts) else {}
            return {"inputs": self.fed_with(), "estimator": form} | labels | decide

    @contextmanager
    def asked(self) -> Iterator[None]:
        """A context in which errors of the estimator's own code name the method."""
        try:
            yield
        except FairtrialError:
            raise
        except Exception as error:
            raise InputError(
                f"method {self.name!r} can't be asked what it is, since its own code raised {error_line(error)}; "
                f"repair get_params, __sklearn_tags__ or __getattr__ of {type(self.estimator).__name__}"
            ) from error

    def digest(self) -> bytes:
        """A hash of :meth:`canonical`."""
        return digest(self.canonical())

    def given_codes(self) -> bool:
        """Whether ``fit`` is given the labels 0 … k−1, with "auto" resolved."""
        return needs_codes(self.estimator) if self.labels == "auto" else self.labels == "codes"

    def fed_with(self) -> Literal["encoded", "raw", "frame"]:
        """The kind of inputs, with "auto" resolved."""
        if self.inputs != "auto":
            return self.inputs
        declared = getattr(self.estimator, "fairtrial_inputs", None)
        if declared is not None:
            if declared not in INPUTS[1:]:
                raise InputError(f"fairtrial_inputs of {self.name!r} must be one of {INPUTS[1:]}, got {declared!r}")
            known: Literal["encoded", "raw", "frame"] = declared
            return known
        return "frame" if _selects_columns(self.estimator) else "encoded"


def as_methods(methods: Any) -> tuple[Method, ...]:
    """Methods from a mapping of names to estimators, from pairs of both, or from a list of what has a name already.

    An estimator (named by its class), a function, a :class:`Method`, an import path and the name of a baseline have
    one; a single one needs no list.

    >>> [m.name for m in as_methods({"most": "majority", "one": "one_rule"})]
    ['most', 'one']
    """
    items: Iterable[tuple[str | None, Any]]
    if isinstance(methods, Mapping):
        items = methods.items()
    else:
        alone = isinstance(methods, (str, Method)) or callable(methods) or hasattr(methods, "fit")
        items = map(_named, [methods] if alone else methods)
    made = tuple(_as_method(name, thing) for name, thing in items)
    if not made:
        raise InputError("methods must name at least one method, got none")
    _refuse_twins(made)
    return made


def _named(thing: Any) -> tuple[str | None, Any]:
    """A pair as scikit-learn's own lists have them, or one thing without a name."""
    if isinstance(thing, tuple) and len(thing) == 2 and isinstance(thing[0], str):
        return thing
    return None, thing


def _as_method(name: str | None, thing: Any) -> Method:
    if isinstance(thing, str) and "." in thing:
        thing = by_name(thing, f"methods[{thing!r}]" if name is None else f"methods[{name!r}]")
    if isinstance(thing, str):
        from fairtrial.methods.baselines import baseline

        made = baseline(thing)
        return made if name is None else replace(made, name=name)
    if isinstance(thing, Method):
        return thing if name is None else replace(thing, name=name)
    if name is not None:
        return Method(name, thing)
    made = Method(type(thing).__name__, thing)
    return replace(made, name=getattr(made.estimator, "fairtrial_name", made.name))


def _refuse_twins(methods: tuple[Method, ...]) -> None:
    names: dict[str, Method] = {}
    same: dict[tuple[bytes, object], str] = {}
    for method in methods:
        if method.name in names:
            raise InputError(
                f"each method must have a name of its own, but two are called {method.name!r}; "
                "give methods={'a name': …, 'another': …}"
            )
        names[method.name] = method
        twin = same.setdefault(
            (method.digest(), method.decide), method.name
        )  # words become rules in a study with costs
        if twin != method.name:
            raise InputError(
                f"each method must differ from the others, but {twin!r} and {method.name!r} have the same class and "
                "parameters; to run one thing twice with other seeds, give Method(…, version='copy')"
            )


def _selects_columns(estimator: Any) -> bool:
    """Whether a ColumnTransformer is somewhere inside: then columns are chosen by name, from a frame."""
    from sklearn.compose import ColumnTransformer

    if isinstance(estimator, ColumnTransformer):
        return True
    if not hasattr(estimator, "get_params") or isinstance(estimator, type):
        return False
    return any(isinstance(v, ColumnTransformer) for v in estimator.get_params(deep=True).values())
