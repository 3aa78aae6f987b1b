# SPDX-License-Identifier: Apache-2.0
"""The part of torch.utils.benchmark that people call: Timer and its Measurement."""
from __future__ import annotations

import statistics
import sys
import timeit as standard
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Mapping, Optional

from .._error import Error
from .._format import interval_text
from .._record import Record
from ._doubts import warn_of_doubts
from ._samples import measure_with_times
from ._statement import Statement, callable_of


@dataclass
class Measurement:
    """Times in seconds. `median`, `mean` and `iqr` are of `times`; `record` is the whole result."""

    number_per_run: int
    raw_times: "list[float]"
    record: Record = field(repr=False)
    label: "Optional[str]" = None
    sub_label: "Optional[str]" = None
    description: "Optional[str]" = None
    num_threads: int = 1

    @property
    def times(self) -> "list[float]":
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def median(self) -> float:
        return statistics.median(self.times)

    @property
    def mean(self) -> float:
        return statistics.fmean(self.times)

    @property
    def iqr(self) -> float:
        """
        >>> Measurement(1, [1.0, 2.0, 3.0, 4.0, 5.0], record=None).iqr
        2.0
        """
        if len(self.times) < 2:
            return 0.0
        lower, _, upper = statistics.quantiles(self.times, n=4, method="inclusive")
        return upper - lower

    @property
    def has_warnings(self) -> bool:
        return any(f.severity != "note" for f in self.record.findings)

    @property
    def title(self) -> str:
        return ": ".join(t for t in (self.label, self.sub_label) if t) or self.record.to_dict()["model"]["name"]

    def __str__(self) -> str:
        median = " ".join(interval_text(self.record.metrics["latency"]))
        lines = [f"<strobe.compat.Measurement> {self.title}", *([self.description] if self.description else []),
                 f"  Median: {median}", f"  IQR:    {self.iqr * 1e6:.2f} µs",
                 f"  {len(self.times)} measurements, {self.number_per_run} runs per measurement, "
                 f"{self.num_threads} thread{'s' * (self.num_threads != 1)}", f"  Verdict: {self.record.verdict}"]
        return "\n".join(lines)


class Timer:
    """torch.utils.benchmark.Timer: a statement, what comes before it, and three ways to time it.

    >>> m = Timer("x + y", "x, y = 1, 2").blocked_autorange(min_run_time=0.05)
    >>> 0 < m.median < 1e-3, m.number_per_run
    (True, 1)
    """

    def __init__(self, stmt: Statement = "pass", setup: Statement = "pass", global_setup: str = "",
                 timer: "Callable[[], float]" = standard.default_timer,
                 globals: "Optional[Mapping[str, Any]]" = None, label: "Optional[str]" = None,
                 sub_label: "Optional[str]" = None, description: "Optional[str]" = None,
                 env: "Optional[str]" = None, num_threads: int = 1, language: Any = "python") -> None:
        if str(getattr(language, "value", language)).lower() not in ("python", "py", "0"):
            raise Error("unsupported", "cannot time a statement in another language than Python",
                        "it would have to be compiled", "The C++ library measures functions of C++.")
        if global_setup:
            raise Error("unsupported", "cannot use global_setup", "it belongs to statements in C++")
        if timer is not standard.default_timer:
            raise Error("unsupported", "cannot use another timer", "the loop reads its own clock", "Leave it out.")
        self._step = callable_of(stmt, setup, {**globals} if globals is not None else {})
        self._name = stmt if isinstance(stmt, str) else getattr(stmt, "__qualname__", "callable")
        self._about = {"label": label, "sub_label": sub_label, "description": description, "num_threads": num_threads}

    def timeit(self, number: int = 1_000_000) -> Measurement:
        """The mean of `number` executions; at most 10 s."""
        return self._measure(requests=number, warmup=max(number // 100, 2), max_time=10)

    def blocked_autorange(self, callback: "Optional[Callable[..., object]]" = None,
                          min_run_time: float = 0.2) -> Measurement:
        """Executions for `min_run_time` seconds, after a warm-up."""
        return self._called(callback, self._measure(effort="quick", min_time=min_run_time))

    def adaptive_autorange(self, threshold: float = 0.1, *, min_run_time: float = 0.01, max_run_time: float = 10.0,
                           callback: "Optional[Callable[..., object]]" = None) -> Measurement:
        """The same, longer where the interval is wider than `threshold` (relative), at most for `max_run_time`."""
        measured = self._measure(effort="quick", min_time=min_run_time)
        while (width := relative_width(measured.record)) > threshold and min_run_time < max_run_time:
            min_run_time = min(max_run_time, min_run_time * max(2.0, min(10.0, (width / threshold) ** 2)))
            measured = self._measure(effort="quick", min_time=min_run_time)
        return self._called(callback, measured)

    def collect_callgrind(self, *_: object, **__: object) -> None:
        raise Error("unsupported", "cannot count instructions", "strobe measures times", "Use torch's own Timer for it.")

    def _measure(self, **options: Any) -> Measurement:
        with torch_threads(int(self._about["num_threads"] or 1)):
            record, times = measure_with_times(self._step, name=self._name[:60], progress=False, **options)
        warn_of_doubts(record, depth=3)
        return Measurement(1, times, record, **self._about)  # type: ignore[arg-type]

    @staticmethod
    def _called(callback: "Optional[Callable[..., object]]", measured: Measurement) -> Measurement:
        if callback:
            callback(1, sum(measured.raw_times))
        return measured


def relative_width(record: Record) -> float:
    """Of the interval of the median; infinite where there is none."""
    latency = record.metrics["latency"]
    if not latency.value or latency.low is None or latency.high is None:
        return float("inf")
    return (latency.high - latency.low) / latency.value


@contextmanager
def torch_threads(number: int) -> "Iterator[None]":
    """torch's Timer runs its statement with this many threads; without torch there is nothing to set."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)
