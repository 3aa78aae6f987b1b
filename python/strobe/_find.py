# SPDX-License-Identifier: Apache-2.0
"""Where a callable works, and how it has to be called. What it has at hand tells; where that does not, a call does."""
from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any, Callable, Mapping, Optional

from ._jax import has_jax, wait_for, waiting
from ._place import CPU, Place, given_place, gpu_place, library, may_use_gpu, torch_place
from ._torch import torch_mode


@dataclass(frozen=True)
class Found:
    """`first`: the seconds of its first call, where that was made to find this."""

    place: Place
    call: "Callable[..., Any]"
    first: Optional[float] = None


def find(options: "Mapping[str, Any]", target: "Callable[..., Any]", args: "tuple[object, ...]") -> Found:
    return find_on(given_place(options, target, args) or gpu_place(target, args), target, args)


def find_on(place: "Optional[Place]", target: "Callable[..., Any]", args: "tuple[object, ...]") -> Found:
    """`place`: where that is known already."""
    if has_jax(target, args):
        return Found(place or CPU, waiting(target))
    place = place or (None if may_use_gpu() else CPU)
    if place is None or (library("jax") is not None and not place.whose):
        return find_by_calling(place, target, args)
    return Found(place, target)


def find_by_calling(place: "Optional[Place]", target: "Callable[..., Any]", args: "tuple[object, ...]") -> Found:
    begin = perf_counter()
    result = target(*args)
    took = perf_counter() - begin
    busy = torch_place() if torch_is_busy() else None
    if not has_jax(result):
        return Found(place or gpu_place(result) or busy or CPU, target, took)
    wait_for(result)
    return Found(place or CPU, waiting(target), perf_counter() - begin)


def torch_is_busy() -> bool:
    return torch_place() is not None and not library("torch").cuda.current_stream().query()


def find_place_of_loads(options: "Mapping[str, Any]", make: "Callable[..., Any]", args: "tuple[object, ...]") -> Place:
    """Of what `make(*args)` makes: one more is made where only that can tell."""
    given = given_place(options, make, args)
    if given is not None:
        return given
    if not may_use_gpu():
        return CPU
    made = make(*args)
    with torch_mode(made):
        return find({}, made, ()).place
