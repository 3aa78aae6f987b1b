# SPDX-License-Identifier: Apache-2.0
"""Stages of an application that runs anyway: two clock readings around each, and two marks on the current stream where
torch works on a GPU. Nobody waits for a mark: it is read once the device has come to it."""
from __future__ import annotations

import functools
import inspect
import sys
from collections import deque
from time import perf_counter_ns
from typing import (Any, Callable, Deque, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar,
                    overload)

from . import _strobe
from ._format import interval_text, table_text
from ._record import Metric, Record

F = TypeVar("F", bound=Callable[..., Any])

MOST = 100_000    # readings of a stage that are kept, the last ones: an application may run for months
AT_ONCE = 2       # marks read at the end of a stage: one more than are made, so that none pile up
MOST_MARKS = 512  # that wait for the device; a stage without room for its marks is timed on the host alone


class Mark(NamedTuple):
    """An event of torch, and the device on whose current stream it stands."""

    device: int
    event: Any


def mark_here() -> "Optional[Mark]":
    """None where torch has no work on a GPU, or takes no mark now. Whatever fails here is no affair of the application's."""
    try:
        cuda = sys.modules["torch"].cuda
        if not cuda.is_initialized():
            return None
        device = cuda.current_device()
        pool = _events.setdefault(device, [])
        event = pool.pop() if pool else cuda.Event(enable_timing=True)
        event.record()
        return Mark(device, event)
    except Exception:
        return None


def free(mark: Mark) -> None:
    _events.setdefault(mark.device, []).append(mark.event)


class Readings:
    """Of one stage, over all threads; appending is atomic."""

    def __init__(self) -> None:
        self.host: "Deque[int]" = deque(maxlen=MOST)  # nanoseconds
        self.device: "Deque[float]" = deque(maxlen=MOST)
        self.marks: "Deque[Tuple[Mark, Mark]]" = deque()  # the device has not come to them yet
        self.skipped = 0  # while torch compiled or captured, where nothing can be timed

    def add_marks(self, begin: Mark, end: "Optional[Mark]") -> None:
        if end is not None and begin.device == end.device:  # events of two devices cannot be told apart in time
            self.marks.append((begin, end))
        self.read(AT_ONCE)

    def read(self, most: int) -> None:
        """The oldest marks that the device has come to."""
        for _ in range(min(most, len(self.marks))):
            try:
                begin, end = self.marks.popleft()
            except IndexError:  # another thread was quicker
                return
            try:
                if not end.event.query():
                    self.marks.appendleft((begin, end))
                    return
                self.device.append(begin.event.elapsed_time(end.event) * 1e6)
            except Exception:  # the device failed, or the events are none any more
                continue
            free(begin)
            free(end)

    def clear(self) -> None:
        self.host.clear()
        self.device.clear()
        self.marks.clear()
        self.skipped = 0


_readings: "Dict[str, Readings]" = {}  # of the process
_events: "Dict[int, List[Any]]" = {}   # of each device, to be used again: making one takes longer than recording it


def readings_of(name: str) -> Readings:
    readings = _readings.get(name)
    return readings if readings is not None else _readings.setdefault(name, Readings())


def is_recorded_elsewhere() -> bool:
    """torch traces the code to compile it, or captures a graph: what happens now happens once, and not in this time."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    try:
        compiler = getattr(torch, "compiler", None)  # since torch 2.1
        if compiler is not None and compiler.is_compiling():
            return True
        return bool(torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing())
    except Exception:  # half imported, or without CUDA
        return False


def name_of_function(function: "Callable[..., Any]") -> str:
    """
    >>> name_of_function(Readings.read)
    'Readings.read'
    """
    name: str = getattr(function, "__qualname__", type(function).__qualname__)
    return name.rpartition("<locals>.")[2]


class stage:
    """Times a part of an application: `with strobe.stage("prepare"):`, or `@strobe.stage("prepare")` at a function, also
    an async one; `@strobe.stage` alone takes the function's own name. A part that raises is not counted.
    `strobe.stages()` has the results. Each use is a new object: one that two threads enter at once would mix their times
    up. While torch compiles or captures, it does nothing.

    >>> import strobe
    >>> for i in range(20):
    ...     with strobe.stage("sort"):
    ...         numbers = sorted(range(1000))
    >>> strobe.stages().counts["sort"]
    20
    """

    __slots__ = ("_name", "_readings", "_begin", "_mark")

    @overload
    def __new__(cls, name: F) -> F: ...  # type: ignore[misc]  # a decorator without a name gives what it decorates
    @overload
    def __new__(cls, name: str) -> "stage": ...

    def __new__(cls, name: Any) -> Any:
        made: stage = super().__new__(cls)
        if isinstance(name, str):
            return made
        if not callable(name):
            raise TypeError(f"a stage has a name or a function, not {type(name).__name__}")
        stage.__init__(made, name_of_function(name))
        return made(name)

    def __init__(self, name: str) -> None:
        self._name = name
        self._readings = readings_of(name)
        self._begin: "Optional[int]" = None
        self._mark: "Optional[Mark]" = None

    def __enter__(self) -> None:
        self._mark = None
        if "torch" in sys.modules:
            if is_recorded_elsewhere():
                self._begin = None
                return
            if len(self._readings.marks) < MOST_MARKS:
                self._mark = mark_here()
        self._begin = perf_counter_ns()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self._begin is None:
            self._readings.skipped += 1
            return
        end = perf_counter_ns()
        if kind is not None:
            return
        self._readings.host.append(end - self._begin)
        if self._mark is not None:
            self._readings.add_marks(self._mark, mark_here())

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
    """The host's times of all stages so far, with intervals, without what was warm-up, and in `device` what the GPU took
    from the beginning of a stage to its end. `counts` has how often each ended, `skipped` how often nothing could be
    timed because torch compiled or captured, `records` what `strobe.audit` says of the host's times."""

    def __init__(self, readings: "Mapping[str, Readings]") -> None:
        timed = {name: r for name, r in list(readings.items()) if r.host}  # other threads go on
        for r in timed.values():
            r.read(len(r.marks))
        self.counts: "dict[str, int]" = {name: len(r.host) for name, r in timed.items()}
        self.skipped: "dict[str, int]" = {name: r.skipped for name, r in list(readings.items()) if r.skipped}
        self.records: "dict[str, Record]" = {name: judged(name, list(r.host)) for name, r in timed.items()}
        self.device: "dict[str, Metric]" = {name: judged(name, list(r.device)).metrics["reading"]
                                            for name, r in timed.items() if r.device}

    def __getitem__(self, name: str) -> Metric:
        return self.records[name].metrics["reading"]

    def __iter__(self) -> "Iterator[str]":
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def __repr__(self) -> str:
        rows = []
        for name in self:
            on_device = ["on the device", *interval_text(self.device[name])] if name in self.device else ["", "", ""]
            on_device = on_device if self.device else []
            rows.append([name, *interval_text(self[name]), *on_device, f"{self.counts[name]} times",
                         self.records[name].verdict])
        skipped = [f"{name} was not timed {n} times: torch compiled it, or captured a graph"
                   for name, n in self.skipped.items()]
        return "\n".join(([table_text(rows)] if rows else []) + skipped) or "no stage has ended yet"


def judged(name: str, nanoseconds: "Sequence[float]") -> Record:
    return Record(_strobe.audit_times([ns * 1e-9 for ns in nanoseconds], {"name": name}))


def stages(clear: bool = False) -> Stages:
    """The stages of this process so far, over all threads. `clear` forgets their times."""
    result = Stages(_readings)
    if clear:
        for readings in list(_readings.values()):
            readings.clear()
    return result
