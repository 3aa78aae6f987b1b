# SPDX-License-Identifier: Apache-2.0
"""Measure neural-network inference, and know whether to believe the number.

>>> import strobe
>>> r = strobe.measure(sorted, list(range(1000)), effort="glance", progress=False)
>>> r.metrics["latency"].unit
'ns'
"""
from strobe._strobe import version as __version__

from ._batches import throughput
from ._compare import Candidate, compare
from ._error import Error
from ._files import audit, compare_records, load
from ._launched import Launched, launched
from ._measure import measure, measure_fresh
from ._models import Model, memory, methods, profile, run
from ._pipeline import Step, pipeline
from ._progress import Progress
from ._record import Finding, Metric, Percentile, Record
from ._stages import Stages, stage, stages
from ._stream import StreamRecord, stream

__all__ = [
    "Candidate", "Error", "Finding", "Launched", "Metric", "Model", "Percentile", "Progress", "Record", "Stages", "Step",
    "StreamRecord", "__version__", "audit", "compare", "compare_records", "launched", "load", "measure", "measure_fresh", "memory",
    "methods", "pipeline", "profile", "run", "stage", "stages", "stream", "throughput",
]
