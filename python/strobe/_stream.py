# SPDX-License-Identifier: Apache-2.0
"""stream: callables that yield, such as generators of tokens."""
from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Sequence

from . import _strobe
from ._format import interval_text, table_text
from ._items import Iteration, Request, Wait, wait_of
from ._jax import has_jax, wait_for
from ._keywords import BESIDE, unknown
from ._measure import check_callable, name_of
from ._record import Metric, Record
from ._watch import Watch

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._words import StreamWords

OPTIONS = ("name", "requests", "warmup", "max_time")
REQUESTS, WARMUP = 30, 1


@dataclass
class Readings:
    """In nanoseconds; one for each request, but `between`."""

    first: "list[int]" = field(default_factory=list)
    between: "list[int]" = field(default_factory=list)
    total: "list[int]" = field(default_factory=list)
    items: "list[int]" = field(default_factory=list)

    def add(self, r: Request) -> None:
        if not r.stamps:
            raise _no_items()
        self.first.append(r.stamps[0] - r.begin)
        self.between.extend(b - a for a, b in zip(r.stamps, r.stamps[1:]))
        self.total.append(r.end - r.begin)
        self.items.append(len(r.stamps))


def _no_items() -> Exception:
    from ._error import Error
    return Error("usage", "cannot measure a stream", "it has no items",
                 "strobe.measure times a callable that returns its result at once.")


class StreamRecord:
    """What a stream's items took: `first`, `between`, `total` (times) and `items_per_second`, each a Metric; `items` is
    how many each request had. `records` has what `strobe.audit` says of each."""

    def __init__(self, name: str, readings: Readings, interrupted: bool) -> None:
        self.name = name
        self.items = readings.items
        self.interrupted = interrupted
        per_item = [total / n for total, n in zip(readings.total, readings.items)]
        series: "dict[str, Sequence[float]]" = {
            "first": readings.first, "between": readings.between, "total": readings.total, "per_item": per_item}
        self.records = {part: Record(_strobe.audit_times([ns * 1e-9 for ns in values], {"name": f"{name}: {part}"}))
                        for part, values in series.items() if values}
        self.first = self._metric("first")
        self.between = self._metric("between")
        self.total = self._metric("total")
        self.items_per_second = rate_of(self.records["per_item"].metrics["reading"])

    def _metric(self, part: str) -> Metric:
        record = self.records.get(part)
        if record is None:
            return Metric(part, "ns", None, None, None, unknown="each request had one item")
        return record.metrics["reading"]

    def to_dict(self) -> "dict[str, Any]":
        return {"name": self.name, "items": self.items,
                "records": {part: record.to_dict() for part, record in self.records.items()}}

    def __repr__(self) -> str:
        fewest, most = min(self.items), max(self.items)
        count = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        head = f"{self.name}  {len(self.items)} requests of {count} items · one launch"
        head += " · interrupted" * self.interrupted
        rows = [[label, *interval_text(metric)] for label, metric in
                (("first item", self.first), ("between items", self.between), ("total", self.total),
                 ("rate", self.items_per_second))]
        doubts = [f"{part}: {f.message}" for part, record in self.records.items() for f in record.findings
                  if f.severity != "note" and part != "per_item"]
        return "\n".join([head, table_text(rows), *doubts])


def rate_of(time: Metric) -> Metric:
    """Items per second, of the time per item.

    >>> rate_of(Metric("reading", "ns", 1e6, 5e5, None)).high
    2000.0
    """
    def inverse(ns: "Optional[float]") -> "Optional[float]":
        return 1e9 / ns if ns else None
    return Metric("items_per_second", "items/s", inverse(time.value), inverse(time.high), inverse(time.low), time.n,
                  time.unknown)


@contextmanager
def no_collections() -> "Iterator[None]":
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def stream(work: "Callable[..., Any]", *args: object, **options: "Unpack[StreamWords]") -> StreamRecord:
    """Measures calls of `work(*args)` that give their items one after the other: the time to the first item, between
    items, of all of them, and items per second. Async generators, and coroutines that return one, run in an event loop of
    their own. Items of jax, and those of torch and cupy on a GPU, are waited for. `requests` says how many calls count
    (30) after `warmup` (1) others; `max_time` ends earlier. The intervals are of this one launch.

    >>> import strobe
    >>> def count(n):
    ...     for i in range(n):
    ...         yield sum(range(1000))
    >>> r = strobe.stream(count, 5, requests=10, progress=False)
    >>> r.items[:2], r.between.unit
    ([5, 5], 'ns')
    """
    check_callable("stream", work)
    for option in options:
        if option not in OPTIONS + BESIDE:
            raise unknown("stream", option, [*OPTIONS, *BESIDE])
    requests, warmup = int(options.get("requests", REQUESTS)), int(options.get("warmup", WARMUP))
    limit: "Any" = options.get("max_time")
    deadline = perf_counter_ns() + _strobe.nanoseconds(limit, "max_time") if limit is not None else None
    readings = Readings()
    wait: "Optional[Wait]" = wait_for if has_jax(work, args) else None
    with Watch(options) as watch, no_collections(), Iteration() as iteration:
        for i in range(warmup + requests):
            request = iteration.run(work, args, wait)
            (readings if i >= warmup else Readings()).add(request)
            wait = wait or wait_of(request.last)
            gc.collect(0)
            if watch.progress:
                watch.progress("measuring" if i >= warmup else "warm-up", 0.0, 0.0, i + 1, warmup + requests, "requests")
            late = deadline is not None and perf_counter_ns() > deadline
            if watch.stop() or (late and readings.total):
                break
        if watch.interrupted and not readings.total:
            raise KeyboardInterrupt
    return StreamRecord(options.get("name", name_of(work)), readings, watch.interrupted)
