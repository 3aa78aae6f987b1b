# SPDX-License-Identifier: Apache-2.0
"""What the extension asks of a callable beside calling it (src/python/python_work.h)."""
from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Callable, Optional

from ._place import Place
from ._torch import Compilations, capture_graph, compare_tensors, memory_stat, tensors_of, tolerance_of, torch_facts

SOME_WORK = 1e-3  # seconds of a thread: less is waking up now and then


@dataclass(frozen=True)
class Outputs:
    finite: bool
    repeatable: bool
    worst_difference: float


def copies_of(tensors: "list[Any]") -> "list[Any]":
    """A compiled graph writes to the same memory again. Empty: they cannot be copied."""
    try:
        return [t.detach().clone() for t in tensors]
    except Exception:
        return []


def cpu_seconds(native_id: int) -> "Optional[float]":
    """Of a thread of this process; none: it has ended, or the kernel does not count."""
    try:
        with open(f"/proc/self/task/{native_id}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0]) * 1e-9
    except (OSError, ValueError, IndexError):
        return None


class OtherThreads:
    """The CPU time of Python's other threads: what runs beside requests takes the GIL from them."""

    def __init__(self) -> None:
        self._before = self._times()

    @staticmethod
    def _times() -> "dict[int, float]":
        times = {}
        for thread in threading.enumerate():
            if thread is threading.current_thread() or thread.native_id is None:
                continue
            seconds = cpu_seconds(thread.native_id)
            if seconds is not None:
                times[thread.native_id] = seconds
        return times

    def worked(self) -> "tuple[int, float]":
        """How many did something since then, and the seconds of all together."""
        spent = [now - self._before.get(native_id, 0.0) for native_id, now in self._times().items()]
        busy = [s for s in spent if s > SOME_WORK]
        return len(busy), sum(busy)


class Work:
    """One callable with its arguments, on the place where it works. `seconds`: how long it took to make the callable,
    where that was done for this, and its first call, where that was made to find the place."""

    def __init__(self, target: "Callable[..., Any]", args: "tuple[object, ...]", place: Place,
                 seconds: "tuple[Optional[float], Optional[float]]" = (None, None)) -> None:
        self._target = target
        self._args = args
        self._place = place
        self.loading, self.first = seconds
        self._retries = 0
        self._compiled: "Optional[Compilations]" = None
        self._others: "Optional[OtherThreads]" = None

    def counting(self) -> None:
        """From the next request on they count."""
        self._compiled = Compilations()
        self._others = OtherThreads()
        self._retries = memory_stat(self._place, "num_alloc_retries") or 0

    def allocations(self) -> "Optional[int]":
        return memory_stat(self._place, "num_device_alloc")

    def capture(self) -> "Callable[[], None]":
        return capture_graph(self._target, self._args, self._place)

    def check_outputs(self, last: Any) -> "Optional[Outputs]":
        """The last result beside that of another call. None: there is nothing to see, or nothing to compare it with."""
        first = copies_of(tensors_of(last))
        if not first:
            return None
        again = tensors_of(self._target(*self._args))
        try:
            compared = compare_tensors(first, again)
        except Exception:  # tensors of kinds that nobody foresaw, or no memory for the comparison
            return None
        return None if compared is None else Outputs(compared[0], compared[1] <= tolerance_of(first), compared[1])

    def facts(self, result: Any) -> "dict[str, Any]":
        """Of the work and its last result. One that cannot be had is left out: the result is worth more than what is said
        beside it."""
        facts: "dict[str, Any]" = {}
        for part in (self._facts_of_torch, self._facts_of_stream, self._facts_since_counting):
            try:
                facts.update(part(result))
            except Exception:
                continue
        return facts

    def _facts_of_torch(self, result: Any) -> "dict[str, Any]":
        return torch_facts(self._target, result, self._place)

    def _facts_of_stream(self, _: Any) -> "dict[str, Any]":
        place = self._place
        if not place.whose:
            return {}
        if not place.stream:
            return {"stream": "the legacy default stream"}
        return {"stream": "the one that was named" if place.named else f"{place.whose}'s current one"}

    def _facts_since_counting(self, _: Any) -> "dict[str, Any]":
        if self._compiled is None or self._others is None:
            return {}
        facts: "dict[str, Any]" = {}
        if self._compiled.count() > 0:
            facts["compiled_meanwhile"] = self._compiled.count()
        retries = memory_stat(self._place, "num_alloc_retries")
        if retries is not None:
            facts["allocator_retries"] = retries - self._retries
        threads, seconds = self._others.worked()
        if threads:
            facts.update(other_threads=threads, other_threads_ns=int(seconds * 1e9))
        return facts
