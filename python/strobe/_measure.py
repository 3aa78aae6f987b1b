# SPDX-License-Identifier: Apache-2.0
"""measure and measure_fresh: Python callables in the library's loops."""
from __future__ import annotations

import functools
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from . import _strobe
from ._find import find, find_on, find_place_of_loads
from ._keywords import sort_keywords
from ._launches import Launcher
from ._place import Place, check_unmoved
from ._record import Record
from ._torch import torch_mode
from ._watch import Watch
from ._work import Work

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._words import CallableWords


def nothing() -> None:
    """What a call costs that does nothing."""


def name_of(target: Any) -> str:
    """
    >>> name_of(sorted), name_of(functools.partial(max, 1))
    ('sorted', 'max')
    """
    while isinstance(target, functools.partial):
        target = target.func
    return getattr(target, "__qualname__", None) or type(target).__qualname__


def check_callable(function: str, target: Any) -> None:
    if not callable(target):
        raise TypeError(f"{function}() takes a callable, not {type(target).__name__}")


def measure(target: "Union[Callable[..., object], str]", *args: object, **options: "Unpack[CallableWords]") -> Record:
    """Measures calls of `target(*args)`, in this process: one launch. Or, where `target` is "module:function", what that
    function returns when it is called with `args`: in several fresh processes, with an interval for the next one.

    Work of torch or cupy on a GPU is timed on their current stream; `device` and `stream` name others. What jax returns is
    waited for. Options are those of the C++ library, with its defaults; times are "10ms", seconds or a timedelta. What the
    callable raises passes through. Its last result is kept until the next one is there, as in `y = f(x)`. Garbage is
    collected between rounds, not within requests.

    >>> import strobe
    >>> r = strobe.measure(sum, range(1000), requests=50, warmup=0, progress=False)
    >>> r.metrics["latency"].n >= 50
    True
    """
    given, beside = sort_keywords("measure", options, "options")
    if isinstance(target, str):
        given.setdefault("name", target)
        with Watch(beside) as watch:
            launcher = Launcher(target, args, given, watch.stop)
            return watch.deliver(_strobe.measure_launches(launcher, given, watch.progress, watch.stop))
    check_callable("measure", target)
    given.setdefault("name", name_of(target))
    with Watch(beside) as watch:
        return watch.deliver(measure_here(target, args, given, watch))


def measure_here(target: "Callable[..., object]", args: "tuple[object, ...]", given: "dict[str, Any]", watch: Watch,
                 seconds: "Optional[float]" = None) -> "_strobe.Record":
    """In this process, on the device where it works. `seconds`: how long it took to make the target, where that was done
    for this."""
    with torch_mode(target):
        found = find(given, target, args)
        watch.look_at(functools.partial(check_unmoved, found.place))
        work = Work(found.call, args, found.place, (seconds, found.first))
        return _strobe.measure(found.call, args, {**given, **found.place.members}, nothing, watch.progress, watch.stop,
                               work)


class Loads:
    """One object after the other, each with what is known of it. Modules of torch run under inference mode, which ends
    before the next one is made."""

    def __init__(self, make: "Callable[..., Callable[[], object]]", args: "tuple[object, ...]", place: Place) -> None:
        self._make = make
        self._args = args
        self._place = place
        self._mode = ExitStack()

    def __enter__(self) -> "Loads":
        return self

    def __exit__(self, *_: object) -> None:
        self._mode.close()

    def __call__(self) -> "tuple[Callable[[], object], Work]":
        self._mode.close()
        made = self._make(*self._args)
        if not callable(made):
            raise TypeError("make() must return what is to be measured: a callable")
        self._mode.enter_context(torch_mode(made))
        called = find_on(self._place, made, ()).call
        return called, Work(called, (), self._place)


def measure_fresh(make: "Callable[..., Callable[[], object]]", *args: object,
                  **options: "Unpack[CallableWords]") -> Record:
    """Calls `make(*args)` several times, and measures what it returns each time as one launch: where memory comes to lie
    is drawn anew for each load, so its effect is in the interval. `launches` says how many loads.

    >>> import strobe
    >>> def load():
    ...     numbers = list(range(1000))
    ...     return lambda: sum(numbers)
    >>> r = strobe.measure_fresh(load, launches=2, requests=30, warmup=0, progress=False)
    >>> len(r.launches)
    2
    """
    check_callable("measure_fresh", make)
    given, beside = sort_keywords("measure_fresh", options, "options")
    given.setdefault("name", name_of(make))
    place = find_place_of_loads(given, make, args)
    with Watch(beside) as watch, Loads(make, args, place) as loads:
        watch.look_at(functools.partial(check_unmoved, place))
        return watch.deliver(_strobe.measure_fresh(loads, {**given, **place.members}, nothing, watch.progress,
                                                   watch.stop))
