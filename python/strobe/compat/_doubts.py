# SPDX-License-Identifier: Apache-2.0
"""Findings as warnings: the tools we stand in for return bare numbers."""
from __future__ import annotations

import warnings

from .._record import Record


class DoubtWarning(UserWarning):
    """A number that should not be believed as it is; `record` is what was measured."""

    def __init__(self, message: str, record: Record) -> None:
        super().__init__(message)
        self.record = record


def warn_of_doubts(record: Record, depth: int) -> None:
    """`depth`: frames between the user's call and ours."""
    for finding in record.findings:
        if finding.severity != "note":
            warnings.warn(DoubtWarning(f"{finding.id}: {finding.message}. {finding.advice}", record),
                          stacklevel=depth + 1)
