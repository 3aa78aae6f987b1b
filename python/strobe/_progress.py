# SPDX-License-Identifier: Apache-2.0
"""How far a measurement is, on stderr where that is a terminal: by tqdm where it is installed, else a line of our own.
Both are written between rounds, never within what is timed."""
from __future__ import annotations

import importlib
import sys
import time
from dataclasses import dataclass
from typing import Any, Callable, Optional, Protocol, TextIO, Union

BETWEEN_LINES = 0.1  # seconds: nobody reads quicker, and writing disturbs caches


@dataclass(frozen=True)
class Progress:
    """What a measurement does at the moment. Times are in seconds; `of` is 0 where no number is known."""

    phase: str
    elapsed: float
    at_most: float = 0.0
    done: int = 0
    of: int = 0
    what: str = ""
    waiting: bool = False
    hint: str = ""

    def __str__(self) -> str:
        """
        >>> str(Progress("measuring", 1.5, 4.5))
        'measuring 1.5 s · at most 3 s left'
        >>> str(Progress("measuring", 1.5, done=3, of=30, what="requests"))
        'measuring 3/30 requests · 1.5 s'
        """
        if self.waiting:
            return self.phase
        if self.of:
            return f"{self.phase} {self.done}/{self.of} {self.what}".rstrip() + f" · {self.elapsed:.1f} s"
        left = self.at_most - self.elapsed
        return f"{self.phase} {self.elapsed:.1f} s" + (f" · at most {left:.0f} s left" if left > 0 else "")


class Display(Protocol):
    def show(self, progress: Progress) -> None: ...

    def close(self) -> None: ...


class Line:
    """One line of a terminal, written over."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def show(self, progress: Progress) -> None:
        self._stream.write(f"\r\x1b[K{progress}\r")
        self._stream.flush()

    def close(self) -> None:
        self._stream.write("\r\x1b[K")
        self._stream.flush()


class Bar:
    """The same by tqdm."""

    def __init__(self, tqdm: Any, stream: TextIO) -> None:
        # tqdm's monitor is a thread that would take the GIL from what is measured.
        quiet = type("Quiet", (tqdm,), {"monitor_interval": 0})
        self._bar = quiet(file=stream, leave=False, bar_format="{desc} {bar} {elapsed}")

    def show(self, progress: Progress) -> None:
        counted = progress.of > 0
        self._bar.total = progress.of if counted else max(progress.at_most, progress.elapsed) or None
        self._bar.n = progress.done if counted else progress.elapsed
        self._bar.set_description_str(str(progress), refresh=True)

    def close(self) -> None:
        self._bar.close()


class Teller:
    """Hands on what the user's own function is to know."""

    def __init__(self, tell: "Callable[[Progress], object]") -> None:
        self._tell = tell

    def show(self, progress: Progress) -> None:
        self._tell(progress)

    def close(self) -> None:
        pass


def find_tqdm() -> Any:
    try:
        return importlib.import_module("tqdm").tqdm
    except ImportError:
        return None


def choose_display(wanted: "Union[bool, Callable[[Progress], object]]",
                   stream: "Optional[TextIO]" = None) -> "Optional[Display]":
    """`wanted` is what the user gave as `progress`."""
    stream = stream or sys.stderr
    if callable(wanted):
        return Teller(wanted)
    if not wanted or stream is None or not stream.isatty():
        return None
    tqdm = find_tqdm()
    return Bar(tqdm, stream) if tqdm else Line(stream)


class Paced:
    """What the extension calls. A user's own function hears everything, a terminal ten lines a second."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._wait = 0.0 if isinstance(display, Teller) else BETWEEN_LINES
        self._next = 0.0
        self._phase = ""

    def __call__(self, *members: Any) -> None:
        progress = Progress(*members)
        now = time.monotonic()
        if now < self._next and progress.phase == self._phase:
            return
        self._next, self._phase = now + self._wait, progress.phase
        self._display.show(progress)
