# SPDX-License-Identifier: Apache-2.0
"""measure("module:function"): launches in fresh Python processes, as `strobe run` has them. A process imports the module,
calls the function, and measures what it returns (strobe/_worker.py)."""
from __future__ import annotations

import json
import pickle
import signal
import subprocess
import sys
import time
from typing import Any, Callable, Mapping, Optional

from . import _strobe
from ._error import Error

BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv.pop()); from strobe._worker import main; main()"
BETWEEN_LOOKS = 0.1  # seconds
LAST_WORDS = 8.0     # after a signal: time for the request that runs, and for the record


def split_target(target: str) -> "tuple[str, str]":
    """
    >>> split_target("package.module:make")
    ('package.module', 'make')
    """
    module, _, function = target.partition(":")
    if not module or not function:
        raise Error("usage", f"cannot measure '{target}'", "it does not name a function",
                    'Write "module:function"; a model file is measured with strobe.run.')
    if module == "__main__":
        raise Error("usage", f"cannot measure '{target}'", "a fresh process has another main program",
                    "Put the function into a module.")
    return module, function


class Launcher:
    """Makes one launch after the other. What the extension calls."""

    def __init__(self, target: str, args: "tuple[object, ...]", options: "Mapping[str, Any]",
                 stop: "Callable[[], bool]") -> None:
        split_target(target)
        self._target = target
        self._args = args
        self._options = {k: v for k, v in options.items() if k != "launches"}
        self._stop = stop

    def __call__(self, number: int, of: int, max_time: "Optional[float]", patience: float) -> "_strobe.Record":
        options = dict(self._options)
        if max_time is not None:
            options["max_time"] = max_time
        if number > 1:
            options.pop("samples", None)  # those of the first launch
        try:
            job = pickle.dumps((self._target, self._args, options))
        except Exception as e:
            raise Error("usage", f"cannot hand the arguments of '{self._target}' to a fresh process", str(e),
                        "Take arguments that can be pickled, or make them in the function.") from e
        answer = self._answer(job, patience)
        if "error" in answer:
            raise Error(**answer["error"])
        return _strobe.parse_record(answer["record"])

    def _answer(self, job: bytes, patience: float) -> "dict[str, Any]":
        # A session of its own: Ctrl-C of the terminal is for this process, which asks the other one to end, once.
        child = subprocess.Popen([sys.executable, "-c", BOOT, json.dumps(sys.path)], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, start_new_session=True)
        try:
            said = self._wait(child, job, time.monotonic() + patience)
        finally:
            child.kill()
            child.wait()
        try:
            answer: "dict[str, Any]" = json.loads(said)
        except ValueError:
            raise Error("failed", f"a launch of '{self._target}' was lost", how_it_ended(child.returncode)) from None
        return answer

    def _wait(self, child: "subprocess.Popen[bytes]", job: bytes, deadline: float) -> bytes:
        asked = False
        to_send: "Optional[bytes]" = job
        while True:
            try:
                return child.communicate(to_send, timeout=BETWEEN_LOOKS)[0]
            except subprocess.TimeoutExpired:
                to_send = None  # it is on its way
            if time.monotonic() > deadline:
                raise Error("interrupted" if asked else "failed", f"a launch of '{self._target}' was lost",
                            "it stopped answering and was ended")
            if not asked and self._stop():
                asked = True
                deadline = min(deadline, time.monotonic() + LAST_WORDS)
                child.send_signal(signal.SIGINT)


def how_it_ended(code: int) -> str:
    """
    >>> how_it_ended(3), how_it_ended(-11)
    ('it ended with exit code 3', 'it was ended by signal 11 (SIGSEGV)')
    """
    if code >= 0:
        return f"it ended with exit code {code}"
    return f"it was ended by signal {-code} ({signal.Signals(-code).name})"
