# SPDX-License-Identifier: Apache-2.0
"""The keyword arguments of each function, for type checkers and editors. What the names mean and their defaults are the
library's: docs/library.md and docs/cli.md. A test holds these lists to the library's own."""
from __future__ import annotations

import datetime
import os
from typing import Any, Callable, Literal, Mapping, Sequence, Tuple, TypedDict, Union

from ._progress import Progress

Time = Union[str, float, datetime.timedelta]  # "10ms", seconds, or a timedelta
Effort = Literal["glance", "quick", "standard", "sustained"]
Cache = Literal["hot", "cold"]
Device = Any  # "cpu", "cuda:0", …, or a device of torch's
Stream = Any  # an address, or an object with `cuda_stream` or `ptr`
File = Union[str, "os.PathLike[str]"]


class Beside(TypedDict, total=False):
    progress: Union[bool, Callable[[Progress], None]]  # False: none; a function is told instead
    stop: Callable[[], bool]  # asked about twenty times a second; True ends the measurement with what there is


class Length(Beside, total=False):
    effort: Effort
    margin: float
    min_time: Time
    max_time: Time
    warmup: int
    requests: int
    launches: int
    percentiles: Sequence[float]
    in_flight: int
    cache: Cache
    idle: Union[Time, Sequence[Time]]
    energy: bool
    samples: File


class CallableWords(Length, total=False):
    name: str
    items: int
    graph: bool  # also measure a captured graph: work of torch on a GPU
    device: Device
    stream: Stream
    pin: Union[str, int]


class UnbatchedWords(TypedDict, total=False):
    device: str
    runtime: str
    shape: Mapping[str, Union[str, int, Sequence[int]]]
    input: Mapping[str, File]
    input_range: Mapping[str, Tuple[float, float]]
    input_sets: Union[int, Literal["cache"]]
    threads: int
    dtype: str
    layout: str
    no_optimize: bool
    set: Mapping[str, str]
    pin: Union[str, int]
    stream: str
    lock_clocks: int
    seed: int


class StreamWords(Beside, total=False):
    name: str
    requests: int
    warmup: int
    max_time: Time


class ModelWords(UnbatchedWords, total=False):
    batch: int


class RunWords(Length, ModelWords, total=False):
    graph: bool
    copies: bool
    io: Literal["none", "runtime"]
    flops: float
    pass_: Literal["latency", "span", "period"]


class MethodsWords(Beside, ModelWords, total=False):
    methods: Sequence[str]
    method: Sequence[str]
    like: str
    warmup: int
    requests: int
    idle: Union[Time, Sequence[Time]]
    launches: int
    max_time: Time


class ThroughputWords(Beside, UnbatchedWords, total=False):  # it searches for the batch
    batches: Sequence[int]
    streams: Sequence[int]
    in_flight: Sequence[int]
    copies: Literal["none", "serial", "overlapped"]
    max_latency: Time
    percentile: float
    effort: Effort
    launches: int
    memory: int
    soak: Time
    no_largest: bool
    metric: Literal["energy"]  # the most items a joule
    max_time: Time


class BatchesWords(Beside, total=False):  # of a callable, in this process
    name: str
    device: str
    stream: Stream
    batches: Sequence[int]
    in_flight: Sequence[int]
    max_latency: Time
    percentile: float
    effort: Effort
    memory: int
    metric: Literal["energy"]  # the most items a joule
    max_time: Time


class ProfileWords(Beside, ModelWords, total=False):
    requests: int
    launches: int
    max_time: Time
    save_trace: File


class MemoryWords(Beside, ModelWords, total=False):
    requests: int
    graph: bool
    limit: int
    launches: int
    max_time: Time


class CandidateWords(TypedDict, total=False):
    in_flight: int
    graph: bool
    copies: bool
    cache: Cache
    device: Device
    stream: Stream
    pin: Union[str, int]
    items: int


class CompareWords(Beside, CandidateWords, total=False):
    effort: Effort
    pairs: int
    margin: float
    fail_on: Union[str, Sequence[str]]
    noise_floor: bool
    metric: Literal["energy"]  # compared, too
    max_time: Time


class CompareRecordsWords(TypedDict, total=False):
    margin: float
    force: bool
    allow: Union[str, Sequence[str]]
    fail_on: Union[str, Sequence[str]]


class PipelineWords(Beside, total=False):
    name: str
    device: Device
    rounds: int
    in_flight: int
    iterations: int
    max_time: Time


class StepWords(TypedDict, total=False):
    host: bool
    stream: Stream
    after: Union[str, Sequence[str]]
    repeat: int


class AuditWords(TypedDict, total=False):
    unit: Literal["ns", "us", "ms", "s"]
    column: Union[str, int]
    decimal: Literal["point", "comma"]
    name: str
