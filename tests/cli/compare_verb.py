# SPDX-License-Identifier: Apache-2.0
"""strobe compare: candidates in turns, stored records, conditions for CI; strobe run --launches."""
import json
import os
import signal
import time
import unittest
from pathlib import Path

from .program import CANNOT, INTERRUPTED, MEASURED, NOT_USABLE, REPOSITORY, USAGE, ProgramTest

try:
    from . import models
    MISSING = None
except ModuleNotFoundError as error:
    MISSING = f"the Python package {error.name} is not installed"


def children(pid):
    return [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def lives(pid):
    """Not so when it has ended and only nobody has asked how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def state(pid):
    """R, S or T, as the kernel calls it; empty where it has gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


class CompareModels(ProgramTest):
    def compared(self, *arguments, code=MEASURED):
        record = json.loads(self.text("compare", *arguments, "--json", "-", code=code))
        return record, {(c["b"], c["metric"]): c for c in record["comparisons"]}

    def test_two_models_are_compared_in_every_metric(self):
        _, by = self.compared("sim:kernels=10x100us,launch=1us", "sim:kernels=10x90us,launch=1us")
        b = "sim:kernels=10x90us,launch=1us"
        self.assertEqual({by[b, m]["outcome"] for m in ("latency", "device_time", "throughput")}, {"faster"})
        self.assertAlmostEqual(by[b, "device_time"]["ratio"]["value"], 0.9, places=6)
        self.assertEqual(by[b, "latency"]["pairs"], 16)

    def test_candidates_are_quoted_with_their_options(self):
        record, by = self.compared("work:spin=200us", "work:spin=300us --pin off", "--pairs", "2")
        self.assertEqual([c["name"] for c in record["cases"]], ["work:spin=200us", "work:spin=300us --pin off"])
        self.assertTrue(record["settings"]["workers"])
        self.assertAlmostEqual(by["work:spin=300us --pin off", "latency"]["ratio"]["value"], 1.5, delta=0.1)

    def test_an_option_is_varied(self):
        record, by = self.compared("sim:kernels=20x1us,launch=5us", "--vary", "graph=off,on", "--pairs", "8")
        self.assertEqual([c["name"] for c in record["cases"]], ["graph=off", "graph=on"])
        self.assertEqual(by["graph=on", "latency"]["outcome"], "faster")

    def test_the_same_model_twice_is_not_different(self):
        _, by = self.compared("sim:device-bound", "sim:device-bound", "--pairs", "8")
        self.assertEqual(by["sim:device-bound (2)", "latency"]["outcome"], "equivalent")

    def test_a_condition_fails_only_on_a_sure_and_large_change(self):
        a, b = "sim:kernels=10x100us", "sim:kernels=10x103us"
        self.assertIn("failed by " + b, self.text("compare", a, b, "--fail-on", "slower=2%", code=NOT_USABLE))
        text = self.text("compare", a, b, "--fail-on", "slower=5%")
        self.assertIn("passed by " + b, text)
        self.assertIn("noise floor  " + a + " against itself", text)
        self.text("compare", b, a, "--fail-on", "slower=2%")

    def test_a_gate_fails_wherever_the_printed_interval_lies_beyond_the_limit(self):
        a, b = "sim:kernels=10x100us,noise=0.005", "sim:kernels=10x201us,noise=0.005,seed=2"
        for pairs in (8, 12):
            text = self.text("compare", a, b, "--pairs", pairs, "--fail-on", "slower=2%", code=NOT_USABLE)
            self.assertIn("slower=2%: failed by " + b, text)
            self.assertIn(f"{b} takes 2.01× as long as {a}", text)
        for pairs in (1, 2, 4, 6):
            self.complains(USAGE, ["compare", a, b, "--pairs", pairs, "--fail-on", "slower=2%"], "--fail-on", "8 pairs")

    def test_a_gate_that_cannot_be_decided_is_not_passed(self):
        a, b = "sim:kernels=10x100us,noise=0.2", "sim:kernels=10x100us,noise=0.2,seed=2"
        done = self.strobe("compare", a, b, "--pairs", "8", "--fail-on", "slower=0.01%", "--json", "-")
        self.assertEqual(done.returncode, CANNOT, done.stderr)
        self.assertIn("cannot tell whether", done.stderr)
        record = json.loads(done.stdout)
        self.assertEqual([f["outcome"] for f in record["fail_on"]], ["cannot-tell"])
        self.assertNotEqual(record["verdict"], "trusted")
        self.assertIn("undecided", [f["id"] for f in record["findings"]])

    def test_too_few_pairs_are_never_trusted(self):
        record, _ = self.compared("sim:kernels=1x100us", "sim:kernels=1x200us", "--pairs", "4")
        self.assertEqual(record["verdict"], "caution")

    def test_every_metric_has_its_gate(self):
        a, slow = "sim:kernels=10x100us,launch=1us", "sim:kernels=10x110us,launch=1us"
        for condition in ("throughput=5%", "device_time=5%", "latency=5%"):
            with self.subTest(condition):
                self.text("compare", a, slow, "--fail-on", condition, code=NOT_USABLE)
                self.text("compare", slow, a, "--fail-on", condition)
        both = ["--fail-on", "slower=20%", "--fail-on", "throughput=5%"]
        text = self.text("compare", a, slow, *both, code=NOT_USABLE)
        self.assertIn("slower=20%: passed by", text)
        self.assertIn("throughput=5%: failed by", text)

    def test_a_gate_on_a_percentile_sees_what_the_median_does_not(self):
        a = "sim:kernels=10x100us,noise=0.01"
        b = a + ",seed=2,modes=5@0.05:1"
        self.text("compare", a, b, "--fail-on", "p99=50%", code=NOT_USABLE)
        self.text("compare", b, a, "--fail-on", "p99=50%")
        text = self.text("compare", "work:sleep=20ms", "work:sleep=20ms", "--pairs", "8", "--fail-on", "p99.9=50%",
                         code=CANNOT)
        self.assertIn("p99.9 of latency needs", text)

    def test_a_gate_on_a_metric_that_is_not_there_is_not_passed(self):
        text = self.text("compare", "work:spin=100us", "work:spin=100us", "--pairs", "8", "--fail-on",
                         "device_time=1%", code=CANNOT)
        self.assertIn("cannot tell for work:spin=100us (2)", text)

    def test_effort_says_how_many_pairs(self):
        record, _ = self.compared("sim:tiny", "sim:tiny", "--effort", "quick")
        self.assertEqual((record["rounds"], record["settings"]["pairs"]), (32, 8))
        record, _ = self.compared("sim:tiny", "sim:tiny", "--effort", "quick", "--pairs", "3")
        self.assertEqual(record["rounds"], 12)
        self.complains(USAGE, ["compare", "sim:tiny", "sim:tiny", "--effort", "hard"], "--effort", "sustained")

    def test_the_old_options_are_answered_with_the_new_one(self):
        for words in (["--rounds", "8"], ["--loads", "4"]):
            self.complains(USAGE, ["compare", "sim:tiny", "sim:tiny", *words], words[0], "--pairs N")
        self.complains(USAGE, ["compare", "sim:tiny", "sim:tiny", "--workers"], "no --workers", "nothing")

    def test_launches_that_differ_by_themselves_are_no_difference(self):
        drawn = "sim:kernels=1x1ms,noise=0.002,launch_levels=1.036@0.33"
        record, by = self.compared(drawn, drawn, "--pairs", "8", "--seed", "5")
        self.assertEqual(by[drawn + " (2)", "latency"]["outcome"], "cannot-tell")
        self.assertGreater(by[drawn + " (2)", "latency"]["detectable"], 0.01)
        again, _ = self.compared(drawn, drawn, "--pairs", "8", "--seed", "5")
        self.assertEqual(again["comparisons"], record["comparisons"], "the seed decides what launches draw")

    def test_what_would_be_found_is_printed(self):
        drawn = "sim:kernels=1x1ms,launch_noise=0.3%"
        text = self.text("compare", drawn, drawn, "--pairs", "8")
        self.assertRegex(text, r"detectable   latency [\d.]+ %")
        self.assertIn("8 pairs of fresh processes that take turns", text)

    def test_every_candidate_is_described(self):
        record, _ = self.compared("sim:kernels=1x100us --seed 3", "sim:kernels=1x200us", "--pairs", "2")
        self.assertEqual([c["model"]["name"] for c in record["cases"]], ["sim:kernels=1x100us", "sim:kernels=1x200us"])
        self.assertEqual([c["settings"]["seed"] for c in record["cases"]], [3, 1])
        self.assertNotIn("seed", record["settings"])

    def test_every_format_has_the_ratio_the_outcome_and_the_gate(self):
        exports = [f"c{suffix}" for suffix in (".md", ".csv", ".prom", ".gbench.json")]
        words = [w for file in exports for w in ("--export", file)]
        self.text("compare", "sim:kernels=10x100us", "sim:kernels=10x200us", "--fail-on", "slower=2%", *words,
                  code=NOT_USABLE)
        for file in exports:
            with self.subTest(file):
                text = (self.folder / file).read_text()
                for word in ("slower=2%", "failed", "slower", "2.0" if file.endswith(".md") else "2"):
                    self.assertIn(word, text)

    def test_what_cannot_be_compared_is_said_in_one_sentence(self):
        self.complains(USAGE, ["compare"], "CANDIDATE")
        self.complains(USAGE, ["compare", "sim:tiny"], "nothing to compare with")
        self.complains(USAGE, ["compare", "sim:tiny", "r.json"], "records with models")
        self.complains(USAGE, ["compare", "sim:tiny --what 3", "sim:tiny"], "candidate 'sim:tiny --what 3'")
        self.complains(USAGE, ["compare", "'sim:tiny", "sim:tiny"], "quote")
        self.complains(USAGE, ["compare", "sim:tiny", "sim:tiny", "--fail-on", "faster=2%"], "slower=2%")
        self.complains(USAGE, ["compare", "sim:tiny", "sim:tiny", "--fail-on", "slower"], "slower")
        self.complains(USAGE, ["compare", "sim:tiny", "sim:tiny", "--fail-on", "memroy=2%"], "memory")
        self.complains(USAGE, ["compare", "sim:tiny", "sim:tiny", "--allow", "threads"], "--allow")
        self.complains(USAGE, ["compare", "sim:tiny", "--vary", "json=a,b"], "--vary")
        self.complains(CANNOT, ["compare", "no.onnx", "no2.onnx"], "no.onnx")
        self.complains(USAGE, ["compare", "sim:tiny", "sim:tiny", "--pairs", "0"], "--pairs")

    def test_a_candidate_takes_only_options_that_make_a_difference(self):
        for words in ("--requests 10", "--warmup 1", "--effort quick", "--margin 2%", "--min-time 1s", "--max-time 1s",
                      "--percentiles 90", "--samples s.csv", "--flops 10"):
            with self.subTest(words):
                self.complains(USAGE, ["compare", "sim:tiny", f"sim:tiny {words}"], words.split()[0], "--pairs")
        self.complains(USAGE, ["compare", "sim:tiny", "--vary", "requests=10,1000"], "--requests")
        record, _ = self.compared("sim:cached --cache cold --in-flight 2", "sim:tiny --graph --copies", "--pairs", "2")
        self.assertEqual(len(record["cases"]), 2)

    def test_a_lost_worker_leaves_the_pairs_before(self):
        child = self.start("compare", "work:spin=2ms", "work:spin=3ms", "--pairs", "200", "--json", "r.json")
        time.sleep(9)
        deadline = time.monotonic() + 30
        while len(children(child.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(children(child.pid)[1], signal.SIGKILL)
        out, err = child.communicate(timeout=30)
        self.assertEqual(child.returncode, CANNOT, err)
        self.assertIn("signal 9", out)
        record = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(record["status"], "interrupted")
        self.assertGreater(record["comparisons"][0]["pairs"], 0)

    def test_an_interrupt_leaves_the_pairs_before_and_no_worker(self):
        child = self.start("compare", "work:spin=2ms", "work:spin=3ms", "--pairs", "200", "--json", "r.json")
        time.sleep(9)
        workers = children(child.pid)
        self.assertTrue(workers)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=30)
        self.assertEqual(child.returncode, INTERRUPTED, err)
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["status"], "interrupted")
        self.assertFalse([w for w in workers if lives(w)])

    def test_workers_die_with_their_parent(self):
        child = self.start("compare", "work:spin=2ms", "work:spin=3ms", "--pairs", "200")
        time.sleep(3)
        workers = children(child.pid)
        child.kill()
        child.wait()
        time.sleep(1)
        self.assertFalse([w for w in workers if lives(w)])

    def test_the_side_that_waits_is_stopped(self):
        child = self.start("compare", "work:spin=2ms", "work:spin=3ms", "--pairs", "200")
        self.addCleanup(child.kill)
        seen, deadline = [], time.monotonic() + 30
        while "T" not in "".join(seen) and time.monotonic() < deadline:
            seen.append("".join(state(w) for w in children(child.pid)))
            time.sleep(0.02)
        self.assertIn("T", "".join(seen))
        self.assertNotIn("RR", seen, "both work at once")


class RealModels(ProgramTest):
    def test_threads_of_a_real_model_are_compared_as_it_is_deployed(self):
        self.needs_zoo("mobilenet_v3_small")
        text = self.text("compare", "zoo:mobilenet_v3_small", "--vary", "threads=1,2", "--pairs", "2", "--json", "-")
        record = json.loads(text)
        self.assertTrue(record["settings"]["workers"])
        self.assertNotIn("set.session.force_spinning_stop", record["settings"])
        self.assertIn("threads-differ", [f["id"] for f in record["findings"] if f["severity"] == "note"])
        self.assertEqual([c["settings"]["threads"] for c in record["cases"]], [1, 2])


@unittest.skipIf(MISSING, MISSING)
class RealMemory(ProgramTest):
    def test_a_gate_on_memory_weighs_each_candidate_in_its_own_process(self):
        models.linear(self.folder / "small.onnx", 256)
        models.linear(self.folder / "large.onnx", 4096)  # 64 MiB
        both = ["compare", "small.onnx", "large.onnx", "--pairs", "8"]
        text = self.text(*both, "--fail-on", "memory=10%", code=NOT_USABLE)
        self.assertIn("memory=10%: failed by large.onnx", text)
        self.assertIn("8 pairs of fresh processes", text)
        text = self.text("compare", "large.onnx", "small.onnx", *both[3:], "--fail-on", "memory=10%")
        self.assertIn("smaller", text)


@unittest.skipIf(MISSING, MISSING)
class RealConditions(ProgramTest):
    def test_records_with_other_options_of_the_model_are_refused_and_the_option_is_named(self):
        models.relu(self.folder / "m.onnx")
        few = ("--requests", "20", "--warmup", "1")
        self.text("run", "m.onnx", *few, "--json", "a.json")
        for options, key in (("--batch 4", "inputs: f32 1×3×8 random and f32 4×3×8 random"),
                             ("--shape x=2x3x8", "inputs"), ("--input-range x=0..9", "inputs"), ("--pin 0", "pin"),
                             ("--no-optimize", "optimize"), ("--threads 1", "threads: not set and 1")):
            with self.subTest(options):
                self.text("run", "m.onnx", *few, *options.split(), "--json", "b.json")
                self.complains(USAGE, ["compare", "a.json", "b.json"], "a.json and b.json differ in", key)
                self.text("compare", "a.json", "b.json", "--allow", "batch", "--allow", key.split(":")[0])


class StoredRecords(ProgramTest):
    def launch(self, model, file, launches=5):
        self.text("run", model, "--launches", launches, "--requests", "50", "--json", file)

    def test_launches_are_fresh_processes(self):
        self.launch("work:spin=200us", "a.json", 3)
        record = json.loads((self.folder / "a.json").read_text())
        self.assertEqual([c["name"] for c in record["launches"]], ["launch 1", "launch 2", "launch 3"])
        self.assertEqual(record["metrics"]["latency"]["n"], 150)
        self.assertEqual(record["settings"]["launches"], 3)
        self.assertNotIn("one-launch", [f["id"] for f in record["findings"]])
        self.assertAlmostEqual(record["metrics"]["latency"]["median"]["value"], 200e3, delta=20e3)

    def test_records_are_compared_by_their_launches(self):
        self.launch("work:sleep=2ms", "a.json")
        self.launch("work:sleep=3ms", "b.json")
        text = self.text("compare", "a.json", "b.json", "--fail-on", "slower=20%", code=NOT_USABLE)
        self.assertIn("failed by b.json", text)
        self.assertIn("noise floor", text)
        self.text("compare", "b.json", "a.json", "--fail-on", "slower=20%")

    def test_a_record_of_the_version_before_equals_itself_written_anew(self):
        old = REPOSITORY / "tests/records/strobe-1-throughput.json"
        self.text("audit", old, "--json", "new.json")
        new = json.loads((self.folder / "new.json").read_text())
        self.assertEqual((json.loads(old.read_text())["schema"], new["schema"]), ("strobe/1", "strobe/2"))
        compared = json.loads(self.text("compare", old, "new.json", "--json", "-"))
        self.assertEqual({c["metric"]: c["ratio"]["value"] for c in compared["comparisons"]},
                         {"throughput": 1, "latency_loaded": 1, "memory": 1})

    def test_other_conditions_are_refused_and_named(self):
        self.launch("work:spin=200us", "a.json", 2)
        record = json.loads((self.folder / "a.json").read_text())
        record["host"]["cpu"] = "another"
        (self.folder / "b.json").write_text(json.dumps(record))
        self.complains(USAGE, ["compare", "a.json", "b.json"], "cpu", "another", "--force")
        text = self.text("compare", "a.json", "b.json", "--force")
        self.assertIn("conditions-differ", text)
        self.assertIn("few-launches", text)
        self.complains(CANNOT, ["compare", "a.json", "c.json"], "c.json")

    def test_what_the_command_line_sets_is_a_condition(self):
        self.launch("work:spin=200us", "a.json", 2)
        self.text("run", "work:spin=200us", "--launches", "2", "--requests", "50", "--pin", "0", "--json", "b.json")
        self.complains(USAGE, ["compare", "a.json", "b.json"], "pin: not set and 0", "--allow pin")
        text = self.text("compare", "a.json", "b.json", "--allow", "pin")
        self.assertNotIn("conditions-differ", text)

    def test_records_take_no_option_that_would_measure(self):
        self.launch("work:spin=200us", "a.json", 2)
        for words in ("--pairs 3", "--graph", "--batch 2", "--vary seed=1,2", "--cache cold"):
            with self.subTest(words):
                self.complains(USAGE, ["compare", "a.json", "a.json", *words.split()], words.split()[0], "stored records")
        self.text("compare", "a.json", "a.json", "--force", "--margin", "2%", "--noise-floor")

    def test_a_condition_on_records_that_have_no_latency_is_not_passed(self):
        self.text("doctor", "--json", "a.json")
        self.text("compare", "a.json", "a.json", "--force")
        text = self.text("compare", "a.json", "a.json", "--force", "--fail-on", "slower=2%", code=CANNOT)
        self.assertIn("cannot tell for a.json", text)

    def test_a_launch_that_is_lost_leaves_those_before(self):
        child = self.start("run", "work:sleep=5ms", "--requests", "300", "--launches", "6", "--json", "r.json")
        seen, deadline = set(), time.monotonic() + 50
        while len(seen) < 4 and time.monotonic() < deadline:
            seen |= (now := set(children(child.pid)))
            time.sleep(0.02)
        for worker in now:
            os.kill(worker, signal.SIGKILL)
        out, err = child.communicate(timeout=30)
        self.assertEqual(child.returncode, CANNOT, err)
        self.assertIn("signal 9", out)
        record = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(record["status"], "interrupted")
        self.assertEqual(len(record["launches"]), 3)
        self.assertEqual(record["metrics"]["latency"]["n"], 900)

    def test_a_launch_that_fails_says_why(self):
        self.complains(CANNOT, ["run", "no.onnx", "--launches", "3"], "no.onnx")
        self.complains(USAGE, ["run", "work:null", "--launches", "0"], "--launches")
