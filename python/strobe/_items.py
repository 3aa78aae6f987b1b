# SPDX-License-Identifier: Apache-2.0
"""Items that a callable gives one after the other, and when each was there."""
from __future__ import annotations

import asyncio
import inspect
import sys
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any, Callable, Optional

from ._at_hand import search
from ._error import Error
from ._jax import has_jax, wait_for
from ._place import is_on_gpu

Wait = Callable[[Any], object]


def wait_of_torch(index: "Optional[int]") -> Wait:
    cuda = sys.modules["torch"].cuda
    return lambda item: cuda.current_stream(index).synchronize()


def wait_of_cupy(index: "Optional[int]") -> Wait:
    def wait(item: Any) -> None:
        cuda = sys.modules["cupy"].cuda
        with cuda.Device(index):
            cuda.get_current_stream().synchronize()
    return wait


ON_GPU: "dict[str, Callable[[Optional[int]], Wait]]" = {"torch": wait_of_torch, "cupy": wait_of_cupy}


def wait_of(*values: Any) -> "Optional[Wait]":
    """What makes sure that such an item is computed; none: it is when it is there."""
    if has_jax(*values):
        return wait_for
    found = search(is_on_gpu, *values)
    return ON_GPU[found[0]](found[1]) if found else None


@dataclass
class Request:
    """In nanoseconds of one clock."""

    begin: int
    stamps: "list[int]"  # of each item
    end: int = 0
    last: Any = None

    def take(self, item: Any, wait: "Optional[Wait]") -> None:
        if wait is not None:
            wait(item)
        self.stamps.append(perf_counter_ns())
        self.last = item


class Iteration:
    """Calls of one callable, each to the end of what it gives. Async ones all run in one event loop of our own, so that
    what a client keeps open stays open; entering and leaving the loop is in none of the times."""

    def __init__(self) -> None:
        self._loop: "Optional[asyncio.AbstractEventLoop]" = None

    def __enter__(self) -> "Iteration":
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop is not None:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    def run(self, work: "Callable[..., Any]", args: "tuple[object, ...]", wait: "Optional[Wait]") -> Request:
        r = Request(perf_counter_ns(), [])
        given = work(*args)
        if inspect.isawaitable(given) or hasattr(given, "__aiter__"):
            self._run_async(given, r, wait)
            return r
        for item in given:
            r.take(item, wait)
        r.end = perf_counter_ns()
        return r

    def _run_async(self, given: Any, r: Request, wait: "Optional[Wait]") -> None:
        if asyncio._get_running_loop() is not None:
            if inspect.iscoroutine(given):
                given.close()
            raise Error("usage", "cannot measure an async stream", "an event loop runs in this thread already",
                        "Call it in another one: await asyncio.to_thread(strobe.stream, …).")
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        self._loop.run_until_complete(_each_item(given, r, perf_counter_ns(), wait))


async def _each_item(given: Any, r: Request, handed: int, wait: "Optional[Wait]") -> None:
    r.begin += perf_counter_ns() - handed  # the loop's way here
    if inspect.isawaitable(given):
        given = await given
    async for item in given:
        r.take(item, wait)
    r.end = perf_counter_ns()
