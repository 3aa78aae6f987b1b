# SPDX-License-Identifier: Apache-2.0
"""What a callable has at hand: arguments that are bound, what its closure holds, names of its module that its code uses.
Looking runs no code of the user's: containers may be data sets that load when they are asked, objects may be proxies."""
from __future__ import annotations

import functools
import types
from itertools import chain, islice
from typing import Any, Callable, Iterable, Iterator, Optional, TypeVar

T = TypeVar("T")

DEEPEST = 4    # of containers and closures: what lies deeper is found by a call
MOST = 10_000  # values looked at: an argument may be a data set

# How the containers of the language give what they hold. A class that derives from one may do more when it is asked.
CONTAINERS: "dict[type, Callable[[Any], Iterable[Any]]]" = {
    dict: dict.values, list: list.__iter__, tuple: tuple.__iter__, set: set.__iter__, frozenset: frozenset.__iter__}
EMPTY = (str, bytes, bytearray, int, float, complex, type(None), type, types.ModuleType)
BOUND = (types.BuiltinFunctionType, types.MethodWrapperType)  # to an object, or to the module that has it


def cells_of(function: types.FunctionType) -> "Iterator[Any]":
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # a name that has no value yet, or none any more
            continue


def attributes_of(value: Any) -> "dict[str, Any]":
    try:
        found = object.__getattribute__(value, "__dict__")
    except Exception:
        return {}
    return found if isinstance(found, dict) else {}


def parts_of_function(function: types.FunctionType) -> "Iterator[Any]":
    names = (name for name in function.__code__.co_names if name in function.__globals__)
    return chain(cells_of(function), (function.__globals__[name] for name in names), function.__defaults__ or (),
                 (function.__kwdefaults__ or {}).values(), attributes_of(function).values())


def parts_of(value: Any) -> "Iterator[Any]":
    """What a container, a function or an object holds."""
    kind = type(value)  # isinstance would ask a proxy what it stands for
    for container, items in CONTAINERS.items():
        if issubclass(kind, container):
            return iter(items(value))
    if issubclass(kind, EMPTY):
        return iter(())
    if issubclass(kind, functools.partial):
        return chain((value.func,), value.args, value.keywords.values())
    if kind in BOUND:
        return iter((value.__self__,))
    if kind is types.MethodType:
        return iter((value.__self__, value.__func__))
    if kind is types.FunctionType:
        return parts_of_function(value)
    return iter(dict.values(attributes_of(value)))


def first_parts_of(value: Any, most: int) -> "list[Any]":
    try:
        return list(islice(parts_of(value), most))
    except RuntimeError:  # another thread changes it
        return []


def search(ask: "Callable[[Any], Optional[T]]", *values: Any) -> "Optional[T]":
    """The first true answer about these, or about what they hold."""
    seen: "set[int]" = set()
    level = list(values)
    left = MOST
    for _ in range(DEEPEST):
        below: "list[Any]" = []
        for value in level:
            if id(value) in seen:
                continue
            seen.add(id(value))
            answer = ask(value)
            if answer:
                return answer
            found = first_parts_of(value, left)
            left -= len(found)
            below.extend(found)
        level = below
    return None
