# SPDX-License-Identifier: Apache-2.0
"""Statements in text as callables, as `timeit` takes them."""
from __future__ import annotations

import textwrap
from typing import Any, Callable, Mapping, Union

Statement = Union[str, Callable[[], object]]

# A generator: statements share the local variables of the set-up, as they do in timeit's own loop.
LOOP = """\
def loop():
{setup}
    while True:
{statement}
        yield
"""


def callable_of(statement: Statement, setup: Statement = "pass",
                variables: "Mapping[str, Any]" = {}) -> "Callable[[], object]":
    """What one execution is; the set-up has been executed.

    >>> step = callable_of("x += 1; seen.append(x)", "x = 5; seen = []", {})
    >>> step(), step()
    (None, None)
    """
    namespace = dict(variables)
    if callable(setup):
        setup()
        setup = "pass"
    if callable(statement):
        exec(setup, namespace)
        return statement
    source = LOOP.format(setup=textwrap.indent(textwrap.dedent(setup).strip("\n") or "pass", "    "),
                         statement=textwrap.indent(textwrap.dedent(statement).strip("\n") or "pass", " " * 8))
    exec(compile(source, "<strobe>", "exec"), namespace)
    step: "Callable[[], object]" = namespace["loop"]().__next__
    return step
