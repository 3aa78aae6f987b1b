# SPDX-License-Identifier: Apache-2.0
"""strobe profile: layers, kernels and reasons to idle; what it cannot see; its files."""
import json

from . import golden
from .program import CANNOT, USAGE, ProgramTest

MACHINE = "sim:kernels=40x3us+1x200us+40x2us,launch=4us,sync=6us"


class Profile(ProgramTest):
    def profile(self, *arguments):
        return json.loads(self.text("profile", *arguments, "--json", "-"))

    def test_text_is_as_in_the_golden_file(self):
        golden.check(self, "profile", self.text("profile", MACHINE, "--requests", "20"))

    def test_parts_add_up_to_the_request(self):
        profile = self.profile(MACHINE, "--launches", "2", "--requests", "20")["profile"]
        self.assertEqual([layer["type"] for layer in profile["layers"]], ["40 × 3.00 µs", "1 × 200 µs", "40 × 2.00 µs"])
        self.assertEqual([layer["time"]["value"] for layer in profile["layers"]], [120e3, 200e3, 80e3])
        shares = [layer["share"] for layer in profile["layers"]]
        self.assertAlmostEqual(sum(shares) + profile["outside"] + profile.get("unattributed", 0), 1, 9)
        activity = {name: share["value"] for name, share in profile["activity"].items()}
        self.assertAlmostEqual(sum(activity[x] for x in ("busy", "starved", "drained", "pipeline")), 1, 9)
        self.assertAlmostEqual(sum(activity[x] for x in ("both", "host_only", "device_only", "neither")), 1, 9)

    def test_clean_and_profiled_launches_take_turns(self):
        r = self.profile("sim:launch-bound", "--launches", "3", "--requests", "15")
        self.assertEqual((len(r["launches"]), r["profile"]["requests"]), (3, 45))
        self.assertEqual(r["settings"]["launches"], 3)
        self.assertEqual(r["verb"], "profile")
        self.assertIn("verdict", r["metrics"]["latency"])

    def test_one_launch_is_made_in_this_process(self):
        r = self.profile("sim:launch-bound", "--launches", "1", "--requests", "15")
        self.assertNotIn("launches", r)
        self.assertEqual(r["profile"]["requests"], 15)

    def test_what_has_no_layers_says_why(self):
        text = self.text("profile", "work:spin=1ms", "--launches", "1", "--requests", "10")
        self.assertIn("layers       unknown: its runtime has no profiler", text)
        self.assertIn("threads      ", text)

    def test_a_trace_nests(self):
        self.text("profile", MACHINE, "--launches", "1", "--requests", "10", "--export", "p.trace.json", "--export", "p.html",
                  "--export", "p.md", "--export", "p.csv")
        events = json.loads((self.folder / "p.trace.json").read_text())["traceEvents"]
        spans = [e for e in events if e["ph"] == "X"]
        self.assertEqual({e["cat"] for e in spans}, {"host", "layers", "kernels", "idle"})
        self.assertEqual(sum(e["cat"] == "kernels" for e in spans), 81)
        self.assertTrue(all(a["ts"] <= b["ts"] for a, b in zip(spans, spans[1:])))
        self.assertIn("| layer 2 | 1 × 200 µs |", (self.folder / "p.md").read_text())
        self.assertIn("The hottest layers", (self.folder / "p.html").read_text())

    def test_what_was_recorded_is_saved_once(self):
        self.text("profile", MACHINE, "--launches", "2", "--requests", "10", "--save-trace", "t.json")
        trace = json.loads((self.folder / "t.json").read_text())
        self.assertEqual((trace["schema"], trace["source"]), ("strobe-trace/1", "the simulated device, to the nanosecond"))
        self.assertEqual((len(trace["requests"]), len(trace["work"]), len(trace["layers"])), (10, 810, 10))
        r = self.profile(MACHINE, "--launches", "1", "--requests", "10")
        self.assertEqual(r["profile"]["trace"]["records"], 810)
        self.complains(CANNOT, ["profile", MACHINE, "--save-trace", "no/such/folder/t.json"], "no/such/folder")

    def test_two_profiles_are_compared_layer_by_layer(self):
        for name, length in (("a", 200), ("b", 260)):
            machine = f"sim:kernels=40x3us+1x{length}us,launch=4us,sync=6us,noise=0.01,launch_noise=0.002"
            self.text("profile", machine, "--launches", "6", "--requests", "20", "--json", f"{name}.json", "--quiet")
        text = self.text("profile", "--diff", "a.json", "b.json", "--allow", "device", default=True)
        row = next(line for line in text.splitlines() if line.endswith("layer 2"))
        self.assertIn("only", row)  # its type is its length
        for name in ("a", "b"):
            r = json.loads((self.folder / f"{name}.json").read_text())
            r["profile"]["layers"][1]["type"] = "long"
            (self.folder / f"{name}.json").write_text(json.dumps(r))
        r = json.loads(self.text("profile", "--diff", "a.json", "b.json", "--allow", "device", "--json", "-", default=True))
        largest = r["profile"]["differences"][0]
        self.assertEqual((largest["name"], largest["outcome"]), ("layer 2", "slower"))
        self.assertAlmostEqual(largest["ratio"]["value"], 1.3, 2)
        self.complains(USAGE, ["profile", "--diff", "a.json", "b.json", "--requests", "9"], "cannot use --requests with --diff",
                       default=True)
        self.complains(USAGE, ["profile", "sim:tiny", "--diff", "a.json", "b.json"], "with --diff", default=True)
        self.complains(USAGE, ["profile"], "no model is named", default=True)

    def test_wrong_options_are_refused(self):
        for words in (["--requests", "0"], ["--launches", "0"], ["--sweep", "seed=1,2"], ["--graph"]):
            with self.subTest(" ".join(words)):
                self.complains(USAGE, ["profile", "sim:tiny", *words])
