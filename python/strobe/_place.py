# SPDX-License-Identifier: Apache-2.0
"""Where the work of a callable runs: on the CPU, or on a CUDA stream that torch or cupy would use in this thread. Neither
is imported here: where they were not, nothing of theirs runs."""
from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from itertools import chain
from typing import Any, Callable, Iterable, Mapping, Optional, Tuple

from ._at_hand import search
from ._error import Error


@dataclass(frozen=True)
class Place:
    """A device by its name, and the handle of a stream; none: Strobe makes one. `whose` library works there, and had
    `home` as its current device then. `named`: the user said which stream, so the library's current one may be another."""

    device: str = "cpu"
    stream: Optional[int] = None
    whose: str = ""
    home: str = ""
    named: bool = False

    @property
    def members(self) -> "dict[str, Any]":
        """As options of the library."""
        return {"device": self.device} if self.stream is None else {"device": self.device, "stream": self.stream}


CPU = Place()


def library(name: str) -> Any:
    """Imported by somebody, and whole."""
    module = sys.modules.get(name)
    return module if getattr(module, "__version__", None) else None


def torch_place(index: "Optional[int]" = None) -> "Optional[Place]":
    """torch's current stream on this device; none: on the current one."""
    torch = library("torch")
    if torch is None or not torch.cuda.is_available() or not torch.cuda.is_initialized():
        return None
    stream = torch.cuda.current_stream(index)
    return Place(f"cuda:{stream.device_index}", stream.cuda_stream, "torch", f"cuda:{torch.cuda.current_device()}")


def cupy_place(index: "Optional[int]" = None) -> "Optional[Place]":
    cupy = library("cupy")
    if cupy is None:
        return None
    home = cupy.cuda.Device().id
    with cupy.cuda.Device(home if index is None else index) as device:
        return Place(f"cuda:{device.id}", cupy.cuda.get_current_stream().ptr, "cupy", f"cuda:{home}")


CURRENT: "dict[str, Callable[[Optional[int]], Optional[Place]]]" = {"torch": torch_place, "cupy": cupy_place}

OnGpu = Tuple[str, Optional[int]]  # whose value it is, and the index of its device


def is_on_gpu(value: Any) -> "Optional[OnGpu]":
    torch, cupy = library("torch"), library("cupy")
    kind = type(value)
    if torch is not None and issubclass(kind, torch.nn.Module):
        try:
            value = next(chain(value.parameters(), value.buffers()), None)
            kind = type(value)
        except Exception:  # a module may have parameters of its own kind
            return None
    if torch is not None and issubclass(kind, torch.Tensor):
        return ("torch", value.device.index) if value.is_cuda else None
    if cupy is not None and issubclass(kind, cupy.ndarray):
        return "cupy", value.device.id
    return None


def gpu_place(*values: Any) -> "Optional[Place]":
    """The current stream where a value among these, or among what they hold, lies on a GPU."""
    if library("torch") is None and library("cupy") is None:
        return None
    found = search(is_on_gpu, *values)
    return CURRENT[found[0]](found[1]) if found else None


def may_use_gpu() -> bool:
    """Before the first use torch has no context there, and a callable may be the first."""
    torch = library("torch")
    return library("cupy") is not None or (torch is not None and bool(torch.cuda.is_available()))


# What a library's streams have: their address.
ADDRESSES = {"torch": "cuda_stream", "cupy": "ptr"}


def library_of_stream(stream: Any) -> str:
    return next((name for name, address in ADDRESSES.items() if hasattr(stream, address)), "")


def device_of_stream(stream: Any) -> str:
    """An address says nothing of it."""
    for name in ("device_index", "device_id"):
        index = getattr(stream, name, None)
        if isinstance(index, int) and index >= 0:
            return f"cuda:{index}"
    return "cuda:0"


def address_of(stream: Any) -> int:
    whose = library_of_stream(stream)
    address = getattr(stream, ADDRESSES[whose]) if whose else stream
    if isinstance(address, bool) or not isinstance(address, int):
        raise TypeError(f"stream must be a stream, or its address as an integer, not {type(stream).__name__}")
    return address


def name_of_device(device: Any) -> str:
    """A name, or a device of torch's."""
    if isinstance(device, str):
        return device
    torch = library("torch")
    if torch is None or not isinstance(device, torch.device):
        raise TypeError(f"device must be a name like 'cuda:0', or a device of torch's, not {type(device).__name__}")
    if device.type == "cuda" and device.index is None:
        return f"cuda:{torch.cuda.current_device()}"
    return str(device)


def start_torch() -> None:
    """Its first use of a GPU makes the context, and so the stream on which it will work."""
    torch = library("torch")
    if torch is not None and torch.cuda.is_available() and not torch.cuda.is_initialized():
        torch.cuda.init()


def place_on(device: str) -> Place:
    """Without a stream that somebody named: the one on which torch or cupy would work there."""
    number = re.fullmatch(r"cuda(?::(\d+))?", device)
    if not number:
        return Place(device)
    start_torch()
    index = int(number[1] or 0)
    for now in CURRENT.values():
        try:
            place = now(index)
        except Exception:  # there is no such device: to be said once it is opened
            continue
        if place is not None:
            return place
    return Place(f"cuda:{index}")


def given_place(options: "Mapping[str, Any]", *values: Any) -> "Optional[Place]":
    """What the user said. `values` tell whose work it is where a stream is an address."""
    device, stream = options.get("device"), options.get("stream")
    device = None if device is None else name_of_device(device)
    if stream is None:
        return None if device is None else place_on(device)
    address, whose = address_of(stream), library_of_stream(stream)
    if not whose:
        held = gpu_place(*values)
        whose = held.whose if held else ""
    return Place(device or device_of_stream(stream), address, whose, named=True)


def check_unmoved(place: Place) -> None:
    """Between requests: does the library still work where it did?"""
    if place.named or not place.whose:
        return
    now = CURRENT[place.whose](None)
    here = CURRENT[place.whose](int(place.device.partition(":")[2] or 0))
    if now is None or here is None or (now.device, here.stream) == (place.home, place.stream):
        return
    what = "device" if now.device != place.home else "stream"
    raise Error("changed", "cannot go on measuring",
                f"{place.whose}'s current {what} is another one than before the first request",
                f"Let the callable leave the current {what} as it found it, or name the stream (stream=).")


def check_all_unmoved(places: "Iterable[Place]") -> None:
    for place in places:
        check_unmoved(place)
