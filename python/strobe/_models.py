# SPDX-License-Identifier: Apache-2.0
"""The verbs of the command line that take a model."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Union

from . import _strobe
from ._environment import prepare
from ._keywords import sort_keywords
from ._record import Record
from ._watch import Watch

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._words import MemoryWords, MethodsWords, ModelWords, ProfileWords, RunWords


class Model:
    """Which model, on what, fed with what: a file, `zoo:NAME` or `sim:…`, with the options of `strobe run`.

    >>> Model("resnet18.onnx", batch=8)
    Model('resnet18.onnx', batch=8)
    """

    def __init__(self, model: "Union[str, os.PathLike[str]]", **options: "Unpack[ModelWords]") -> None:
        self.model = os.fspath(model)
        self.options: "dict[str, Any]" = sort_keywords("Model", options, "model", beside=False)[0]

    def __repr__(self) -> str:
        return f"Model({', '.join([repr(self.model)] + [f'{k}={v!r}' for k, v in self.options.items()])})"

    def members(self, common: "Mapping[str, Any]" = {}) -> "dict[str, Any]":
        """All that is said of it; `common` holds where it says nothing itself."""
        return {"model": self.model, **common, **self.options}


AnyModel = Union[str, "os.PathLike[str]", Model]


def as_model(model: AnyModel) -> Model:
    return model if isinstance(model, Model) else Model(model)


def study(verb: "Callable[..., _strobe.Record]", table: str, model: AnyModel, options: "Mapping[str, Any]") -> Record:
    of_model, given, beside = sort_keywords(verb.__name__, options, "model", table)
    members = as_model(model).members(of_model)
    prepare()
    with Watch(beside) as watch:
        return watch.deliver(verb(members, given, watch.progress, watch.stop))


def run(model: AnyModel, **options: "Unpack[RunWords]") -> Record:
    """`strobe run`: latency, device time and throughput of a model, in several fresh processes.

    >>> import strobe
    >>> r = strobe.run("sim:kernels=20x5us,launch=4us,sync=6us", requests=30, warmup=0, launches=1)
    >>> r.metrics["latency"].value
    110000.0
    """
    return study(_strobe.run, "options", model, options)


def methods(model: AnyModel, **options: "Unpack[MethodsWords]") -> Record:
    """`strobe methods`: every usual timing method side by side, and what each gets wrong.

    >>> import strobe
    >>> r = strobe.methods("sim:launch-bound", methods=["naive", "event"], launches=1)
    >>> [case["name"] for case in r.cases]
    ['naive', 'event']
    """
    return study(_strobe.methods, "methods", model, options)


def profile(model: AnyModel, **options: "Unpack[ProfileWords]") -> Record:
    """`strobe profile`: where the time of a request goes, layer by layer.

    >>> import strobe
    >>> r = strobe.profile("sim:kernels=20x5us+1x100us,launch=4us", requests=10, launches=1)
    >>> [(layer["name"], layer["time"]["value"]) for layer in r.profile["layers"]]
    [('layer 1', 100000), ('layer 2', 100000)]
    """
    return study(_strobe.profile, "profile", model, options)


def memory(model: AnyModel, **options: "Unpack[MemoryWords]") -> Record:
    """`strobe memory`: what memory goes to, its peak, and whether it grows from request to request.

    >>> import strobe
    >>> r = strobe.memory("sim:kernels=20x5us,memory=1GiB,weights=50MiB,workspace=8MiB", limit=100 << 20, launches=1)
    >>> r.metrics["memory"].value / 2**20, r.memory["fit"]["outcome"]
    (58.0, 'fits')
    """
    return study(_strobe.memory, "memory", model, options)
