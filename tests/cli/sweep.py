# SPDX-License-Identifier: Apache-2.0
"""--sweep: one record of several points, and what it must not lose."""

import json
import os
import signal
import time

from .program import INTERRUPTED, NOT_USABLE, USAGE, ProgramTest, environment
from .zoo_verb import installation

SLEEP = ("run", "work:sleep=5ms", "--requests", "100")


class Sweep(ProgramTest):
    def interrupted(self, *arguments, after):
        """The record of a sweep that got one signal after so many seconds."""
        child = self.start(*arguments, "--json", "r.json")
        time.sleep(after)
        self.assertIsNone(child.poll(), "it ended before it was interrupted")
        child.send_signal(signal.SIGINT)
        stdout, stderr = child.communicate(timeout=30)
        self.assertEqual(child.returncode, INTERRUPTED, stderr)
        self.assertIn("interrupted", stdout)
        return json.loads((self.folder / "r.json").read_text())

    def test_a_case_for_each_point(self):
        record = self.record("sim:tiny", "--requests", "20", "--sweep", "seed=1,2", "--sweep=in-flight=1,4")
        self.assertEqual([c["name"] for c in record["cases"]],
                         [f"seed={seed} in-flight={n}" for seed in (1, 2) for n in (1, 4)])

    def test_a_point_keeps_its_requests_after_pauses(self):
        sim = "sim:kernels=20x10us,launch=5us,sleep_after=5ms,wake=300us"
        record = self.record(sim, "--requests", "20", "--sweep", "idle=1ms,10ms")
        self.assertEqual([c["idle"][0]["metrics"]["latency"]["median"]["value"] for c in record["cases"]], [205_000, 505_000])
        self.assertNotIn("idle", record)

    def test_the_verdict_is_that_of_the_worst_point(self):
        for points in ("requests=1,100", "requests=100,1"):
            record = self.record("sim:tiny", "--sweep", points, code=NOT_USABLE)
            self.assertEqual(record["verdict"], "invalid", points)  # one sample says nothing

    def test_the_status_is_that_of_the_worst_point_and_names_the_first_such(self):
        record = self.record("sim:kernels=1x1ms,noise=0.005", "--requests", "100000", "--max-time", "1s", "--sweep", "seed=1,2")
        self.assertEqual(record["status"], "not-converged")
        self.assertTrue(record["status_reason"].startswith("(seed=1) "), record["status_reason"])
        record = self.record("sim:tiny", "--sweep", "requests=20,30")
        self.assertEqual(record["status"], "fixed")

    def test_an_interrupt_in_the_first_point_leaves_what_there_is(self):
        record = self.interrupted(*SLEEP[:2], "--sweep", "seed=1,2,3", after=2)
        self.assertEqual(record["status"], "interrupted")
        self.assertEqual([c["name"] for c in record["cases"]], ["seed=1"])

    def test_an_interrupt_in_a_later_point_leaves_those_before(self):
        record = self.interrupted(*SLEEP, "--sweep", "warmup=1,100000", after=4)
        self.assertEqual(record["status"], "interrupted")
        self.assertNotIn("status_reason", record)
        self.assertEqual(record["cases"][0]["metrics"]["latency"]["n"], 100)

    def test_an_interrupt_before_there_is_anything_is_no_point_that_failed(self):
        python = self.folder / "python"
        python.write_text("#!/bin/sh\nsleep 20\n")   # a model that takes long to build
        python.chmod(0o755)
        env = environment(STROBE_ZOO=self.folder, STROBE_PYTHON=python)
        child = self.start("run", "zoo:resnet18", "--sweep", "seed=1,2", program=installation(self.folder / "installed"),
                           env=env, start_new_session=True)
        time.sleep(1)
        os.killpg(child.pid, signal.SIGINT)   # as a terminal does: to the program and to what it started
        _, stderr = child.communicate(timeout=30)
        self.assertEqual(child.returncode, INTERRUPTED, stderr)
        self.assert_one_sentence(stderr, "interrupted")

    def test_is_refused_where_the_result_is_more_than_one(self):
        self.complains(USAGE, ["compare", "sim:tiny", "sim:tiny", "--fail-on", "slower=2%", "--sweep", "seed=1,2"],
                       "--sweep", "--vary")
        self.complains(USAGE, ["throughput", "sim:tiny", "--sweep", "seed=1,2"], "--sweep")
        self.complains(USAGE, ["selftest", "--sweep", "runs=5,6"], "--sweep")
        self.complains(USAGE, ["doctor", "--sweep", "x=1"], "--sweep")
        self.assertNotIn("--sweep", self.text("compare", "--help"))
        self.assertIn("--sweep", self.text("run", "--help"))

    def test_every_point_would_write_over_the_same_samples(self):
        self.refused(USAGE, ["sim:tiny", "--samples", "s.csv", "--sweep", "seed=1,2"], "--samples", "--sweep")

    def test_an_option_stands_in_its_sweep_or_beside_it(self):
        for words in (["--seed", "9", "--sweep", "seed=1,2"], ["--sweep=seed=1,2", "--seed=9"],
                      ["--graph", "--sweep", "graph=true,false"], ["--set", "a=1", "--sweep", "set=b=1,b=2"]):
            with self.subTest(words):
                option = "--" + next(w for w in words if "," in w).removeprefix("--sweep=").split("=")[0]
                self.refused(USAGE, ["sim:tiny", *words], f"{option} together with --sweep")
        self.refused(USAGE, ["--graph", "sim:tiny", "--sweep", "graph=true,false"], "--graph together with --sweep")

    def test_what_is_no_option_or_no_value_of_one_is_named(self):
        self.refused(USAGE, ["sim:tiny", "--sweep", "sede=1,2"], "sede=1")
        self.refused(USAGE, ["sim:tiny", "--sweep", "seed=1,x"], "--seed 'x'")
        self.refused(USAGE, ["sim:tiny", "--sweep", "seed"], "--sweep 'seed'")
        self.refused(USAGE, ["sim:tiny", "--sweep", "json=a,b"], "--json")
