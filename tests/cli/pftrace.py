# SPDX-License-Identifier: Apache-2.0
"""--export x.pftrace: the same time line in Perfetto's own format, by a Python package."""
import os
import sys
import unittest

from .. import trace_checker
from .program import CANNOT, ProgramTest, environment

try:
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
except ImportError:
    Trace = None

MACHINE = "sim:kernels=40x3us+1x200us+40x2us,launch=4us,sync=6us"


class PerfettoTrace(ProgramTest):
    def test_without_the_package_one_sentence_says_what_to_type(self):
        python = self.folder / "python3"
        python.write_text("#!/bin/sh\ncat >/dev/null\necho \"No module named 'perfetto'\" >&2\nexit 1\n")
        python.chmod(0o755)
        env = environment(STROBE_PYTHON=python)
        result = self.strobe("profile", MACHINE, "--requests", "10", "--export", "x.pftrace", "--quiet", env=env)
        self.assertEqual(result.returncode, CANNOT)
        self.assert_one_sentence(result.stderr, "x.pftrace", "No module named 'perfetto'", "-m pip install perfetto")
        self.assertFalse((self.folder / "x.pftrace").exists())

    @unittest.skipUnless(Trace, "the Python package perfetto is not installed")
    def test_has_the_spans_of_the_trace_events(self):
        env = environment(STROBE_PYTHON=sys.executable, PYTHONPATH=os.environ.get("PYTHONPATH"))
        self.text("profile", MACHINE, "--requests", "10", "--export", "x.pftrace", "--export", "x.trace.json", env=env)
        trace = Trace.FromString((self.folder / "x.pftrace").read_bytes())
        names = {p.track_descriptor.uuid: p.track_descriptor.name for p in trace.packet if p.HasField("track_descriptor")}
        _, threads, spans, _ = trace_checker.tracks(self.folder / "x.trace.json")
        expected = {threads[key]: [(e["name"], round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)) for e in events]
                    for key, events in spans.items()}
        self.assertEqual(self.slices(trace, names), {track: sorted(all_of_it) for track, all_of_it in expected.items()})

    def slices(self, trace, names):
        """By track, from begins and ends in the order in which Perfetto reads them: by time, else as written."""
        found, stacks = {}, {}
        packets = [p for p in trace.packet if p.HasField("track_event")]
        for p in sorted(packets, key=lambda p: p.timestamp):
            e = p.track_event
            stack = stacks.setdefault(e.track_uuid, [])
            if e.type == TrackEvent.TYPE_SLICE_BEGIN:
                stack.append((e.name, p.timestamp))
            elif e.type == TrackEvent.TYPE_SLICE_END:
                found.setdefault(names[e.track_uuid], []).append((*stack.pop(), p.timestamp))
        self.assertFalse(any(stacks.values()), "a slice has no end")
        return {track: sorted(slices) for track, slices in found.items()}
