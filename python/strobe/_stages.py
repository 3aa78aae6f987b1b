# SPDX-License-Identifier: Apache-2.0
"""Stages of an application that runs anyway: two clock readings around each, judged afterwards. Work that a stage only
hands to a GPU is not in its time."""
from __future__ import annotations

import functools
import inspect
from collections import deque
from time import perf_counter_ns
from typing import Any, Callable, Deque, Dict, Iterator, Mapping, TypeVar

from . import _strobe
from ._format import interval_text, table_text
from ._record import Metric, Record

F = TypeVar("F", bound=Callable[..., Any])

MOST = 100_000  # readings of a stage that are kept, the last ones: an application may run for months

_readings: "Dict[str, Deque[int]]" = {}  # of the process, in nanoseconds; appending is atomic


def readings_of(name: str) -> "Deque[int]":
    readings = _readings.get(name)
    return readings if readings is not None else _readings.setdefault(name, deque(maxlen=MOST))


class stage:
    """Times a part of an application: `with strobe.stage("prepare"):`, or `@strobe.stage("prepare")` at a function, also
    an async one. A part that raises is not counted. `strobe.stages()` has the results. Each use is a new object: one that
    two threads enter at once would mix their times up.

    >>> import strobe
    >>> for i in range(20):
    ...     with strobe.stage("sort"):
    ...         numbers = sorted(range(1000))
    >>> strobe.stages().counts["sort"]
    20
    """

    __slots__ = ("_name", "_readings", "_begin")

    def __init__(self, name: str) -> None:
        self._name = name
        self._readings = readings_of(name)
        self._begin = 0

    def __enter__(self) -> None:
        self._begin = perf_counter_ns()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        end = perf_counter_ns()
        if kind is None:
            self._readings.append(end - self._begin)

    def __call__(self, function: F) -> F:
        name = self._name
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(f"the stage '{name}' cannot be a generator, which works between its items: "
                            "use `with strobe.stage(…)` inside it, or strobe.stream")
        timed: Any
        if inspect.iscoroutinefunction(function):
            @functools.wraps(function)
            async def timed(*args: Any, **options: Any) -> Any:
                with stage(name):
                    return await function(*args, **options)
        else:
            @functools.wraps(function)
            def timed(*args: Any, **options: Any) -> Any:
                with stage(name):
                    return function(*args, **options)
        return timed  # type: ignore[no-any-return]


class Stages(Mapping[str, Metric]):
    """The times of all stages so far, with intervals, without what was warm-up. `counts` has how often each ended,
    `records` what `strobe.audit` says of its times."""

    def __init__(self, readings: "Mapping[str, Deque[int]]") -> None:
        copied = {name: list(times) for name, times in list(readings.items()) if times}  # other threads go on
        self.counts: "dict[str, int]" = {name: len(times) for name, times in copied.items()}
        self.records: "dict[str, Record]" = {
            name: Record(_strobe.audit_times([ns * 1e-9 for ns in times], {"name": name}))
            for name, times in copied.items()}

    def __getitem__(self, name: str) -> Metric:
        return self.records[name].metrics["reading"]

    def __iter__(self) -> "Iterator[str]":
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def __repr__(self) -> str:
        rows = [[name, *interval_text(self[name]), f"{self.counts[name]} times", self.records[name].verdict]
                for name in self]
        return table_text(rows) if rows else "no stage has ended yet"


def stages(clear: bool = False) -> Stages:
    """The stages of this process so far, over all threads. `clear` forgets their times."""
    result = Stages(_readings)
    if clear:
        for readings in _readings.values():
            readings.clear()
    return result
