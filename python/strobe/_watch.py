# SPDX-License-Identifier: Apache-2.0
"""What goes on beside a measurement: the line of progress, and Ctrl-C."""
from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Callable, Mapping, Optional, Type

from . import _strobe
from ._error import Error
from ._progress import Paced, choose_display
from ._record import Record


class Watch:
    """The first Ctrl-C asks a measurement to end with what there is, so that no request is cut off in the middle; the
    second raises KeyboardInterrupt, as it would anywhere. Only Python's own handler is replaced, and only on the main
    thread: where an application has one, signals are its affair.

    `progress` and `stop` are what the extension calls.
    """

    def __init__(self, beside: "Mapping[str, Any]") -> None:
        self._display = choose_display(beside.get("progress", True))
        self.progress = Paced(self._display) if self._display else None
        self._user_stop: "Optional[Callable[[], bool]]" = beside.get("stop")
        self._before: Any = None
        self._look: "Callable[[], object]" = lambda: None
        self.interrupted = False

    def look_at(self, look: "Callable[[], object]") -> None:
        """Called as often as signals are handled; what it raises ends the measurement."""
        self._look = look

    def stop(self) -> bool:
        self._look()
        return self.interrupted or bool(self._user_stop and self._user_stop())

    def __enter__(self) -> "Watch":
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._heard)
        return self

    def __exit__(self, kind: "Optional[Type[BaseException]]", error: "Optional[BaseException]",
                 trace: "Optional[TracebackType]") -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self._display:
            self._display.close()
        if self.interrupted and isinstance(error, Error) and error.code == "interrupted":
            raise KeyboardInterrupt from None

    def _heard(self, number: int, frame: "Optional[FrameType]") -> None:
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = True

    def deliver(self, record: "_strobe.Record") -> Record:
        """The result, where there is one after Ctrl-C."""
        if self.interrupted and not record.has_result():
            raise KeyboardInterrupt
        return Record(record)
