# SPDX-License-Identifier: Apache-2.0
"""The result of a measurement, as Python sees it. Its fields are those of the JSON record (docs/records.md)."""
from __future__ import annotations

import html
import json
import os
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Union

from . import _strobe

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,unused-ignore]

# The parts of a metric that are an estimate: `median` of what is sampled, else the metric itself.
SAMPLED = "median"

# What `Metric.verdict` says where nothing is known of other launches.
OF_ONE_LAUNCH = "one-launch"
ONE_LAUNCH = """\
intervals    of this one launch: they hold what it would read again, not what the next start of the program reads
"""
OVER_LOADS = """\
intervals    for the next load in this process: they hold it in 95 % of cases; another process may read otherwise
"""


def number(fields: "Mapping[str, Any]", key: str) -> "Optional[float]":
    """JSON writes whole numbers without a point."""
    value = fields.get(key)
    return None if value is None else float(value)


@dataclass(frozen=True)
class Percentile:
    """A percentile with its interval, or the number of requests that it would need."""

    p: float
    value: Optional[float] = None
    low: Optional[float] = None
    high: Optional[float] = None
    needs: Optional[int] = None


@dataclass(frozen=True)
class Metric:
    """A number with its 95 % interval, in `unit` (times are in nanoseconds). A side that is None is unbounded: there
    were too few samples. Where nothing could be measured, `value` is None and `unknown` says why."""

    name: str
    unit: str
    value: Optional[float]
    low: Optional[float]
    high: Optional[float]
    n: int = 0
    unknown: str = ""
    verdict: str = ""  # repeats, varies, one-launch, …; empty where the study gives none
    percentiles: "tuple[Percentile, ...]" = ()

    @staticmethod
    def read(name: str, fields: "Mapping[str, Any]") -> "Metric":
        """
        >>> Metric.read("latency", {"unit": "ns", "n": 9, "median": {"value": 5.0, "low": 4.0}}).low
        4.0
        """
        estimate = fields.get(SAMPLED, fields)
        percentiles = tuple(Percentile(p["p"], number(p, "value"), number(p, "low"), number(p, "high"), p.get("needs"))
                            for p in fields.get("percentiles", ()))
        return Metric(name=name, unit=fields.get("unit", "ns"), value=number(estimate, "value"),
                      low=number(estimate, "low"), high=number(estimate, "high"), n=int(fields.get("n", 0)),
                      unknown=fields.get("unknown", ""), verdict=fields.get("verdict", {}).get("word", ""),
                      percentiles=percentiles)


@dataclass(frozen=True)
class Finding:
    """A known mistake or disturbance: one sentence with the evidence, one with what to do."""

    id: str
    about: str
    severity: str
    message: str
    advice: str = ""
    metric: str = ""

    @staticmethod
    def read(fields: "Mapping[str, Any]") -> "Finding":
        return Finding(**{k: fields.get(k, "") for k in Finding.__dataclass_fields__})


class Record:
    """The result of a measurement: metrics, findings, a verdict. `print` shows what the program prints.

    >>> import strobe
    >>> r = strobe.run("sim:tiny", requests=30, warmup=0, launches=1)
    >>> r.verb, r.metrics["latency"].unit, "one launch" in repr(r)
    ('run', 'ns', True)
    """

    def __init__(self, record: "_strobe.Record") -> None:
        self._record = record

    @staticmethod
    def from_json(text: str) -> "Record":
        """A record that `json()` wrote, also of an older version."""
        return Record(_strobe.parse_record(text))

    @property
    def extension(self) -> "_strobe.Record":
        """For other modules of this package."""
        return self._record

    def text(self) -> str:
        """What the program prints of it."""
        return self._record.text()

    def html(self) -> str:
        """A page with pictures that needs nothing else."""
        return self._record.html()

    def json(self) -> str:
        return self._record.json()

    @cached_property
    def _fields(self) -> "dict[str, Any]":
        fields: "dict[str, Any]" = json.loads(self.json())
        return fields

    def to_dict(self) -> "dict[str, Any]":
        """The whole record; docs/records.md explains every field."""
        copied: "dict[str, Any]" = json.loads(self.json())
        return copied

    def __reduce__(self) -> "tuple[Callable[[str], Record], tuple[str]]":
        return Record.from_json, (self.json(),)

    def __repr__(self) -> str:
        return (self.text() + self._meaning()).rstrip("\n")

    def _meaning(self) -> str:
        if self._fields.get("one_process"):
            return OVER_LOADS
        if self.launches:
            return ""
        return ONE_LAUNCH if any(m.verdict == OF_ONE_LAUNCH for m in self.metrics.values()) else ""

    def _repr_html_(self) -> str:
        # A frame: the styles of the page and those of the notebook do not know of each other.
        return (f'<iframe srcdoc="{html.escape(self.html())}" sandbox="allow-scripts" '
                'style="width: 100%; height: 40em; border: none"></iframe>')

    @property
    def verb(self) -> str:
        return str(self._fields["verb"])

    @property
    def status(self) -> str:
        """converged, fixed, not-converged or interrupted"""
        return str(self._fields["status"])

    @property
    def verdict(self) -> str:
        """trusted, caution or invalid"""
        return str(self._fields["verdict"])

    @cached_property
    def metrics(self) -> "Mapping[str, Metric]":
        return {name: Metric.read(name, fields) for name, fields in self._fields.get("metrics", {}).items()}

    @cached_property
    def findings(self) -> "list[Finding]":
        return [Finding.read(f) for f in self._fields.get("findings", ())]

    @property
    def launches(self) -> "list[dict[str, Any]]":
        """The same measurement in fresh processes (or fresh loads), one each; empty where there was one only."""
        return list(self._fields.get("launches", ()))

    @property
    def cases(self) -> "list[dict[str, Any]]":
        """One for each method, candidate, batch or point of a sweep."""
        return list(self._fields.get("cases", ()))

    @property
    def profile(self) -> "dict[str, Any]":
        """Where the time of a request goes, of strobe.profile: layers, kernels, why a device idles."""
        return dict(self._fields.get("profile", {}))

    @property
    def memory(self) -> "dict[str, Any]":
        """What memory goes to, of strobe.memory: places, phases, growth, parts, allocations."""
        return dict(self._fields.get("memory", {}))

    @property
    def comparisons(self) -> "list[dict[str, Any]]":
        return list(self._fields.get("comparisons", ()))

    def save(self, path: "Union[str, os.PathLike[str]]") -> None:
        """Writes it in the format that the suffix says: .json, .html or .txt. A file that is there stays whole until the
        new one is."""
        path = Path(path)
        if path.suffix not in FORMATS:
            raise ValueError(f"cannot save as '{path.suffix}': the suffix says the format, one of {', '.join(FORMATS)}")
        write_whole(path, FORMATS[path.suffix](self))

    def to_pandas(self) -> "pandas.DataFrame":
        """A row for each metric; where there are cases, a row for each metric of each case."""
        try:
            import pandas
        except ImportError as e:
            raise ImportError("to_pandas() needs the package pandas: pip install pandas") from e
        return pandas.DataFrame(self.rows())

    def rows(self) -> "list[dict[str, Any]]":
        """What `to_pandas` makes a table of."""
        parts = [("", self._fields.get("metrics", {}))] + [(c["name"], c.get("metrics", {})) for c in self.cases]
        read = [(case, Metric.read(name, fields)) for case, metrics in parts for name, fields in metrics.items()]
        return [{"case": case, "metric": m.name, "value": m.value, "low": m.low, "high": m.high, "unit": m.unit,
                 "n": m.n} for case, m in read]


FORMATS: "dict[str, Callable[[Record], str]]" = {".json": Record.json, ".html": Record.html, ".txt": Record.text}


def write_whole(path: Path, text: str) -> None:
    """Under another name first, in the same folder."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o666 & ~current_umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
