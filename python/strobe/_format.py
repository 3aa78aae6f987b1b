# SPDX-License-Identifier: Apache-2.0
"""Numbers with intervals, as the program writes them, for results that are no record."""
from __future__ import annotations

from typing import Sequence

from ._record import Metric

UNITS = {"ns": ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")),
         "items/s": ((1e9, "G/s"), (1e6, "M/s"), (1e3, "k/s"), (1.0, "/s"))}


def digits(value: float) -> str:
    """Three of them.

    >>> digits(1.234), digits(12.34), digits(123.4), digits(0.01234)
    ('1.23', '12.3', '123', '0.0123')
    """
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}" if abs(value) < 1 else f"{value:.{2 - (abs(value) >= 10)}f}"


def interval_text(metric: Metric) -> "list[str]":
    """
    >>> interval_text(Metric("latency", "ns", 1234567.0, 1.2e6, None))
    ['1.23 ms', '[1.20, ?]']
    """
    if metric.value is None:
        return [f"unknown: {metric.unknown}", ""]
    known = UNITS.get(metric.unit, ((1.0, metric.unit),))
    scale, unit = next((u for u in known if abs(metric.value) >= u[0]), known[-1])
    low, high = (digits(x / scale) if x is not None else "?" for x in (metric.low, metric.high))
    return [f"{digits(metric.value / scale)} {unit}", f"[{low}, {high}]"]


def table_text(rows: "Sequence[Sequence[str]]") -> str:
    """Columns of one width, the first and the last to the left.

    >>> print(table_text([["a", "1 ms", "fine"], ["long", "12 ms", "not"]]))
    a      1 ms  fine
    long  12 ms  not
    """
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    last = len(widths) - 1
    return "\n".join("  ".join(cell.ljust(width) if i in (0, last) else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows)
