# SPDX-License-Identifier: Apache-2.0
"""pytest-benchmark's calls: benchmark(f, x), benchmark.pedantic(f, rounds=10), benchmark.weave("module.f"), benchmark.stats."""
from __future__ import annotations

import functools
import importlib
import statistics
from time import perf_counter_ns
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _strobe
from ._measure import name_of
from ._record import Record
from .compat._samples import measure_with_times

# What pytest-benchmark's marker takes. Those that are true say something to us; for the others we have our own answer.
MARKER = {"group": True, "min_time": True, "max_time": True, "min_rounds": False, "timer": False, "warmup": False,
          "warmup_iterations": False, "calibration_precision": False, "disable_gc": False, "cprofile": False}


class Stats:
    """Of the times of rounds, in seconds, with the names that pytest-benchmark has for them; also `stats["mean"]`."""

    def __init__(self, times: "Sequence[float]", iterations: int = 1) -> None:
        """
        >>> s = Stats([1.0, 2.0, 3.0, 4.0, 5.0])
        >>> s["median"], s["iqr"], s.stats.ops, s["rounds"]
        (3.0, 2.0, 0.3333333333333333, 5)
        """
        self.data = list(times)
        self.sorted_data = sorted(times)
        self.rounds = len(times)
        self.iterations = iterations
        self.total = sum(times)
        self.min, self.max = self.sorted_data[0], self.sorted_data[-1]
        self.mean = statistics.fmean(times)
        self.median = statistics.median(times)
        self.stddev = statistics.stdev(times) if len(times) > 1 else 0.0
        one = self.median, self.median, self.median
        self.q1, _, self.q3 = statistics.quantiles(times, n=4, method="inclusive") if len(times) > 1 else one
        self.iqr = self.q3 - self.q1
        self.ops = 1 / self.mean if self.mean else 0.0

    @property
    def stats(self) -> "Stats":
        """pytest-benchmark keeps them one level deeper, too."""
        return self

    def __getitem__(self, name: str) -> Any:
        if name not in self.__dict__:
            raise KeyError(name)
        return self.__dict__[name]


def options_of(node: Any) -> "dict[str, Any]":
    """What the marker `benchmark` of a test says."""
    marker = node.get_closest_marker("benchmark")
    if marker is None:
        return {}
    if marker.args:
        raise ValueError("the marker benchmark takes no positional arguments")
    for name in marker.kwargs:
        if name not in MARKER:
            raise ValueError(f"the marker benchmark takes no keyword argument '{name}'")
    return {name: value for name, value in marker.kwargs.items() if MARKER[name]}


def owner_of(target: "Union[str, Callable[..., Any]]") -> "tuple[Any, str]":
    """What has this function as an attribute, and the attribute's name."""
    path = target if isinstance(target, str) else f"{target.__module__}.{target.__qualname__}"
    parts = path.split(".")
    for split in range(len(parts) - 1, 0, -1):
        try:
            owner: Any = importlib.import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for name in parts[split:-1]:
            owner = getattr(owner, name)
        getattr(owner, parts[-1])
        return owner, parts[-1]
    raise ValueError(f"cannot weave {path!r}: it is no function of a module, such as 'module.function'")


class Benchmark:
    """The fixture `benchmark`. `record` is our result, `stats` the numbers that pytest-benchmark names."""

    def __init__(self, node: Any) -> None:
        self._node = node
        options = options_of(node)
        self.name: str = node.name
        self.group: "Optional[str]" = options.pop("group", None)
        self.extra_info: "dict[str, Any]" = {}
        self.record: "Optional[Record]" = None
        self.stats: "Optional[Stats]" = None
        self._options = options
        self._woven: "list[tuple[Any, str, Any]]" = []
        self._called = False  # a woven function may call itself

    def __call__(self, function: "Callable[..., Any]", *args: Any, **options: Any) -> Any:
        """Measures calls of `function(*args, **options)`, for about a second, and returns what it returns."""
        work = functools.partial(function, *args, **options)
        result = work()
        self._keep(*measure_with_times(work, name=self.name, effort="glance", progress=False, **self._options))
        return result

    def pedantic(self, target: "Callable[..., Any]", args: "Sequence[Any]" = (),
                 kwargs: "Optional[Mapping[str, Any]]" = None, setup: "Optional[Callable[[], Any]]" = None,
                 teardown: "Optional[Callable[..., Any]]" = None, rounds: int = 1, warmup_rounds: int = 0,
                 iterations: int = 1) -> Any:
        """Exactly so many rounds. `setup` may give new arguments for each, `teardown` is called with them after it."""
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
            if teardown:
                teardown(*positional, **named)
        self._keep(Record(_strobe.audit_times(times, {"name": name_of(target)})), times, iterations)
        return result

    def weave(self, target: "Union[str, Callable[..., Any]]") -> None:
        """Measures a function where it is called: its first call, until the end of the test. By name or itself."""
        owner, name = owner_of(target)
        function = getattr(owner, name)

        @functools.wraps(function)
        def measured(*args: Any, **options: Any) -> Any:
            if self._called:
                return function(*args, **options)
            self._called = True
            return self(function, *args, **options)

        self._woven.append((owner, name, vars(owner)[name]))
        setattr(owner, name, staticmethod(measured) if isinstance(vars(owner)[name], staticmethod) else measured)

    patch = weave

    def unweave(self) -> None:
        while self._woven:
            owner, name, before = self._woven.pop()
            setattr(owner, name, before)

    def _keep(self, record: Record, times: "Sequence[float]", iterations: int = 1) -> None:
        self.record = record
        self.stats = Stats(times, iterations)
        self._node.user_properties += [("strobe_median_s", self.stats.median), ("strobe_verdict", record.verdict)]
