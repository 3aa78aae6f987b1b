# SPDX-License-Identifier: Apache-2.0
"""What the extension asks of a callable beside calling it (src/python/python_work.h)."""
from __future__ import annotations

import threading
import time
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


class OtherThreads:
    """The CPU time of Python's other threads: what runs beside requests takes the GIL from them."""

    def __init__(self) -> None:
        self._before = self._times()

    @staticmethod
    def _times() -> "dict[int, float]":
        times = {}
        for thread in threading.enumerate():
            if thread is threading.current_thread() or thread.ident is None:
                continue
            try:
                times[thread.ident] = time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
            except OSError:
                continue  # it has just ended
        return times

    def worked(self) -> "tuple[int, float]":
        """How many did something since then, and the seconds of all together."""
        spent = [now - self._before.get(ident, 0.0) for ident, now in self._times().items()]
        busy = [s for s in spent if s > SOME_WORK]
        return len(busy), sum(busy)


class Work:
    """One callable with its arguments, on the place where it works."""

    def __init__(self, target: "Callable[..., Any]", args: "tuple[object, ...]", place: Place) -> None:
        self._target = target
        self._args = args
        self._place = place
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
        facts = torch_facts(self._target, result, self._place)
        if self._place.whose:
            facts["stream"] = "the legacy default stream" if not self._place.stream else f"{self._place.whose}'s current one"
        if self._compiled is not None and self._compiled.count() > 0:
            facts["compiled_meanwhile"] = self._compiled.count()
        retries = memory_stat(self._place, "num_alloc_retries")
        if retries is not None and self._compiled is not None:
            facts["allocator_retries"] = retries - self._retries
        if self._others is not None:
            threads, seconds = self._others.worked()
            if threads:
                facts.update(other_threads=threads, other_threads_ns=int(seconds * 1e9))
        return facts
