# SPDX-License-Identifier: Apache-2.0
"""The other end of strobe/_launches.py: one launch in a fresh process. A job comes pickled on stdin, the answer goes as
JSON to stdout; whatever the user's code prints goes to stderr."""
from __future__ import annotations

import ctypes
import functools
import importlib
import json
import os
import pickle
import signal
import sys
import time
import traceback
from typing import Any

from . import _strobe
from ._error import Error
from ._launches import split_target
from ._measure import measure_here
from ._watch import Watch

PR_SET_PDEATHSIG = 1


def named(target: str) -> Any:
    """What "module:name" stands for."""
    module, function = split_target(target)
    found: Any = importlib.import_module(module)
    for name in function.split("."):
        found = getattr(found, name)
    return found


def bound(target: str, *args: object) -> "functools.partial[object]":
    """Makes a callable of a function that is to be measured itself: `measure("strobe._worker:bound", "module:f", x)`."""
    return functools.partial(named(target), *args)


def load(target: str, args: "tuple[object, ...]") -> "tuple[Any, float]":
    """What is to be measured, and the seconds that making it took."""
    begin = time.perf_counter()
    made = named(target)(*args)
    if not callable(made):
        raise Error("usage", f"cannot measure '{target}'", f"it returned {type(made).__name__}, which cannot be called",
                    "Let it return a function without arguments, or a functools.partial.")
    return made, time.perf_counter() - begin


def measure(target: str, args: "tuple[object, ...]", options: "dict[str, Any]") -> "dict[str, Any]":
    """The answer to a job."""
    try:
        made, seconds = load(target, args)
        with Watch({"progress": False}) as watch:
            record = measure_here(made, (), options, watch, seconds)
        return {"record": record.json()}
    except Error as e:
        return {"error": {"code": e.code, "what": e.what, "cause": e.cause, "advice": e.advice}}
    except BaseException as e:  # also SystemExit and KeyboardInterrupt: the other end waits for an answer
        traceback.print_exc()
        code = "interrupted" if isinstance(e, KeyboardInterrupt) else "failed"
        said = "".join(traceback.format_exception_only(type(e), e)).strip()
        return {"error": {"code": code, "what": f"a launch of '{target}' failed", "cause": said, "advice": ""}}


def main() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # nobody would be left to answer
    # A shell lets what it starts in the background ignore it, and so its children: here it is how the other end asks.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        target, args, options = pickle.load(sys.stdin.buffer)
        json.dump(measure(target, args, options), answers)
    # Nobody waits for what libraries do at their end.
    sys.stderr.flush()
    os._exit(0)
