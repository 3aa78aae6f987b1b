# SPDX-License-Identifier: Apache-2.0
"""compare: callables or models in turns."""
from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence, Union

from . import _strobe
from ._environment import prepare
from ._find import find
from ._measure import nothing
from ._keywords import sort_keywords
from ._models import Model, as_model
from ._place import Place, check_all_unmoved
from ._record import Record
from ._torch import torch_mode
from ._watch import Watch
from ._work import Work

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._words import CandidateWords, CompareWords


class Candidate:
    """One side of a comparison with options of its own: `Candidate(f, items=8)`, `Candidate("a.onnx", graph=True)`."""

    def __init__(self, what: "Side", **options: "Unpack[CandidateWords]") -> None:
        self.what = what
        self.options: "dict[str, Any]" = sort_keywords("Candidate", options, "candidate", beside=False)[0]


Side = Union[Callable[..., object], str, "os.PathLike[str]", Model]
AnySide = Union[Side, Candidate]

# Of a callable these are said beside it, of a model they are the model's own.
OF_BOTH = ("device", "stream", "pin")


def target_of(side: AnySide) -> Any:
    return side.what if isinstance(side, Candidate) else side


def tuple_of(name: str, side: AnySide, args: "tuple[object, ...]", common: "Mapping[str, Any]",
             of_models: "Mapping[str, Any]", watched: "list[Place]") -> "tuple[Any, ...]":
    """A candidate as the extension takes it. `watched` gets where a callable works."""
    own: "dict[str, Any]" = {}
    if isinstance(side, Candidate):
        own, side = side.options, side.what
    if isinstance(side, (str, os.PathLike, Model)):
        members = as_model(side).members({**of_models, **{k: v for k, v in common.items() if k in OF_BOTH}})
        return name, members, (), {**{k: v for k, v in common.items() if k not in OF_BOTH}, **own}
    if not callable(side):
        raise TypeError(f"compare() takes callables and models, not {type(side).__name__}")
    if of_models:
        raise TypeError(f"compare() got '{next(iter(of_models))}', which belongs to models: name it in a Model")
    said = {**common, **own}
    found = find(said, side, args)
    watched.append(found.place)
    return name, found.call, args, {**said, **found.place.members}, Work(found.call, args, found.place)


def compare(candidates: "Union[Mapping[str, AnySide], Sequence[AnySide]]", *args: object,
            **options: "Unpack[CompareWords]") -> Record:
    """Compares all candidates with the first, in turns: faster, slower, equivalent or cannot tell.

    Candidates are callables, all called with `args`, or models (a file, or a `Model`), with names, or as a list of
    models. Each launch of a model is a fresh process; callables stay in this one.

    >>> import strobe
    >>> r = strobe.compare({"list": lambda x: sorted(x), "twice": lambda x: sorted(sorted(x) + x)},
    ...                    list(range(999, 0, -1)), pairs=2, progress=False)
    >>> r.comparisons[0]["outcome"] in ("slower", "cannot-tell")
    True
    """
    given, common, of_models, beside = sort_keywords("compare", options, "compare", "candidate", "model")
    named = candidates.items() if isinstance(candidates, Mapping) else [("", side) for side in candidates]
    places: "list[Place]" = []
    with torch_mode(*(target_of(side) for _, side in named)):
        sides = [tuple_of(name, side, args, common, of_models, places) for name, side in named]
        prepare()
        with Watch(beside) as watch:
            watch.look_at(functools.partial(check_all_unmoved, places))
            return watch.deliver(_strobe.compare(sides, given, nothing, watch.progress, watch.stop))
