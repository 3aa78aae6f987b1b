# SPDX-License-Identifier: Apache-2.0
"""pipeline: steps one after the other, timed without slowing them."""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Tuple, Union

from . import _strobe
from ._jax import has_jax, waiting
from ._keywords import sort_keywords
from ._measure import nothing
from ._place import CPU, Place, check_all_unmoved, given_place, gpu_place
from ._record import Record
from ._torch import torch_mode
from ._watch import Watch

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._words import PipelineWords, StepWords


class Step:
    """A step of a pipeline with options: `Step("small", f, after="large", repeat=2)`."""

    def __init__(self, name: str, run: "Callable[[], object]", **options: "Unpack[StepWords]") -> None:
        self.name = name
        self.run = run
        self.options: "dict[str, Any]" = sort_keywords("Step", options, "step", beside=False)[0]


AnyStep = Union[Step, Tuple[str, Callable[[], object]]]


def as_step(step: AnyStep) -> Step:
    step = step if isinstance(step, Step) else Step(*step)
    if not callable(step.run):
        raise TypeError(f"the step '{step.name}' is no callable, but {type(step.run).__name__}")
    return step


def places_of(given: "Mapping[str, Any]", steps: "Sequence[Step]") -> "tuple[Place, list[Optional[Place]]]":
    """Of the whole: that of the first step which works on a GPU, unless a device is named. And of each step which has
    something at hand that lies on one."""
    places = [gpu_place(step.run) for step in steps]
    return given_place(given) or next((place for place in places if place is not None), CPU), places


def options_on(whole: Place, own: "Optional[Place]", step: Step) -> "dict[str, Any]":
    """A step that has nothing at hand which lies on the GPU works on the host."""
    if whole.stream is None or "stream" in step.options or "host" in step.options:
        return step.options
    return {**step.options, **({"host": True} if own is None else {"stream": own.stream})}


def called(step: Step) -> "Callable[[], object]":
    return waiting(step.run) if has_jax(step.run) else step.run


def pipeline(steps: "Sequence[AnyStep]", **options: "Unpack[PipelineWords]") -> Record:
    """Times the steps by three methods (four on a GPU) and by none, in turns: what each reads, and how much it slows
    what it measures. Steps that have tensors or modules on a GPU at hand are timed on the current stream, others work
    on the host; a Step's `stream` and `host` say it otherwise. Where every step is a module of torch (by a
    functools.partial), they run under inference mode; else all as they are.

    >>> import strobe
    >>> r = strobe.pipeline([("sort", lambda: sorted(range(2000))), ("sum", lambda: sum(range(2000)))],
    ...                     rounds=2, iterations=5, progress=False)
    >>> [stage["name"] for stage in r.cases[1]["stages"]]
    ['sort', 'sum']
    """
    given, beside = sort_keywords("pipeline", options, "pipeline")
    all_steps = [as_step(step) for step in steps]
    whole, places = places_of(given, all_steps)
    given["device"] = whole.device
    tuples = [(step.name, called(step), options_on(whole, own, step)) for step, own in zip(all_steps, places)]
    watched = [place for place, step in zip(places, all_steps) if place is not None and "stream" not in step.options]
    with Watch(beside) as watch, torch_mode(*(step.run for step in all_steps)):
        watch.look_at(functools.partial(check_all_unmoved, watched))
        return watch.deliver(_strobe.pipeline(tuples, given, nothing, watch.progress, watch.stop))
