# SPDX-License-Identifier: Apache-2.0
"""--export x.trace.json: what Perfetto and chrome://tracing need, of every verb that has a time line."""
import json

from .. import trace_checker
from .program import REPOSITORY, ProgramTest

MACHINE = "sim:kernels=40x3us+1x200us+40x2us,launch=4us,sync=6us"


class Traces(ProgramTest):
    def checked(self, *arguments):
        self.text(*arguments, "--export", "x.trace.json")
        [(_, found)] = trace_checker.check(self.folder / "x.trace.json").items()
        return found

    def test_of_a_run_are_host_and_device(self):
        tracks, counters = self.checked("run", "sim:launch-bound", "--requests", "20")
        self.assertEqual(tracks, ["device", "host"])
        self.assertEqual(counters, [])  # nothing of this machine is sampled beside a simulated device

    def test_of_a_real_run_have_what_was_sampled_beside_it(self):
        self.text("run", "work:spin=1ms", "--requests", "300", "--export", "x.trace.json")
        [(_, counters)] = trace_checker.check(self.folder / "x.trace.json").values()
        self.assertIn("busy", counters)

    def test_of_a_pipeline_are_its_lanes(self):
        tracks, _ = self.checked("pipeline", REPOSITORY / "examples/training_step.yaml", "--rounds", "2")
        self.assertIn("host", tracks)

    def test_of_a_profile_are_host_layers_kernels_and_why_the_device_idles(self):
        tracks, _ = self.checked("profile", MACHINE, "--requests", "10")
        self.assertEqual(tracks, ["host", "idle", "kernels", "layers"])
        events = json.loads((self.folder / "x.trace.json").read_text())["traceEvents"]
        work = sum(e["dur"] for e in events if e.get("cat") == "kernels")
        idle = sum(e["dur"] for e in events if e.get("cat") == "idle")
        self.assertAlmostEqual(work + idle, 450, 6)  # the request
        self.assertEqual({e["name"] for e in events if e.get("cat") == "idle"},
                         {"the host has not handed over more", "the host waits for it"})

    def test_of_several_records_are_processes(self):
        for name in "ab":
            self.text("profile", MACHINE, "--requests", "10", "--json", f"{name}.json")
        self.text("report", "a.json", "b.json", "--export", "x.trace.json")
        processes, *_ = trace_checker.tracks(self.folder / "x.trace.json")
        self.assertEqual(len(processes), 2)
        trace_checker.check(self.folder / "x.trace.json")


class Checker(ProgramTest):
    """It must be able to fail."""

    def broken(self, change, *phrases):
        self.text("profile", MACHINE, "--requests", "10", "--export", "x.trace.json")
        trace = json.loads((self.folder / "x.trace.json").read_text())
        change(trace["traceEvents"])
        (self.folder / "x.trace.json").write_text(json.dumps(trace))
        with self.assertRaisesRegex(AssertionError, *phrases):
            trace_checker.check(self.folder / "x.trace.json")

    def test_sees_what_overlaps_without_nesting(self):
        def longer(events):
            kernels = [e for e in events if e.get("cat") == "kernels"]
            kernels[0]["dur"] = kernels[1]["ts"] + kernels[1]["dur"] / 2 - kernels[0]["ts"]
        self.broken(longer, "overlap without nesting")

    def test_sees_what_is_out_of_order(self):
        def swap(events):
            kernels = [i for i, e in enumerate(events) if e.get("cat") == "kernels"]
            events[kernels[3]], events[kernels[4]] = events[kernels[4]], events[kernels[3]]
        self.broken(swap, "not in order")

    def test_sees_tracks_without_a_name_and_with_two(self):
        self.broken(lambda events: events.remove(next(e for e in events if e["name"] == "thread_name")), "without a name")
        self.broken(lambda events: events.append(next(e for e in events if e["name"] == "thread_name")), "named twice")
