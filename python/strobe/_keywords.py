# SPDX-License-Identifier: Apache-2.0
"""Keyword arguments, sorted into the structs of the library that have members of these names."""
from __future__ import annotations

import difflib
from typing import Any, Mapping

from . import _strobe

# What is said to Python and not to the library.
BESIDE = ("progress", "stop")


def unknown(function: str, name: str, known: "list[str]") -> TypeError:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f". Did you mean '{near[0]}'?" if near else ""
    return TypeError(f"{function}() got an unexpected keyword argument '{name}'{hint}")


def sort_keywords(function: str, given: "Mapping[str, Any]", *tables: str,
                  beside: bool = True) -> "list[dict[str, Any]]":
    """One dictionary for each table, then one of what is in none of them but in BESIDE, where `beside` allows it. A name
    that several tables have belongs to the first of these.

    >>> sort_keywords("run", {"batch": 8, "effort": "quick"}, "model", "options")
    [{'batch': 8}, {'effort': 'quick'}, {}]
    >>> sort_keywords("run", {"bach": 8}, "model", "options")
    Traceback (most recent call last):
    TypeError: run() got an unexpected keyword argument 'bach'. Did you mean 'batch'?
    """
    names = [_strobe.keywords[table] for table in tables] + [BESIDE if beside else ()]
    sorted_: "list[dict[str, Any]]" = [{} for _ in names]
    for name, value in given.items():
        place = next((i for i, table in enumerate(names) if name in table), None)
        if place is None:
            raise unknown(function, name, [n for table in names for n in table])
        sorted_[place][name] = value
    return sorted_
