# SPDX-License-Identifier: Apache-2.0
"""jax hands arrays out before they are computed: what returns some is called with a wait for them. It is never imported
here."""
from __future__ import annotations

import sys
import types
from typing import Any, Callable

from ._at_hand import search
from ._place import library

PACKAGES = ("jax", "jaxlib")


def is_of_jax(value: Any) -> bool:
    """An array, a function that jax has compiled or made, or one of its modules."""
    kind = type(value)
    where: Any = kind.__module__
    if kind is types.ModuleType:
        where = value.__name__
    elif kind is types.FunctionType:
        where = value.__globals__.get("__name__")
    return str(where).partition(".")[0] in PACKAGES


def has_jax(*values: Any) -> bool:
    """At hand among these."""
    return library("jax") is not None and bool(search(is_of_jax, *values))


def wait_for(result: Any) -> Any:
    return sys.modules["jax"].block_until_ready(result)


def waiting(target: "Callable[..., Any]") -> "Callable[..., Any]":
    block = sys.modules["jax"].block_until_ready
    return lambda *given: block(target(*given))
