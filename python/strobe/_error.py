# SPDX-License-Identifier: Apache-2.0
"""The one exception type of Strobe's own failures."""
from __future__ import annotations

from typing import Literal

Code = Literal["usage", "not-found", "bad-input", "unsupported", "out-of-memory", "device-lost", "failed", "unwritable",
               "changed", "invalid-method", "interrupted"]


class Error(Exception):
    """A failure in three parts: what happened, its cause, and what to do about it. `str` is the whole sentence.

    >>> import strobe
    >>> try:
    ...     strobe.run("no such file.onnx", launches=1)
    ... except strobe.Error as e:
    ...     print(e.code)
    not-found
    """

    def __init__(self, code: Code, what: str, cause: str = "", advice: str = "") -> None:
        super().__init__(code, what, cause, advice)
        self.code: Code = code
        self.what = what
        self.cause = cause
        self.advice = advice

    def __str__(self) -> str:
        sentence = f"{self.what}: {self.cause}" if self.cause else self.what
        return f"{sentence}. {self.advice}" if self.advice else sentence
