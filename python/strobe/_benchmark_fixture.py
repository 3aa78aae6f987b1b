# SPDX-License-Identifier: Apache-2.0
"""pytest-benchmark's calls: benchmark(f, x), benchmark.pedantic(f, rounds=10), benchmark.stats."""
from __future__ import annotations

import functools
from time import perf_counter_ns
from typing import Any, Callable, Mapping, Optional, Sequence

from . import _strobe
from ._measure import measure, name_of
from ._record import Record


class Stats:
    """In seconds, as pytest-benchmark has them."""

    def __init__(self, metric: "Mapping[str, Any]") -> None:
        self.median = metric["median"]["value"] * 1e-9
        self.mean = metric["mean"]["value"] * 1e-9
        self.min = metric["min"] * 1e-9
        self.max = metric["max"] * 1e-9
        self.stddev = metric["stddev"] * 1e-9
        self.rounds = int(metric["n"])
        self.ops = 1 / self.mean if self.mean else 0.0

    @property
    def stats(self) -> "Stats":
        """pytest-benchmark keeps them one level deeper, too."""
        return self


class Benchmark:
    """The fixture `benchmark`. `record` is our result, `stats` the numbers that pytest-benchmark names."""

    def __init__(self, node: Any) -> None:
        self._node = node
        self.name: str = node.name
        self.group: "Optional[str]" = None
        self.extra_info: "dict[str, Any]" = {}
        self.record: "Optional[Record]" = None
        self.stats: "Optional[Stats]" = None

    def __call__(self, function: "Callable[..., Any]", *args: Any, **options: Any) -> Any:
        """Measures calls of `function(*args, **options)`, for about a second, and returns what it returns."""
        work = functools.partial(function, *args, **options)
        result = work()
        self._keep(measure(work, name=self.name, effort="glance", progress=False), "latency")
        return result

    def pedantic(self, target: "Callable[..., Any]", args: "Sequence[Any]" = (),
                 kwargs: "Optional[Mapping[str, Any]]" = None, setup: "Optional[Callable[[], Any]]" = None,
                 rounds: int = 1, warmup_rounds: int = 0, iterations: int = 1) -> Any:
        """Exactly so many rounds; `setup` may give new arguments for each."""
        if setup and iterations != 1:
            raise ValueError("benchmark.pedantic cannot take several iterations with a setup function")
        times: "list[float]" = []
        result = None
        for i in range(warmup_rounds + rounds):
            made = setup() if setup else None
            positional, named = made if made else (args, kwargs or {})
            begin = perf_counter_ns()
            for _ in range(iterations):
                result = target(*positional, **named)
            end = perf_counter_ns()
            if i >= warmup_rounds:
                times.append((end - begin) * 1e-9 / iterations)
        self._keep(Record(_strobe.audit_times(times, {"name": name_of(target)})), "reading")
        return result

    def _keep(self, record: Record, metric: str) -> None:
        self.record = record
        self.stats = Stats(record.to_dict()["metrics"][metric])
        self._node.user_properties += [("strobe_median_s", self.stats.median), ("strobe_verdict", record.verdict)]
