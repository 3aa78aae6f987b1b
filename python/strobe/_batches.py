# SPDX-License-Identifier: Apache-2.0
"""throughput: the best batch, of a model or of a callable with inputs made for each batch."""
from __future__ import annotations

import functools
import gc
from typing import TYPE_CHECKING, Any, Callable, Optional, overload

from . import _strobe
from ._find import find
from ._keywords import sort_keywords, unknown
from ._measure import check_callable, name_of, nothing
from ._models import AnyModel, study
from ._place import check_unmoved, library
from ._record import Record
from ._torch import torch_mode
from ._watch import Watch
from ._work import Work

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._words import BatchesWords, ThroughputWords

PLACE = ("name", "device", "stream")  # of Options; all others belong to other functions
# What allocators say that raise a plain RuntimeError: torch's on the CPU, jax's.
EXHAUSTED = ("not enough memory", "can't allocate memory", "out of memory", "resource_exhausted")


def is_exhausted(error: BaseException) -> bool:
    """Was there too little memory?

    >>> is_exhausted(MemoryError()), is_exhausted(RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"))
    (True, True)
    >>> is_exhausted(ValueError("out of memory"))
    False
    """
    if isinstance(error, MemoryError):
        return True
    kind = getattr(library("torch"), "OutOfMemoryError", None)
    if isinstance(kind, type) and isinstance(error, kind):
        return True
    said = str(error).lower()
    return isinstance(error, RuntimeError) and any(words in said for words in EXHAUSTED)


def arguments(made: object) -> "tuple[object, ...]":
    """
    >>> arguments((1, 2)), arguments([1, 2])
    ((1, 2), ([1, 2],))
    """
    return made if isinstance(made, tuple) else (made,)


def release_memory() -> None:
    """Of the batch before: what torch keeps for later would be missing for a larger one."""
    gc.collect()
    torch = library("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.empty_cache()


@overload
def throughput(model: AnyModel, /, **options: "Unpack[ThroughputWords]") -> Record: ...


@overload
def throughput(make_input: "Callable[[int], object]", fn: "Callable[..., object]", /,
               **options: "Unpack[BatchesWords]") -> Record: ...


def throughput(what: Any, fn: "Optional[Callable[..., object]]" = None, /, **options: Any) -> Record:
    """The best batch: the smallest within 5 % of the highest rate, with the rate of each batch that was tried.

    `throughput("model.onnx")` is `strobe throughput`: also the largest batch that fits, in fresh processes.
    `throughput(make_input, fn)` calls `fn(*make_input(batch))` in this process, for batches that it searches, or for
    `batches`: one launch. A batch that exhausts the memory ends the search. `max_latency` asks for the highest rate whose
    latency under load stays within it.

    >>> import strobe
    >>> r = strobe.throughput(lambda batch: list(range(1000 * batch)), sum, batches=[4], effort="quick", progress=False)
    >>> [case["name"] for case in r.cases], r.metrics["throughput"].unit
    (['batch 4'], 'items/s')
    """
    if fn is None and not callable(what):
        return study(_strobe.throughput, "throughput", what, options)
    check_callable("throughput", what)
    check_callable("throughput", fn)
    assert fn is not None
    return search_batches(what, fn, options)


def search_batches(make_input: "Callable[[int], object]", fn: "Callable[..., object]",
                   options: "dict[str, Any]") -> Record:
    given, where, beside = sort_keywords("throughput", options, "throughput", "options")
    for name in where:
        if name not in PLACE:
            raise unknown("throughput", name, [*_strobe.keywords["throughput"], *PLACE])
    args = arguments(make_input(min(given.get("batches") or [1])))
    with Watch(beside) as watch, torch_mode(fn):
        found = find(where, fn, args)
        del args
        watch.look_at(functools.partial(check_unmoved, found.place))

        def make(batch: int) -> "tuple[Callable[..., object], tuple[object, ...], Work]":
            release_memory()
            made = arguments(make_input(batch))
            return found.call, made, Work(found.call, made, found.place)

        where.setdefault("name", name_of(fn))
        return watch.deliver(_strobe.search_batches(make, is_exhausted, given, {**where, **found.place.members},
                                                    nothing, watch.progress, watch.stop))
