# SPDX-License-Identifier: Apache-2.0
"""Records and times of before: load and audit."""
from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Iterable, Mapping, Union

from . import _strobe
from ._keywords import sort_keywords
from ._record import Record

if TYPE_CHECKING:
    import datetime

    from typing_extensions import Unpack

    from ._words import AuditWords, CompareRecordsWords


def load(path: "Union[str, os.PathLike[str]]") -> Record:
    """A record that was saved as JSON, by Python or by `strobe run --json`."""
    return Record.from_json(Path(path).read_text(encoding="utf-8"))


def compare_records(records: "Mapping[str, Record]", **options: "Unpack[CompareRecordsWords]") -> Record:
    """`strobe compare baseline.json new.json`: results of before against the first of them, by their launches. Five a side
    are needed; what was not measured under the same conditions is refused.

    >>> import strobe
    >>> def launched(kernel):
    ...     return strobe.run(f"sim:kernels=20x{kernel}us,launch=4us", launches=5, requests=30, warmup=0, progress=False)
    >>> both = {"before": launched(5), "after": launched(6)}
    >>> r = strobe.compare_records(both, fail_on="slower=2%", allow="device")  # each of these devices is another one
    >>> r.to_dict()["fail_on"][0]["outcome"]
    'failed'
    """
    given = sort_keywords("compare_records", options, "compare_records", beside=False)[0]
    return Record(_strobe.compare_records([(name, record.extension) for name, record in records.items()], given))


def audit(times: "Union[str, os.PathLike[str], Iterable[Union[float, datetime.timedelta]]]",
          **options: "Unpack[AuditWords]") -> Record:
    """Judges results of before: numbers of seconds (or timedeltas) in the order they were taken, the file of another
    tool, or a stored record. `unit`, `column`, `decimal` and `name` say how to read a file of times.

    >>> import strobe
    >>> r = strobe.audit([0.002 + 0.00001 * (i * 7 % 11) for i in range(500)])
    >>> round(r.metrics["reading"].value)
    2050000
    """
    given = sort_keywords("audit", options, "audit", beside=False)[0]
    if isinstance(times, (str, os.PathLike)):
        return Record(_strobe.audit_file(os.fspath(times), given))
    return Record(_strobe.audit_times(times, given))
