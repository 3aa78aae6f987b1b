# SPDX-License-Identifier: Apache-2.0
"""What is particular to torch. It is never imported here: where it was not, there are no modules."""
from __future__ import annotations

import functools
import sys
from contextlib import nullcontext
from typing import Any, Callable, ContextManager, Iterator, Optional

from ._place import Place, library


def module_of(target: Any) -> Any:
    """The torch.nn.Module that is called, also where a functools.partial binds its arguments; none: None."""
    while type(target) is functools.partial:
        target = target.func
    # Somebody's import of torch may have failed half-way.
    module = getattr(getattr(sys.modules.get("torch"), "nn", None), "Module", None)
    return target if isinstance(module, type) and isinstance(target, module) else None


def torch_mode(*targets: Any) -> "ContextManager[Any]":
    """Modules are for inference: entered once before the first request, not in each. Where functions are among the
    targets, all run as they are, because both sides of a comparison must."""
    if targets and all(module_of(target) is not None for target in targets):
        mode: "ContextManager[Any]" = sys.modules["torch"].inference_mode()
        return mode
    return nullcontext()


def parts_of(result: Any) -> "Iterator[Any]":
    if isinstance(result, dict):
        yield from result.values()
    elif isinstance(result, (tuple, list)):
        yield from result
    else:
        yield result


def tensors_of(result: Any) -> "list[Any]":
    torch = library("torch")
    return [part for part in parts_of(result) if isinstance(part, torch.Tensor)] if torch else []


def allows_tf32(settings: Any) -> bool:
    """Of products or of convolutions. The older of the two settings raises where the newer one was used."""
    try:
        return bool(settings.allow_tf32)
    except Exception:
        return bool(settings.fp32_precision == "tf32")


# Of torch's libraries on a GPU.
FLAGS: "dict[str, Callable[[Any], bool]]" = {
    "tf32_matmul": lambda backends: allows_tf32(backends.cuda.matmul),
    "tf32_cudnn": lambda backends: allows_tf32(backends.cudnn),
    "cudnn_benchmark": lambda backends: bool(backends.cudnn.benchmark),
    "deterministic": lambda backends: bool(backends.cudnn.deterministic),
}


def flags() -> "dict[str, bool]":
    """They are read, never changed. One that cannot be read is left out: another release may lack it."""
    found = {}
    for name, read in FLAGS.items():
        try:
            found[name] = read(sys.modules["torch"].backends)
        except Exception:
            continue
    return found


def torch_facts(target: Any, result: Any, place: Place) -> "dict[str, Any]":
    """For the record's model, of the target and its last result."""
    torch, module = library("torch"), module_of(target)
    tensors = tensors_of(result)
    if torch is None or (not tensors and module is None and place.whose != "torch"):
        return {}
    facts: "dict[str, Any]" = {"torch": str(torch.__version__), "threads": torch.get_num_threads()}
    if module is not None:
        facts.update(inference_mode=bool(torch.is_inference_mode_enabled()), training=bool(module.training))
    if not facts.get("inference_mode"):
        facts["autograd"] = any(tensor.requires_grad for tensor in tensors)
    return {**facts, **flags()} if place.whose == "torch" else facts


class Compilations:
    """Graphs that torch.compile made since this was begun."""

    def __init__(self) -> None:
        self._before = self._count()

    @staticmethod
    def _count() -> int:
        utils = sys.modules.get("torch._dynamo.utils")
        try:
            return int(utils.counters["stats"]["unique_graphs"]) if utils is not None else 0
        except Exception:  # another release counts otherwise
            return 0

    def count(self) -> int:
        return self._count() - self._before


def memory_stat(place: Place, name: str) -> "Optional[int]":
    """Of torch's allocator on this device; none where it does not count."""
    torch = library("torch")
    if torch is None or place.whose != "torch":
        return None
    try:
        return int(torch.cuda.memory_stats(place.device).get(name, 0))
    except Exception:
        return None


def is_plain(tensor: Any) -> bool:
    """Its values lie in memory, one after the other: not sparse, quantized, nested or without values at all."""
    torch = sys.modules["torch"]
    return (tensor.layout == torch.strided and tensor.device.type != "meta" and not tensor.is_quantized
            and not getattr(tensor, "is_nested", False))


def are_alike(first: "list[Any]", second: "list[Any]") -> bool:
    """Can they be told apart value by value?"""
    return len(first) == len(second) and all(
        is_plain(a) and is_plain(b) and (a.shape, a.dtype, a.device) == (b.shape, b.dtype, b.device)
        for a, b in zip(first, second))


def compare_tensors(first: "list[Any]", second: "list[Any]") -> "Optional[tuple[bool, float]]":
    """Are all values finite, and how far do they lie apart, relative to the largest? None: they cannot be compared."""
    if not are_alike(first, second):
        return None
    finite, worst = True, 0.0
    for a, b in zip(first, second):
        if a.is_complex():
            a, b = (sys.modules["torch"].view_as_real(t.detach().resolve_conj()) for t in (a, b))
        if not a.is_floating_point():
            worst = max(worst, float((a != b).any()))
            continue
        if a.numel() == 0:
            continue
        a, b = a.detach().double(), b.detach().double()
        finite = finite and bool(a.isfinite().all()) and bool(b.isfinite().all())
        scale = max(float(a.abs().max()), float(b.abs().max()))
        if scale > 0:
            worst = max(worst, float((a - b).abs().max()) / scale)
    return finite, worst


def tolerance_of(tensors: "list[Any]") -> float:
    """By the fewest digits among their types; convolutions and products in TF32 have those of half floats."""
    torch = sys.modules["torch"]
    narrow = any(t.dtype in (torch.float16, torch.bfloat16) for t in tensors)
    return 2e-2 if narrow or any(t.is_cuda for t in tensors) else 1e-4


def capture_graph(target: "Callable[..., Any]", args: "tuple[object, ...]", place: Place) -> "Callable[[], None]":
    """`target(*args)` as a CUDA graph, captured on a side stream because the default one cannot be, and replayed on that
    of the place. Raises where it cannot be captured, or computes something else."""
    torch = library("torch")
    if torch is None or place.whose != "torch":
        raise RuntimeError("only work of torch on a GPU can be captured as a graph")
    with torch.cuda.device(place.device):
        here = torch.cuda.ExternalStream(place.stream) if place.named else torch.cuda.current_stream()
        before = [t.clone() for t in tensors_of(target(*args))]
        side = torch.cuda.Stream()
        side.wait_stream(here)
        with torch.cuda.stream(side):
            for _ in range(3):
                target(*args)
        here.wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        # Other threads may allocate meanwhile.
        with torch.cuda.graph(graph, stream=side, capture_error_mode="thread_local"):
            result = target(*args)
        replay = Replay(graph, result, here if place.named else None)
        replay()
        here.synchronize()
    compared = compare_tensors(before, tensors_of(result))
    if compared is None:
        raise RuntimeError("the graph's outputs cannot be compared with those of a call")
    if before and compared[1] > tolerance_of(before):
        raise RuntimeError(f"the graph's outputs differ by {compared[1]:.2g}")
    return replay


class Replay:
    """A captured graph, and its outputs, whose memory must not be given to others. `stream`: which one, where it is not
    torch's current one."""

    def __init__(self, graph: Any, result: Any, stream: Any) -> None:
        self._result = result
        self._replay = graph.replay
        self._stream = stream

    def __call__(self) -> None:
        if self._stream is None:
            self._replay()
            return
        with sys.modules["torch"].cuda.stream(self._stream):
            self._replay()
