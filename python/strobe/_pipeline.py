# SPDX-License-Identifier: Apache-2.0
"""pipeline: steps one after the other, timed without slowing them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence, Tuple, Union

from . import _strobe
from ._keywords import sort_keywords
from ._measure import nothing
from ._place import CPU, CURRENT, Place, given_place, whose_gpu_work
from ._record import Record
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


def place_of_steps(given: "Mapping[str, Any]", steps: "Sequence[Step]") -> Place:
    """That of the first step which works on a GPU, unless a device is named."""
    place = given_place(given)
    if place is None:
        working = (CURRENT[whose]() for whose in (whose_gpu_work(step.run) for step in steps) if whose)
        place = next((found for found in working if found is not None), None)
    return place or CPU


def options_on(place: Place, step: Step) -> "dict[str, Any]":
    """A step that has nothing at hand which lies on the GPU works on the host."""
    if place.stream is None or "stream" in step.options or "host" in step.options:
        return step.options
    return {**step.options, **({"stream": place.stream} if whose_gpu_work(step.run) else {"host": True})}


def pipeline(steps: "Sequence[AnyStep]", **options: "Unpack[PipelineWords]") -> Record:
    """Times the steps by three methods (four on a GPU) and by none, in turns: what each reads, and how much it slows
    what it measures. Steps that have tensors or modules on a GPU at hand are timed on the current stream, others work
    on the host; a Step's `stream` and `host` say it otherwise.

    >>> import strobe
    >>> r = strobe.pipeline([("sort", lambda: sorted(range(2000))), ("sum", lambda: sum(range(2000)))],
    ...                     rounds=2, iterations=5, progress=False)
    >>> [stage["name"] for stage in r.cases[1]["stages"]]
    ['sort', 'sum']
    """
    given, beside = sort_keywords("pipeline", options, "pipeline")
    all_steps = [as_step(step) for step in steps]
    place = place_of_steps(given, all_steps)
    given["device"] = place.device
    tuples = [(step.name, step.run, options_on(place, step)) for step in all_steps]
    with Watch(beside) as watch:
        return watch.deliver(_strobe.pipeline(tuples, given, nothing, watch.progress, watch.stop))
