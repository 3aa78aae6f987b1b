# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: `strobe.check` holds a function to a stored baseline, `benchmark` takes pytest-benchmark's calls.

    def test_speed(strobe):
        strobe.check(predict, batch, baseline="predict", slower=0.02)

Baselines are records in the folder `strobe-baselines` beside the test; `pytest --strobe-update` writes them.
"""
from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterator, Union

import pytest

from . import _format
from ._error import Error
from ._files import compare_records, load
from ._measure import measure
from ._record import Record
from ._benchmark_fixture import Benchmark

FOLDER = "strobe-baselines"


class Checks:
    """What was checked in a session, for the table at its end."""

    def __init__(self) -> None:
        self.rows: "list[list[str]]" = []


CHECKS = pytest.StashKey[Checks]()


class Checker:
    """The fixture `strobe`."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._node = request.node
        self._update = bool(request.config.getoption("--strobe-update"))
        self._rows = request.config.stash[CHECKS].rows

    def check(self, target: "Union[str, Callable[..., object]]", *args: object, baseline: str, slower: float = 0.02,
              **options: Any) -> Record:
        """Fails unless `target` is surely no more than `slower` (relative) slower than the baseline. It is a function of a
        module, called with `args`, or "module:make", a function that makes what is called. It is measured in fresh
        processes, five with the default effort `quick`; a function within another cannot be."""
        file = self._node.path.parent / FOLDER / f"{baseline}.json"
        if not self._update and not file.exists():
            pytest.fail(f"there is no baseline {file}: run pytest --strobe-update once, and keep the file", pytrace=False)
        options = {"effort": "quick", "progress": False, "name": baseline, **options}
        record = measure_launched(target, args, options)
        if self._update:
            file.parent.mkdir(exist_ok=True)
            record.save(file)
            self._note(baseline, record, "updated", "")
            return record
        self._compare(baseline, load(file), record, slower)
        return record

    def _compare(self, baseline: str, before: Record, now: Record, slower: float) -> None:
        try:
            compared = compare_records({"baseline": before, "now": now}, fail_on=f"slower={100 * slower:g}%").to_dict()
        except Error as e:
            pytest.fail(f"{e} Or write a new baseline: pytest --strobe-update.", pytrace=False)
        condition = compared["fail_on"][0]
        ratio = next(c["ratio"] for c in compared["comparisons"] if c["metric"] == "latency")
        self._note(baseline, now, condition["outcome"], f"× {ratio['value']:.3f}")
        if condition["outcome"] != "passed":
            verb = "is slower" if condition["outcome"] == "failed" else "cannot be told from a slower one"
            pytest.fail(f"{baseline} {verb}: {condition['why']}", pytrace=False)

    def _note(self, baseline: str, record: Record, outcome: str, ratio: str) -> None:
        latency = record.metrics["latency"]
        self._node.user_properties += [("strobe_baseline", baseline), ("strobe_outcome", outcome),
                                       ("strobe_latency_ns", latency.value)]
        self._rows.append([baseline, *_format.interval_text(latency), ratio, outcome, self._node.nodeid])


def measure_launched(target: "Union[str, Callable[..., object]]", args: "tuple[object, ...]",
                     options: "dict[str, Any]") -> Record:
    if isinstance(target, str):
        return measure(target, *args, **options)
    module, name = getattr(target, "__module__", None), getattr(target, "__qualname__", "<")
    if not module or "<" in name:
        raise Error("usage", f"cannot check {target!r}", "it is no function of a module, and cannot be launched again: one "
                    "launch decides nothing", 'Take a function of the module, or "module:make".')
    return measure("strobe._worker:bound", f"{module}:{name}", *args, **options)


@pytest.fixture
def strobe(request: pytest.FixtureRequest) -> Checker:
    """Holds functions to stored baselines: strobe.check(f, x, baseline="f", slower=0.02)."""
    return Checker(request)


class BenchmarkPlugin:
    """Only where pytest-benchmark, whose fixture has this name, is not in use."""

    @pytest.fixture
    def benchmark(self, request: pytest.FixtureRequest) -> "Iterator[Benchmark]":
        """pytest-benchmark's fixture with our measurement behind it."""
        benchmark = Benchmark(request.node)
        yield benchmark
        benchmark.unweave()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("strobe")
    group.addoption("--strobe-update", action="store_true", help="write the baselines of strobe.check anew")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[CHECKS] = Checks()
    if not config.pluginmanager.hasplugin("benchmark"):
        config.pluginmanager.register(BenchmarkPlugin(), "strobe-benchmark")
        config.addinivalue_line("markers", "benchmark(group, min_time, max_time): options of the fixture benchmark")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    rows = config.stash[CHECKS].rows
    if rows:
        terminalreporter.section("strobe")
        terminalreporter.write_line(_format.table_text(rows))
