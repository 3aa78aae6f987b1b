# SPDX-License-Identifier: Apache-2.0
"""The functions of the standard module timeit."""
from __future__ import annotations

import timeit as standard
from typing import Any, Callable, Mapping, Optional

from .._error import Error
from .._measure import measure
from ._doubts import warn_of_doubts
from ._statement import Statement, callable_of

# More executions say nothing more about a median, and timeit's million would be kept one by one.
MOST_REQUESTS = 20_000


def timeit(stmt: Statement = "pass", setup: Statement = "pass",
           timer: "Callable[[], float]" = standard.default_timer, number: int = 1_000_000,
           globals: "Optional[Mapping[str, Any]]" = None) -> float:
    """Seconds that `number` executions of the statement take: `number` times the median of as many, at most 20,000.

    >>> 0 < timeit("sum(range(100))", number=1000) < 1
    True
    """
    return seconds_of(stmt, setup, timer, number, globals)


def repeat(stmt: Statement = "pass", setup: Statement = "pass",
           timer: "Callable[[], float]" = standard.default_timer, repeat: int = 5, number: int = 1_000_000,
           globals: "Optional[Mapping[str, Any]]" = None) -> "list[float]":
    """The same several times, each with its own set-up."""
    return [seconds_of(stmt, setup, timer, number, globals) for _ in range(repeat)]


def seconds_of(stmt: Statement, setup: Statement, timer: "Callable[[], float]", number: int,
               variables: "Optional[Mapping[str, Any]]") -> float:
    if timer is not standard.default_timer:
        raise Error("unsupported", "cannot use another timer", "the loop reads its own clock", "Leave it out.")
    step = callable_of(stmt, setup, variables or {})
    name = stmt if isinstance(stmt, str) else getattr(stmt, "__qualname__", "callable")
    record = measure(step, name=name[:60], progress=False, requests=min(number, MOST_REQUESTS),
                     warmup=max(min(number, MOST_REQUESTS) // 100, 2))
    warn_of_doubts(record, depth=3)
    median = record.metrics["latency"].value
    assert median is not None  # at least two executions were made
    return number * median * 1e-9
