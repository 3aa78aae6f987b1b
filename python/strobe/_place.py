# SPDX-License-Identifier: Apache-2.0
"""Where the work of a callable runs: on the CPU, or on a CUDA stream that torch or cupy would use in this thread. Neither
is imported here: where they were not, nothing of theirs runs."""
from __future__ import annotations

import functools
import inspect
import sys
import types
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Callable, Iterator, Mapping, Optional, Tuple, TypeVar

from ._error import Error

T = TypeVar("T")

DEEPEST = 4    # of containers and closures: what lies deeper is found by a call
MOST = 10_000  # objects looked at: an argument may be a data set


@dataclass(frozen=True)
class Place:
    """A device by its name, and the handle of a stream; none: Strobe makes one. `whose` library has it."""

    device: str = "cpu"
    stream: Optional[int] = None
    whose: str = ""

    @property
    def members(self) -> "dict[str, Any]":
        """As options of the library."""
        return {"device": self.device} if self.stream is None else {"device": self.device, "stream": self.stream}


CPU = Place()


def library(name: str) -> Any:
    """Imported by somebody, and whole."""
    module = sys.modules.get(name)
    return module if getattr(module, "__version__", None) else None


def torch_place() -> "Optional[Place]":
    torch = library("torch")
    if torch is None or not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return None
    stream = torch.cuda.current_stream()
    return Place(f"cuda:{stream.device_index}", stream.cuda_stream, "torch")


def cupy_place() -> "Optional[Place]":
    cupy = library("cupy")
    if cupy is None:
        return None
    return Place(f"cuda:{cupy.cuda.Device().id}", cupy.cuda.get_current_stream().ptr, "cupy")


CURRENT: "dict[str, Callable[[], Optional[Place]]]" = {"torch": torch_place, "cupy": cupy_place}


def is_on_gpu(value: Any) -> str:
    """The library whose value it is, where that lies on a GPU; else an empty string."""
    torch, cupy = library("torch"), library("cupy")
    if torch is not None:
        if isinstance(value, torch.Tensor):
            return "torch" if value.is_cuda else ""
        if isinstance(value, torch.nn.Module):
            held = next(value.parameters(), None)
            held = next(value.buffers(), None) if held is None else held
            return "torch" if held is not None and held.is_cuda else ""
    return "cupy" if cupy is not None and isinstance(value, cupy.ndarray) else ""


def parts_of(value: Any) -> "Iterator[Any]":
    """What a container holds, and what a function has at hand: bound values, closure, defaults, names of its module."""
    if isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, (tuple, list, set, frozenset)):
        yield from value
    elif isinstance(value, functools.partial):
        yield value.func
        yield from value.args
        yield from value.keywords.values()
    elif isinstance(value, types.MethodType):
        yield value.__self__
        yield value.__func__
    elif isinstance(value, types.FunctionType):
        at_hand = inspect.getclosurevars(value)
        yield from at_hand.nonlocals.values()
        yield from at_hand.globals.values()
        yield from value.__defaults__ or ()
    elif type(value).__module__ not in ("builtins", "types") and not isinstance(value, (type, types.ModuleType)):
        yield getattr(value, "_orig_mod", None)  # of a module that torch has compiled
        yield from getattr(value, "__dict__", {}).values()


def search(ask: "Callable[[Any], T]", *values: Any) -> "Optional[T]":
    """The first true answer about these, or about what they hold."""
    seen: "set[int]" = set()
    level = list(values)
    for _ in range(DEEPEST):
        below = []
        for value in level:
            if id(value) in seen or len(seen) > MOST:
                continue
            seen.add(id(value))
            answer = ask(value)
            if answer:
                return answer
            if not isinstance(value, (str, bytes, int, float, type(None))):
                below.extend(parts_of(value))
        level = below
    return None


def whose_gpu_work(*values: Any) -> str:
    """The library with a value on a GPU among these, or among what they hold."""
    return search(is_on_gpu, *values) or ""


def is_of_jax(value: Any) -> bool:
    jax = library("jax")
    return jax is not None and isinstance(value, jax.Array)


def waiting_for_jax(target: "Callable[..., Any]", args: "tuple[object, ...]") -> "Optional[Callable[..., Any]]":
    """jax hands arrays out before they are computed: the same with a wait for them. None: it is not of jax."""
    if library("jax") is None or not search(is_of_jax, target, args):
        return None
    block = sys.modules["jax"].block_until_ready
    return lambda *given: block(target(*given))


def may_use_gpu() -> bool:
    """Before the first use torch has no context there, and a callable may be the first."""
    torch = library("torch")
    return library("cupy") is not None or (torch is not None and bool(torch.cuda.is_available()))


def place_of_stream(stream: Any) -> str:
    """The device of a stream of torch's or cupy's; an address says nothing of it."""
    for name in ("device_index", "device_id"):
        index = getattr(stream, name, None)
        if isinstance(index, int) and index >= 0:
            return f"cuda:{index}"
    return "cuda:0"


def address_of(stream: Any) -> int:
    for name in ("cuda_stream", "ptr"):
        if hasattr(stream, name):
            return int(getattr(stream, name))
    return int(stream)


def given_place(options: "Mapping[str, Any]") -> "Optional[Place]":
    """What the user said. A GPU without a stream means the one on which torch or cupy would work there."""
    device, stream = options.get("device"), options.get("stream")
    if stream is not None:
        return Place(device or place_of_stream(stream), address_of(stream), "")
    if device is None:
        return None
    if not device.startswith("cuda"):
        return Place(device)
    name = "cuda:0" if device == "cuda" else device
    current = (now() for now in CURRENT.values())
    return next((place for place in current if place is not None and place.device == name), Place(name))


def check_unmoved(place: Place) -> None:
    """Between requests: does the library still work where it did?"""
    now = CURRENT[place.whose]() if place.whose else None
    if now is None or (now.device, now.stream) == (place.device, place.stream):
        return
    what = "device" if now.device != place.device else "stream"
    raise Error("changed", "cannot go on measuring",
                f"{place.whose}'s current {what} is another one than before the first request",
                f"Let the callable leave the current {what} as it found it, or name the stream (stream=).")


Found = Tuple[Place, Optional[float]]


def find_place(options: "Mapping[str, Any]", target: Any, args: "tuple[object, ...]") -> Found:
    """Where `target(*args)` works. Where nothing tells and it might use a GPU, a call is made: then also its seconds."""
    given = given_place(options)
    if given is not None:
        return given, None
    whose = whose_gpu_work(target, args)
    if whose:
        return CURRENT[whose]() or CPU, None
    return place_by_calling(target, args) if may_use_gpu() else (CPU, None)


def find_place_of_loads(options: "Mapping[str, Any]", make: "Callable[..., Any]", args: "tuple[object, ...]") -> Place:
    """Of what `make(*args)` makes: one more is made where only that can tell."""
    given = given_place(options)
    if given is not None:
        return given
    if not may_use_gpu():
        return CPU
    return find_place({}, make(*args), ())[0]


def place_by_calling(target: Any, args: "tuple[object, ...]") -> Found:
    torch = library("torch")
    begin = perf_counter()
    result = target(*args)
    took = perf_counter() - begin
    whose = whose_gpu_work(result)
    busy = torch_place() is not None and not torch.cuda.current_stream().query()
    if not whose and busy:
        whose = "torch"
    return (CURRENT[whose]() or CPU) if whose else CPU, took
