# SPDX-License-Identifier: Apache-2.0
"""A measurement with each of its times, for interfaces that hand them out."""
from __future__ import annotations

import csv
import os
import tempfile
from typing import Any, Callable

from .._measure import measure
from .._record import Record


def seconds(row: "dict[str, str]", of_device: bool) -> float:
    ns = float(row["device_ns"]) if of_device else float(row["done_ns"]) - float(row["begin_ns"])
    return ns / float(row["requests"]) * 1e-9


def measure_with_times(work: "Callable[[], object]", metric: str = "latency",
                       **options: Any) -> "tuple[Record, list[float]]":
    """Seconds per call, in their order; of short calls each is the mean of a block. Of `device_time` those of the
    device."""
    handle, name = tempfile.mkstemp(suffix=".csv")
    os.close(handle)
    try:
        record = measure(work, samples=name, **options)
        with open(name, encoding="utf-8", newline="") as file:
            times = [seconds(row, of_device=metric == "device_time") for row in csv.DictReader(file)
                     if row["pass"] == metric and row["state"] == "kept"]
    finally:
        os.unlink(name)
    return record, times
