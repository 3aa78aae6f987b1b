# SPDX-License-Identifier: Apache-2.0
"""launched: a function that makes what is to be measured knows how to be launched in fresh processes."""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Callable, Generic, Optional, ParamSpec, TypeVar, Union, overload

from ._error import Error
from ._keywords import sort_keywords
from ._measure import measure
from ._record import Record

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._words import CallableWords

P = ParamSpec("P")
R = TypeVar("R")


class Launched(Generic[P, R]):
    """What `launched` makes of a function: the function, and `measure`."""

    __name__: str
    __qualname__: str

    def __init__(self, make: "Callable[P, R]", options: "dict[str, Any]") -> None:
        self._make = make
        self._options = options
        functools.update_wrapper(self, make)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._make(*args, **kwargs)

    def measure(self, *args: object, **options: "Unpack[CallableWords]") -> Record:
        """`strobe.measure("module:function", *args)` of this function: what it returns, in fresh processes. Options are
        added to those of the decorator, and come before them."""
        if "<" in self.__qualname__:
            raise Error("usage", f"cannot launch '{self.__qualname__}'", "a fresh process cannot import a function within "
                        "another", "Put it into a module, outside of functions.")
        said: "Any" = {"name": self.__qualname__, **self._options, **options}
        return measure(f"{self.__module__}:{self.__qualname__}", *args, **said)


@overload
def launched(make: "Callable[P, R]", /) -> "Launched[P, R]": ...


@overload
def launched(**options: "Unpack[CallableWords]") -> "Callable[[Callable[P, R]], Launched[P, R]]": ...


def launched(make: "Optional[Callable[P, R]]" = None, /,
             **options: Any) -> "Union[Launched[P, R], Callable[[Callable[P, R]], Launched[P, R]]]":
    """A decorator for a function of a module that makes what is to be measured: `make.measure(*args)` calls it in fresh
    processes, and measures what it returns there, as `strobe.measure("module:make", *args)` does. `make(*args)` is what it
    was. Options are those of `measure`.

    >>> import strobe
    >>> @strobe.launched(launches=5, effort="quick")
    ... def make(width=64):
    ...     numbers = list(range(width))
    ...     return lambda: sum(numbers)
    >>> make(3)()
    3
    """
    if make is not None:
        return Launched(make, {})
    sort_keywords("launched", options, "options")
    return lambda function: Launched(function, options)
