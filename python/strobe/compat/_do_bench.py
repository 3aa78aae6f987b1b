# SPDX-License-Identifier: Apache-2.0
"""triton.testing.do_bench: milliseconds of a function on a GPU."""
from __future__ import annotations

import importlib
import statistics
from typing import Any, Callable, Literal, Optional, Sequence, Union

from .._error import Error
from .._record import Record
from ._doubts import warn_of_doubts
from ._samples import measure_with_times

ReturnMode = Literal["min", "max", "mean", "median", "all"]
STATISTICS: "dict[str, Callable[[Sequence[float]], Any]]" = {
    "min": min, "max": max, "mean": statistics.fmean, "median": statistics.median, "all": list}


def quantile(times: "Sequence[float]", q: float) -> float:
    """Between two readings in proportion, as torch.quantile does.

    >>> quantile([1.0, 2.0, 4.0], 0.75)
    3.0
    """
    ordered = sorted(times)
    at = q * (len(ordered) - 1)
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)


def summarize(times: "Sequence[float]", quantiles: "Optional[Sequence[float]]", return_mode: ReturnMode) -> Any:
    """What triton returns for these.

    >>> summarize([1.0, 2.0, 6.0], None, "mean"), summarize([1.0, 2.0, 6.0], [0.5], "mean")
    (3.0, 2.0)
    """
    if quantiles is not None:
        values = [quantile(times, q) for q in quantiles]
        return values[0] if len(values) == 1 else values
    return STATISTICS[return_mode](times)


def current_stream() -> "tuple[str, int]":
    """Device and address of torch's current stream."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        torch = None
    if torch is None or not torch.cuda.is_available():
        raise Error("unsupported", "cannot run do_bench", "it times work on a GPU, and torch sees none here",
                    "strobe.measure(fn) times a function on the CPU.")
    stream = torch.cuda.current_stream()
    return f"cuda:{stream.device_index}", stream.cuda_stream


def do_bench(fn: "Callable[[], object]", warmup: int = 25, rep: int = 100, grad_to_none: Any = None,
             quantiles: "Optional[Sequence[float]]" = None, return_mode: ReturnMode = "mean") -> Any:
    """Milliseconds that the device works for a call of `fn`, by triton's signature: a drained device, a flushed cache,
    requests queued before the device may start. `warmup` is ours to decide; `rep` is how many milliseconds count.
    """
    if return_mode not in STATISTICS:
        raise Error("usage", f"unknown return_mode '{return_mode}'", "", f"Take one of {', '.join(STATISTICS)}.")
    device, stream = current_stream()

    def work() -> None:
        for tensor in grad_to_none or ():
            tensor.grad = None
        fn()

    record, times = measure_on_device(work, device, stream, rep)
    warn_of_doubts(record, depth=2)
    return summarize([t * 1e3 for t in times], quantiles, return_mode)


def measure_on_device(work: "Callable[[], object]", device: str, stream: int, rep: int) -> "tuple[Record, list[float]]":
    return measure_with_times(work, metric="device_time", device=device, stream=stream,
                              cache="cold", effort="quick", min_time=rep / 1e3, progress=False)
