# SPDX-License-Identifier: Apache-2.0
"""What a run gives back: figures of simulated devices, exactly, and the forms they can be had in."""

import csv
import json
import os
import re
import statistics

from . import golden
from .program import MEASURED, NOT_USABLE, USAGE, ProgramTest, environment, finding_ids, median

KNOWN = ("sim:launch=5us,kernels=20x1us,tick=1ns", "--requests", "50")

GOLDEN = {
    "known": (KNOWN, MEASURED),
    "explained": ((*KNOWN, "--explain"), MEASURED),
    "colored": ((*KNOWN, "--color", "always"), MEASURED),
    "device-bound": (("sim:device-bound", "--effort", "quick"), MEASURED),
    "graph-and-copies": (("sim:copy-heavy", "--effort", "quick", "--graph", "--copies"), MEASURED),
    "tails": (("sim:spiky", "--effort", "quick", "--percentiles", "50,90,99,99.9"), MEASURED),
    "no-gate": (("sim:hidden-sync", "--requests", "100"), MEASURED),
    "not-usable": (("sim:launch=4us,kernels=40x30us,escape=3ms", "--requests", "100"), NOT_USABLE),
    "one-sample": (("sim:tiny", "--requests", "1"), NOT_USABLE),
    "idle": (("sim:sleepy", "--effort", "quick", "--idle", "1ms,100ms,poisson:10ms"), MEASURED),
    "time-is-up": (("sim:drifting", "--requests", "100000", "--max-time", "2s"), MEASURED),
}


class SimulatedRun(ProgramTest):
    def test_reads_what_was_simulated_to_the_nanosecond(self):
        record = self.record(*KNOWN)
        self.assertEqual(median(record, "submit"), 100_000)       # 20 launches of 5 µs
        self.assertEqual(median(record, "span"), 101_000)         # and the last kernel
        self.assertEqual(median(record, "latency"), 101_000)
        self.assertEqual(median(record, "device_time"), 20_000)   # 20 kernels of 1 µs
        self.assertAlmostEqual(median(record, "period"), 100_000, places=3)   # the host never waits

    def test_text_is_as_in_the_golden_files(self):
        for name, (arguments, code) in GOLDEN.items():
            with self.subTest(name):
                golden.check(self, name, self.text("run", *arguments, code=code))

    def test_is_the_same_byte_for_byte_when_repeated(self):
        def figures(text):
            return text[text.index('"metrics"'):]
        once, again = (self.text("run", "sim:launch-bound", "--effort", "quick", "--format", "json") for _ in range(2))
        self.assertEqual(figures(once), figures(again))

    def test_differs_with_another_seed_of_the_noise(self):
        one, two = (self.record(f"sim:launch-bound,seed={seed}", "--effort", "quick") for seed in (1, 2))
        self.assertNotEqual(one["metrics"]["latency"]["mean"], two["metrics"]["latency"]["mean"])

    def test_measures_what_a_caller_waits_for_after_a_pause(self):
        sim = "sim:launch=5us,kernels=20x10us,sync=6us,sleep_after=5ms,wake=300us"
        record = self.record(sim, "--effort", "quick", "--launches", "3", "--idle", "1ms,10ms")
        self.assertEqual(record["settings"]["idle"], "1 ms, 10 ms")
        self.assertEqual([(i["pause_ns"], i["metrics"]["latency"]["median"]["value"]) for i in record["idle"]],
                         [(1e6, 211_000), (1e7, 511_000)])
        self.assertEqual(record["idle"][1]["metrics"]["latency"]["n"], 3 * 97)   # as many as fit into a second
        self.assertIsNotNone(record["idle"][1]["metrics"]["latency"]["median"]["high"])
        self.assertEqual((record["idle"][1]["before"], record["idle"][1]["after"]), ({"pstate": 8}, {"pstate": 0}))
        self.assertEqual([len(launch["idle"]) for launch in record["launches"]], [2, 2, 2])
        self.assertEqual(median(record, "latency"), 211_000)

    def test_pauses_that_cannot_be_meant_are_refused(self):
        for pauses, words in (("0", "a pause of 0"), ("poison:1ms", "poisson:10ms"), ("1ms,1ms", "has 1 ms twice")):
            with self.subTest(pauses):
                self.complains(USAGE, ["run", "sim:tiny", "--idle", pauses], words)

    def test_counts_exactly_the_requests_asked_for(self):
        for n in (2, 20, 333):
            with self.subTest(n):
                record = self.record("sim:launch-bound", "--requests", n)
                self.assertEqual({record["metrics"][m]["n"] for m in ("latency", "submit", "span", "device_time")}, {n})
                self.assertEqual(record["status"], "fixed")

    def test_keeps_the_warm_up_it_was_told(self):
        record = self.record("sim:cold-start", "--warmup", "400", "--requests", "50")
        self.assertEqual(record["startup"]["warmup_requests"], 400)
        self.assertGreaterEqual(record["startup"]["first_ns"], 400_000_000)

    def test_ends_when_its_time_is_up_and_says_why_it_is_not_certain(self):
        record = self.record("sim:drifting", "--max-time", "2s", "--requests", "100000")
        self.assertEqual(record["status"], "not-converged")
        self.assertIn("not-converged", finding_ids(record))
        self.assertLess(record["window_ns"], 4e9)

    def test_a_scenario_shows_the_mistake_it_is_named_after(self):
        scenarios = {"launch-bound": "host-bound", "hidden-sync": "gate-unsafe", "escaping": "work-escaped",
                     "leaking": "gate-leak"}
        for name, finding in scenarios.items():
            with self.subTest(name):
                result = self.strobe("run", f"sim:{name}", "--requests", "100", "--json", "-")
                self.assertIn(finding, finding_ids(json.loads(result.stdout)))

    def test_a_device_that_takes_no_time_at_all_is_refused(self):
        self.complains(USAGE, ["run", "sim:launch=0ns,kernels=1x0ns,sync=0ns", "--requests", "5"], "it has no kernels")


class Samples(ProgramTest):
    COLUMNS = ["pass", "round", "state", "requests", "begin_ns", "submitted_ns", "done_ns", "device_ns"]

    def read(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), self.COLUMNS)
        return rows

    def test_hold_every_time_stamp_and_the_medians_follow_from_them(self):
        record = self.record("sim:launch-bound", "--effort", "quick", "--samples", "s.csv")
        rows = self.read("s.csv")
        self.assertEqual({r["state"] for r in rows} - {"kept", "settling", "warm-up"}, set())
        for r in rows:
            self.assertLessEqual(int(r["begin_ns"]), int(r["submitted_ns"]))
            self.assertLessEqual(int(r["submitted_ns"]), int(r["done_ns"]))
        readings = {"latency": ("latency", lambda r: int(r["done_ns"]) - int(r["begin_ns"])),
                    "submit": ("latency", lambda r: int(r["submitted_ns"]) - int(r["begin_ns"])),
                    "span": ("span", lambda r: int(r["device_ns"])),
                    "device_time": ("device_time", lambda r: int(r["device_ns"]))}
        for metric, (of_pass, reading) in readings.items():
            kept = [reading(r) for r in rows if r["pass"] == of_pass and r["state"] == "kept"]
            self.assertEqual(len(kept), record["metrics"][metric]["n"], metric)
            self.assertEqual(statistics.median(kept), median(record, metric), metric)

    def test_hold_at_least_the_requests_asked_for(self):
        record = self.record("work:spin=50us", "--requests", "40", "--warmup", "5", "--samples", "s.csv")
        kept = [r for r in self.read("s.csv") if r["pass"] == "latency" and r["state"] == "kept"]
        self.assertEqual(record["metrics"]["latency"]["n"], 40)
        self.assertEqual(len(kept), 40)


class Outputs(ProgramTest):
    def test_json_to_a_file_leaves_the_text_on_standard_output(self):
        text = self.text("run", *KNOWN, "--json", "r.json")
        self.assertEqual(text, self.text("run", *KNOWN))
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["schema"], "strobe/2")
        self.assertEqual(self.files(), ["r.json"])

    def test_json_on_standard_output_is_all_there_is(self):
        result = self.strobe("run", *KNOWN, "--json", "-")
        self.assertEqual(json.loads(result.stdout)["verb"], "run")
        self.assertEqual(result.stderr, "")

    def test_json_by_option_by_format_and_by_export_is_the_same_record(self):
        def stable(text):
            record = json.loads(text)
            return {k: v for k, v in record.items() if k not in ("command", "duration_ns", "started_at", "host")}
        by_format = self.text("run", *KNOWN, "--format", "json", "--export", "x.json")
        self.assertEqual(by_format, (self.folder / "x.json").read_text(encoding="utf-8"))
        self.assertEqual(stable(by_format), stable(self.text("run", *KNOWN, "--json", "-")))

    def test_exports_can_be_several_and_take_the_format_of_their_suffix(self):
        text = self.text("run", *KNOWN, "--export", "a.json", "--export", "b.txt", "--color", "always")
        self.assertEqual(self.files(), ["a.json", "b.txt"])
        exported = (self.folder / "b.txt").read_text(encoding="utf-8")
        self.assertNotIn("\x1b", exported)
        self.assertNotEqual(exported, text)
        self.assertEqual(exported, self.text("run", *KNOWN))

    def test_a_file_that_is_there_is_replaced_and_its_name_may_be_anything(self):
        name = "мой файл 'é.json"
        (self.folder / name).write_text("old")
        self.text("run", *KNOWN, "--json", name)
        self.assertEqual(json.loads((self.folder / name).read_text())["command"][-1], name)
        self.assertEqual(self.files(), [name])

    def test_the_record_says_how_it_came_about(self):
        options = ["--seed", "7", "--margin", "2%", "--in-flight", "8"]
        record = self.record(*KNOWN, *options)
        self.assertRegex(record["started_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(record["command"][1:], ["run", "--launches", "1", *KNOWN, *options, "--json", "-"])
        settings = record["settings"]
        self.assertEqual((settings["requests"], settings["margin"], settings["in_flight"]), (50, 0.02, 8))
        self.assertEqual(record["verdict"], "trusted")

    def test_quiet_writes_nothing_but_the_result(self):
        result = self.strobe("run", *KNOWN, "--quiet")
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout, self.text("run", *KNOWN))

    def test_color_is_only_where_it_is_asked_for(self):
        self.assertNotIn("\x1b", self.text("run", *KNOWN))
        self.assertNotIn("\x1b", self.text("run", *KNOWN, "--color", "never"))
        self.assertIn("\x1b[1m", self.text("run", *KNOWN, "--color", "always"))
        self.assertIn("\x1b[1m", self.text("run", *KNOWN, "--color", "always", env=environment(NO_COLOR="1")))

    def test_explain_says_under_each_figure_what_it_is(self):
        plain, explained = self.text("run", *KNOWN), self.text("run", *KNOWN, "--explain")
        for line in explained.splitlines()[1:]:
            if line.startswith(("latency", "span", "device time", "throughput")):
                self.assertRegex(explained.split(line + "\n")[1].splitlines()[0], r"^ {13}[A-Z].*\.$")
        self.assertGreater(len(explained.splitlines()), len(plain.splitlines()))

    def test_help_and_version_are_results(self):
        self.assertRegex(self.text("--version"), r"\Astrobe \d+\.\d+\.\d+ \(.*\)\n\Z")
        self.assertIn("run", self.text("--help"))
        self.assertIn("--requests", self.text("run", "--help"))


class BuiltInWork(ProgramTest):
    # Only the lower bound is safe on a busy machine.
    def test_spinning_takes_at_least_as_long_as_asked(self):
        record = self.record("work:spin=200us", "--requests", "100")
        self.assertGreaterEqual(record["metrics"]["latency"]["min"], 200_000)
        self.assertEqual(record["metrics"]["latency"]["n"], 100)

    def test_sleeping_takes_at_least_as_long_as_asked(self):
        record = self.record("work:sleep=2ms", "--requests", "20", "--warmup", "5")
        self.assertGreaterEqual(record["metrics"]["latency"]["min"], 2_000_000)

    def test_nothing_costs_next_to_nothing(self):
        record = self.record("work:null", "--requests", "100")
        self.assertGreater(median(record), 0)
        self.assertLess(median(record), 1_000)

    def test_is_measured_on_the_cpu_that_is_named(self):
        cpu = max(os.sched_getaffinity(0))
        self.assertEqual(self.record("work:spin=200us", "--requests", "50", "--pin", cpu)["observations"]["cpus"],
                         {"pinned": [cpu], "moves": 0, "passes": {"latency": [cpu]}})
        twice = self.record("work:spin=200us", "--requests", "50", "--pin", cpu, "--launches", "2")
        self.assertEqual(twice["observations"]["cpus"]["pinned"], [cpu, cpu])

    def test_says_where_it_was_measured_when_asked_to_explain(self):
        cpus = os.sched_getaffinity(0)
        line = r"^CPU          pinned to CPU \d+$" if len(cpus) == 1 else r"^CPU          not pinned: measured on "
        command = ("run", "work:spin=200us", "--requests", "50")
        self.assertRegex(self.text(*command, "--explain"), re.compile(line, re.M))
        self.assertNotIn("\nCPU ", self.text(*command))

    def test_on_the_cpu_figures_of_a_device_are_absent_rather_than_equal(self):
        record = self.record("work:spin=100us", "--requests", "20")
        self.assertEqual(set(record["metrics"]), {"latency", "period", "throughput", "memory"})
        self.assertEqual(record["device"]["kind"], "cpu")
