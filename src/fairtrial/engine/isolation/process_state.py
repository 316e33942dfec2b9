"""The state of a process that methods share: what a trial changes here is set back after it.

Each aspect is a row of :data:`ASPECTS`: its name, how it is read and how it is set. What a library keeps (options of
pandas, threads of BLAS) is read once the library is imported, and None before.

What trials leave behind in a process that others need, or that goes on: thread pools, threads and open files.

Each is read and set back like an aspect of the state. What can't be ended is reported once.
"""

from __future__ import annotations

import ctypes
import decimal
import faulthandler
import gc
import locale
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

SHARE_OF_LOOKS = 1 / 500  # of the time, for looking for thread pools that were loaded: a look takes about 10 ms
MOST_FILES = 32  # that trials may leave open: joblib keeps ten for its processes
JOIN_SECONDS = 0.05


class Pools:
    """The thread pools of BLAS and OpenMP, with the threads that each had when it was first seen."""

    def __init__(self) -> None:
        self._modules = 0
        self._next = 0.0
        self._found: list[tuple[Any, int]] = []

    def changed(self) -> tuple[str, ...]:
        if len(sys.modules) != self._modules and time.perf_counter() >= self._next:
            self._look()
        return tuple(pool.filepath for pool, threads in self._found if pool.num_threads != threads)

    def set_back(self, _: tuple[str, ...]) -> None:
        for pool, threads in self._found:
            if pool.num_threads != threads:
                pool.set_num_threads(threads)

    def _look(self) -> None:
        """Look for libraries that came with modules imported since the last look."""
        from threadpoolctl import ThreadpoolController

        begun = time.perf_counter()
        known = {pool.filepath for pool, _ in self._found}
        pools = ThreadpoolController().lib_controllers
        self._found += [(pool, pool.num_threads) for pool in pools if pool.filepath not in known]
        self._modules = len(sys.modules)
        self._next = time.perf_counter() + (time.perf_counter() - begun) / SHARE_OF_LOOKS


class Threads:
    """The threads that code of one's own has started and left behind; libraries may keep theirs, such as joblib."""

    def __init__(self) -> None:
        self._known = set(threading.enumerate())

    def left(self) -> tuple[str, ...]:
        new = set(threading.enumerate()) - self._known
        return tuple(sorted(thread.name for thread in new if not _is_of_a_library(thread)))

    def end(self, _: tuple[str, ...]) -> None:
        """Wait a moment for those that are about to end; others are known from now on, so that one trial is blamed."""
        for thread in set(threading.enumerate()) - self._known:
            thread.join(0 if _is_of_a_library(thread) else JOIN_SECONDS)
        left = self.left()
        self._known = set(threading.enumerate())
        if left:
            raise RuntimeError(f"{left} run on")


def _is_of_a_library(thread: threading.Thread) -> bool:
    """Whether a thread runs code of an installed package, or of a pool of the standard library."""
    run = getattr(thread, "function", None) or getattr(thread, "_target", None) or type(thread).run
    name = getattr(getattr(run, "func", run), "__module__", None) or "__main__"
    file = name != "__main__" and getattr(sys.modules.get(name), "__file__", None)
    return bool(file) and any(
        f"/{part}/" in str(file) for part in ("site-packages", "dist-packages", "concurrent", "multiprocessing")
    )


class Files:
    """The number of open descriptors: a few more than at first are a library's, many would be lacking to others."""

    def __init__(self) -> None:
        self._most = _descriptors() + MOST_FILES

    def too_many(self) -> bool:
        return _descriptors() > self._most

    def collect(self, _: bool) -> None:
        gc.collect()  # files of estimators that are in cycles of references
        if self.too_many():
            self.__init__()  # type: ignore[misc]  # one trial is blamed
            raise RuntimeError("files are open")


def _descriptors() -> int:
    try:
        return len(os.listdir("/dev/fd"))  # noqa: PTH208 - quicker
    except OSError:
        return 0


class StandardFiles:
    """What is behind the descriptors 0, 1 and 2, kept open under other numbers."""

    def __init__(self) -> None:
        self._kept = {n: os.dup(n) for n in range(3) if _file_behind(n) is not None}

    def __del__(self) -> None:
        for kept in self._kept.values():
            os.close(kept)

    def behind(self) -> tuple[tuple[int, int] | None, ...]:
        return tuple(map(_file_behind, self._kept))

    def set_back(self, _: object) -> None:
        for number, kept in self._kept.items():
            os.dup2(kept, number)


def _file_behind(descriptor: int) -> tuple[int, int] | None:
    try:
        found = os.fstat(descriptor)
    except OSError:
        return None
    return found.st_dev, found.st_ino


resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows
    resource = None

_handler_of = sys.modules["_signal"].getsignal  # without making an enum of each
SIGNALS = tuple(sorted(int(s) for s in signal.valid_signals() if s < 32))
TIMERS = tuple(
    getattr(signal, name) for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF") if hasattr(signal, name)
)
LIMITS = tuple(sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")}))


@dataclass(frozen=True, slots=True)
class Aspect:
    """One part of the state of a process: how it is read and set."""

    name: str
    read: Callable[[], Any]
    set: Callable[[Any], object]


class ProcessState:
    """The state of this process as it is now, to which it can be set back."""

    def __init__(self) -> None:
        pools, threads, files, standard = Pools(), Threads(), Files(), StandardFiles()
        self._aspects = (
            *ASPECTS,
            Aspect("threads of BLAS or OpenMP", pools.changed, pools.set_back),
            Aspect("threads that run on", threads.left, threads.end),
            Aspect("open files", files.too_many, files.collect),
            Aspect("descriptors of standard streams", standard.behind, standard.set_back),
        )
        self._values = [aspect.read() for aspect in self._aspects]

    def differences(self) -> list[tuple[Aspect, Any, Any]]:
        """What differs now: aspect, value before, value after."""
        now = [aspect.read() for aspect in self._aspects]
        if now == self._values:
            return []
        self._values = [after if before is None else before for before, after in zip(self._values, now, strict=True)]
        compared = zip(self._aspects, self._values, now, strict=True)  # None: its library was imported meanwhile
        return [(aspect, before, after) for aspect, before, after in compared if before != after]

    def set_back(self) -> tuple[list[str], list[str]]:
        """Set back all that has changed; return the names of what was changed, and of what can't be set back."""
        differences = self.differences()
        stuck = [aspect.name for aspect, before, _ in differences if not _is_set(aspect, before)]
        return [aspect.name for aspect, _, _ in differences], stuck


def _is_set(aspect: Aspect, value: Any) -> bool:
    try:
        aspect.set(value)
    except (OSError, ValueError, TypeError, RuntimeError):
        return False
    return bool(aspect.read() == value)


def _umask() -> int:
    mask = os.umask(0o77)
    os.umask(mask)
    return mask


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - without making a path of it
    except OSError:  # it was removed
        return ""


def _environment() -> dict[Any, Any]:
    return dict(os.environ._data)  # type: ignore[attr-defined]  # as it is kept: decoding takes forty times as long


def _set_environment(kept: Mapping[Any, Any]) -> None:
    decode = os.environ.decodevalue
    variables = {decode(name): decode(text) for name, text in kept.items()}
    for name in os.environ.keys() - variables.keys():
        del os.environ[name]
    os.environ.update({name: text for name, text in variables.items() if os.environ.get(name) != text})


def _handlers() -> tuple[Any, ...]:
    return tuple(map(_handler_of, SIGNALS))


def _set_handlers(handlers: tuple[Any, ...]) -> None:
    """Set handlers that differ. Only the main thread can; handlers that were not set by Python are left alone."""
    if threading.current_thread() is threading.main_thread():
        for number, handler in zip(SIGNALS, handlers, strict=True):
            if handler is not None and _handler_of(number) != handler:
                signal.signal(number, handler)


def _limits() -> tuple[tuple[int, int], ...]:
    return () if resource is None else tuple(map(resource.getrlimit, LIMITS))


def _set_limits(limits: tuple[tuple[int, int], ...]) -> None:
    """Set limits that differ, up to the hard limits that are there now: a lowered hard limit can't be raised."""
    assert resource is not None
    for number, (soft, hard) in zip(LIMITS, limits, strict=True):
        if resource.getrlimit(number) != (soft, hard):
            try:
                resource.setrlimit(number, (soft, hard))
            except (ValueError, OSError):
                now = resource.getrlimit(number)[1]
                resource.setrlimit(number, (now if _above(soft, now) else soft, now))


def _above(soft: int, hard: int) -> bool:
    assert resource is not None
    return bool(hard != resource.RLIM_INFINITY and (soft == resource.RLIM_INFINITY or soft > hard))


def _timers_run() -> tuple[bool, ...]:
    return tuple(signal.getitimer(timer)[0] > 0 for timer in TIMERS)


def _stop_timers(ran: tuple[bool, ...]) -> None:
    for timer, before in zip(TIMERS, ran, strict=True):
        if not before:
            signal.setitimer(timer, 0)


def _imported(name: str) -> Any:
    return sys.modules.get(name)


def _numpy(read: Callable[[Any], Any]) -> Callable[[], Any]:
    return lambda: None if (numpy := _imported("numpy")) is None else read(numpy)


def _sklearn_options() -> Any:
    return None if (sklearn := _imported("sklearn")) is None else sklearn.get_config()


def _pandas_options() -> list[dict[str, Any]] | None:
    kept = getattr(_imported("pandas._config.config"), "_global_config", None)
    return None if kept is None else [dict(group) for group in _groups(kept)]


def _groups(options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Options of pandas are in dictionaries inside dictionaries."""
    yield options
    for value in options.values():
        if type(value) is dict:
            yield from _groups(value)


def _set_pandas_options(kept: list[dict[str, Any]]) -> None:
    for group, options in zip(list(_groups(sys.modules["pandas._config.config"]._global_config)), kept, strict=False):
        group.update(options)


_c = ctypes.CDLL(None if os.name == "posix" else "ucrtbase")
_modes: dict[tuple[float, ...], bytes] = {}  # the environment of floating-point numbers, by what it computes


def _floats() -> tuple[float, ...]:
    """Sums that depend on how floats are rounded, and a number that is 0 where tiny ones are."""
    found = (_one + _tiny, -_one - _tiny, _one - _tiny / 2, _least / 2)
    if found not in _modes:
        kept = ctypes.create_string_buffer(256)
        _c.fegetenv(kept)
        _modes[found] = kept.raw
    return found


_one, _tiny, _least = float("1"), 2.0**-53, sys.float_info.min  # not constants: those would be added up beforehand


def _in_place(kept: list[Any]) -> Callable[[list[Any]], None]:
    def put(content: list[Any]) -> None:
        kept[:] = content

    return put


def _set_streams(streams: tuple[Any, ...]) -> None:
    sys.stdin, sys.stdout, sys.stderr = streams


def _set_warnings(kept: tuple[Any, ...]) -> None:
    filters, warnings.showwarning, warnings.formatwarning = kept
    warnings.filters[:] = filters  # type: ignore[index]
    warnings._filters_mutated()  # type: ignore[attr-defined]  # registries of modules are then read anew


def _set_collection(kept: tuple[bool, tuple[int, int, int]]) -> None:
    (gc.enable if kept[0] else gc.disable)()
    gc.set_threshold(*kept[1])


def _set_printing(options: Mapping[str, Any]) -> None:
    sys.modules["numpy"].set_printoptions(**options)


def _set_errors(kept: tuple[Mapping[str, Any], Any]) -> None:
    numpy = sys.modules["numpy"]
    numpy.seterr(**kept[0])
    numpy.seterrcall(kept[1])


def _decimal() -> dict[str, Any]:
    context = decimal.getcontext()
    kept = {name: getattr(context, name) for name in ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")}
    return {**kept, "traps": [trap for trap, is_on in context.traps.items() if is_on]}


def _set_decimal(kept: Mapping[str, Any]) -> None:
    decimal.setcontext(decimal.Context(**kept))


def _set_nice(nice: int) -> None:
    os.setpriority(os.PRIO_PROCESS, 0, nice)


ASPECTS = (
    Aspect(
        "rounding of floats", _floats, lambda kept: ctypes.CDLL(None).fesetenv(_modes[kept])
    ),  # first: others read floats
    Aspect("working directory", _folder, os.chdir),
    Aspect("environment", _environment, _set_environment),
    Aspect("mask of new files", _umask, os.umask),
    Aspect("handlers of signals", _handlers, _set_handlers),
    Aspect("timers", _timers_run, _stop_timers),
    Aspect("resource limits", _limits, _set_limits),
    *(
        (
            Aspect("cores that may be used", lambda: os.sched_getaffinity(0), lambda c: os.sched_setaffinity(0, c)),
            Aspect("priority", lambda: os.getpriority(os.PRIO_PROCESS, 0), _set_nice),
        )
        if hasattr(os, "sched_getaffinity")
        else ()
    ),
    Aspect("locale", lambda: locale.setlocale(locale.LC_ALL), lambda name: locale.setlocale(locale.LC_ALL, name)),
    Aspect("standard streams", lambda: (sys.stdin, sys.stdout, sys.stderr), _set_streams),
    Aspect("sys.path", lambda: list(sys.path), _in_place(sys.path)),
    Aspect("sys.meta_path", lambda: list(sys.meta_path), _in_place(sys.meta_path)),
    Aspect("sys.excepthook", lambda: sys.excepthook, lambda hook: setattr(sys, "excepthook", hook)),
    Aspect(
        "warning filters", lambda: (list(warnings.filters), warnings.showwarning, warnings.formatwarning), _set_warnings
    ),
    Aspect("trace function", lambda: (sys.gettrace(),), lambda kept: sys.settrace(*kept)),
    Aspect("profile function", lambda: (sys.getprofile(),), lambda kept: sys.setprofile(*kept)),
    Aspect("recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    Aspect("switch interval", sys.getswitchinterval, sys.setswitchinterval),
    Aspect("garbage collection", lambda: (gc.isenabled(), gc.get_threshold()), _set_collection),
    Aspect("faulthandler", faulthandler.is_enabled, lambda on: (faulthandler.enable if on else faulthandler.disable)()),
    Aspect("timeout of sockets", lambda: (socket.getdefaulttimeout(),), lambda kept: socket.setdefaulttimeout(*kept)),
    Aspect(
        "start method of processes",
        lambda: multiprocessing.get_start_method(allow_none=True) or multiprocessing.get_all_start_methods()[0],
        lambda kept: multiprocessing.set_start_method(kept, force=True),
    ),
    Aspect("decimal context", _decimal, _set_decimal),
    Aspect("numpy's errors", _numpy(lambda np: (np.geterr(), np.geterrcall())), _set_errors),
    Aspect("numpy's print options", _numpy(lambda np: np.get_printoptions()), _set_printing),
    Aspect(
        "numpy's global generator",
        _numpy(lambda np: np.random.get_bit_generator()),
        lambda generator: sys.modules["numpy"].random.set_bit_generator(generator),
    ),
    Aspect("options of scikit-learn", _sklearn_options, lambda kept: sys.modules["sklearn"].set_config(**kept)),
    Aspect("options of pandas", _pandas_options, _set_pandas_options),
)
