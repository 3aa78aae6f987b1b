# SPDX-License-Identifier: Apache-2.0
"""Trace events as strobe writes them (.trace.json) on standard input, Perfetto's own format on standard output.

    python3 pftrace.py <x.trace.json >x.pftrace      # needs the package perfetto
"""
import itertools
import json
import math
import sys

NANOSECONDS = 1000  # in a microsecond, the unit of trace events
SLACK = 1e-6        # what two sums of doubles may differ by


class Trace:
    def __init__(self):
        from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import TrackEvent
        from perfetto.trace_builder.proto_builder import TraceProtoBuilder
        self.kinds = TrackEvent
        self.builder = TraceProtoBuilder()
        self.ids = itertools.count(1)
        self.tracks = {}  # by process and track, or counter

    def track(self, key, name, process=None):
        """A track is told of once, before what is on it."""
        if key not in self.tracks:
            self.tracks[key] = next(self.ids)
            d = self.builder.add_packet().track_descriptor
            d.uuid, d.name = self.tracks[key], name
            if process is not None:
                d.parent_uuid = self.tracks[process]
            return d
        return None

    def event(self, at, track, kind, **fields):
        packet = self.builder.add_packet()
        packet.timestamp = round(at * NANOSECONDS)
        packet.trusted_packet_sequence_id = 1
        packet.track_event.type = kind
        packet.track_event.track_uuid = track
        for name, value in fields.items():
            setattr(packet.track_event, name, value)

    def spans(self, events):
        """Those of one track: they nest and are in order, so each ends before the next that is not within it."""
        open_ends = []  # the innermost last
        for e in events:
            track = self.tracks[e["pid"], e["tid"]]
            self.end(open_ends, e["ts"], track)
            self.event(e["ts"], track, self.kinds.TYPE_SLICE_BEGIN, name=e["name"])
            open_ends.append(e["ts"] + e["dur"])
        self.end(open_ends, math.inf, track)

    def end(self, open_ends, by, track):
        while open_ends and open_ends[-1] <= by + SLACK:
            self.event(open_ends.pop(), track, self.kinds.TYPE_SLICE_END)

    def counter(self, e):
        key = e["pid"], e["name"]
        d = self.track(key, e["name"], (e["pid"],))
        if d is not None:
            d.counter.SetInParent()
        self.event(e["ts"], self.tracks[key], self.kinds.TYPE_COUNTER, double_counter_value=e["args"]["value"])


def convert(events):
    trace = Trace()
    for e in events:
        if e["ph"] == "M" and e["name"] == "process_name":
            d = trace.track((e["pid"],), e["args"]["name"])
            d.process.pid, d.process.process_name = e["pid"], e["args"]["name"]
        elif e["ph"] == "M":
            trace.track((e["pid"], e["tid"]), e["args"]["name"], (e["pid"],))
    spans = {}
    for e in events:
        if e["ph"] == "X":
            spans.setdefault((e["pid"], e["tid"]), []).append(e)
        elif e["ph"] == "C":
            trace.counter(e)
    for of_track in spans.values():
        trace.spans(of_track)
    return trace.builder.serialize()


def main():
    try:
        import perfetto  # noqa: F401
    except ImportError as error:
        sys.exit(f"{error}")
    sys.stdout.buffer.write(convert(json.load(sys.stdin)["traceEvents"]))


if __name__ == "__main__":
    main()
