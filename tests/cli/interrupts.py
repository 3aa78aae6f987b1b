# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C at each stage: what was measured is delivered whole, and a second one ends it at once."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from .program import INTERRUPTED, PROGRAM, ProgramTest, environment
from .zoo_verb import HAS_ONNX, installation

RECORD = ("--json", "r.json", "--samples", "s.csv")
SOON = 5  # seconds in which a run must have ended that has nothing to wait for


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children_of(pid):
    return [int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit() and parent_of(p) == pid]


def parent_of(process):
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


# A sleep of the measuring thread that does not end: the one whose number is in STUCK_AT, of those that a request makes.
STUCK_SLEEP = """
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int nanosleep(const struct timespec* wait, struct timespec* left) {
  static int sleeps;
  const int request = getpid() == syscall(SYS_gettid) && (wait->tv_sec > 0 || wait->tv_nsec > 4000000);
  if (request && ++sleeps == atoi(getenv("STUCK_AT"))) {
    close(open("stuck", O_CREAT | O_WRONLY, 0600));
    for (;;) pause();
  }
  return (int)syscall(SYS_nanosleep, wait, left);
}
"""
PIPELINE = "device: cpu\nstages:\n  - {name: a, cpu: {spin: 1ms}}\n  - {name: b, cpu: {sleep: 5ms}}\n"


class Interrupt(ProgramTest):
    def started(self, *arguments, wait_for, **more):
        """A run that has come to `wait_for`: seconds since it handles signals, or a library that it has loaded."""
        child = self.start("run", *arguments, **more)
        deadline = time.monotonic() + 20
        while not self.handles_interrupts(child) and time.monotonic() < deadline:
            time.sleep(0.002)
        if isinstance(wait_for, str):
            maps = Path(f"/proc/{child.pid}/maps")
            while wait_for not in maps.read_text() and time.monotonic() < deadline:
                time.sleep(0.002)
        else:
            time.sleep(wait_for)
        self.assertIsNone(child.poll(), "it ended before it was interrupted")
        return child

    @staticmethod
    def handles_interrupts(child):
        status = Path(f"/proc/{child.pid}/status").read_text()
        caught = int(next(line for line in status.splitlines() if line.startswith("SigCgt")).split()[1], 16)
        return caught >> (signal.SIGINT - 1) & 1

    def interrupted(self, child, by=signal.SIGINT, within=SOON):
        """Its record and text, after one signal."""
        child.send_signal(by)
        begin = time.monotonic()
        stdout, stderr = child.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, within, "it went on for too long")
        self.assertEqual(child.returncode, INTERRUPTED, stderr)
        self.assertEqual(stderr, "")
        self.assertEqual(self.files(), ["r.json", "s.csv"])
        record = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(record["status"], "interrupted")
        self.assertTrue((self.folder / "s.csv").read_text().startswith("pass,round"))
        self.assertIn("interrupted", stdout)
        return record

    def assert_not_trusted_without_figures(self, record):
        latency = record["metrics"].get("latency", {"unknown": "absent"})
        if "unknown" in latency:
            self.assertNotEqual(record["verdict"], "trusted", "nothing was measured: there is nothing to trust")

    def test_while_a_model_loads(self):
        self.needs_zoo("resnet18")
        child = self.started("zoo:resnet18", *RECORD, wait_for="libonnxruntime")
        record = self.interrupted(child)
        self.assertEqual(record["model"]["name"], "zoo:resnet18")
        self.assert_not_trusted_without_figures(record)

    def test_during_warm_up(self):
        record = self.interrupted(self.started("work:sleep=5ms", *RECORD, wait_for=0.2))
        self.assert_not_trusted_without_figures(record)

    def test_during_a_warm_up_of_a_fixed_length(self):
        record = self.interrupted(self.started("work:sleep=5ms", "--warmup", "100000", *RECORD, wait_for=0.3))
        self.assert_not_trusted_without_figures(record)

    def test_during_a_slow_first_request(self):
        # The request itself cannot be cut short, but no further one should begin.
        self.interrupted(self.started("work:sleep=2s", *RECORD, wait_for=0.3), within=4)

    def test_while_measuring(self):
        record = self.interrupted(self.started("work:sleep=5ms", "--effort", "standard", *RECORD, wait_for=1.5))
        latency = record["metrics"]["latency"]
        self.assertGreater(latency["n"], 20)
        self.assertGreaterEqual(latency["median"]["value"], 5_000_000)

    def test_while_measuring_a_fixed_number(self):
        record = self.interrupted(self.started("work:sleep=5ms", "--requests", "100000", *RECORD, wait_for=1.5))
        self.assertGreater(record["metrics"]["latency"]["n"], 20)

    def test_by_the_signal_that_ends_services(self):
        record = self.interrupted(self.started("work:sleep=5ms", *RECORD, wait_for=1.5), by=signal.SIGTERM)
        self.assertGreater(record["metrics"]["latency"]["n"], 20)

    def test_with_the_record_on_standard_output(self):
        child = self.started("work:sleep=5ms", "--json", "-", wait_for=1)
        child.send_signal(signal.SIGINT)
        stdout, stderr = child.communicate(timeout=60)
        self.assertEqual((child.returncode, stderr), (INTERRUPTED, ""))
        self.assertEqual(json.loads(stdout)["status"], "interrupted")

    def test_a_second_one_ends_it_at_once_and_leaves_nothing(self):
        for second in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(second.name):
                child = self.started("work:spin=20s", *RECORD, wait_for=0.3)
                child.send_signal(signal.SIGINT)
                time.sleep(0.3)
                self.assertIsNone(child.poll())
                child.send_signal(second)
                begin = time.monotonic()
                stdout, stderr = child.communicate(timeout=60)
                self.assertLess(time.monotonic() - begin, 3)
                self.assertEqual((child.returncode, stdout), (INTERRUPTED, ""))
                self.assertRegex(stderr, r"(^|\n)strobe: interrupted before [^\n]+\.\n$")
                self.assertEqual(self.files(), [])

    def test_one_signal_ends_a_request_of_an_hour(self):
        for first in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(first.name):
                child = self.started("work:sleep=1h", *RECORD, wait_for=0.3)
                child.send_signal(first)
                begin = time.monotonic()
                stdout, stderr = child.communicate(timeout=40)
                self.assertLess(time.monotonic() - begin, 20)
                self.assertEqual((child.returncode, stdout), (INTERRUPTED, ""))
                self.assertRegex(stderr, r"(^|\n)strobe: interrupted before [^\n]+\.\n$")

    def test_a_second_one_keeps_what_was_measured_before_a_request_that_does_not_end(self):
        # One request that is not counted, one that settles, two that count, and one that is cut off.
        child = self.started("work:sleep=3s", "--warmup", "0", "--requests", "60", *RECORD, wait_for=12.5)
        child.send_signal(signal.SIGINT)
        time.sleep(0.2)
        child.send_signal(signal.SIGTERM)
        stdout, stderr = child.communicate(timeout=40)
        self.assertEqual(child.returncode, INTERRUPTED, stderr)
        record = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(record["status"], "interrupted")
        self.assertGreaterEqual(record["metrics"]["latency"]["n"], 2)
        self.assertIn("interrupted", stdout)

    def left_by(self, *arguments, stuck_at, **variables):
        """What a measurement leaves whose request (counted in sleeps) does not end, after two signals: its record."""
        library = self.compile(STUCK_SLEEP, "stuck.so")
        env = environment(LD_PRELOAD=library, STUCK_AT=stuck_at, ASAN_OPTIONS="verify_asan_link_order=0",
                          **variables)
        child = self.start(*arguments, "--json", "r.json", env=env)
        deadline = time.monotonic() + 40
        while not (self.folder / "stuck").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertIsNone(child.poll(), "it ended before it was stuck")
        child.send_signal(signal.SIGINT)
        time.sleep(0.2)
        child.send_signal(signal.SIGTERM)
        stdout, stderr = child.communicate(timeout=40)
        self.assertEqual(child.returncode, INTERRUPTED, stderr)
        if not (self.folder / "r.json").exists():
            self.assertEqual(stdout, "")
            self.assert_one_sentence(stderr, "interrupted before")
            return None
        self.assertEqual(stderr, "")
        self.assertIn("interrupted", stdout)
        record = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(record["status"], "interrupted")
        return record

    def test_a_request_that_does_not_end_leaves_the_readings_of_all_methods_before(self):
        record = self.left_by("methods", "work:sleep=5ms", stuck_at=120)
        self.assertEqual([c["name"] for c in record["cases"]], ["request", "request, no warm-up", "block", "first-call"])
        for case in record["cases"]:
            self.assertGreaterEqual(case["metrics"]["reading"]["median"]["value"], 5_000_000)
        self.assertEqual(record["metrics"]["latency"]["n"], 18)  # two of five rounds; the third is stuck before it

    def test_a_candidate_that_does_not_end_leaves_the_pairs_before(self):
        wrapper = self.folder / "strobe"  # the sixth process is stuck: one of the third pair
        wrapper.write_text(f'#!/bin/sh\ncd "{self.folder}"\nn=$(($(cat count 2>/dev/null || echo 0) + 1))\necho $n > count\n'
                           f'[ $n -lt 6 ] || export STUCK_AT=20\nexec "{PROGRAM}" "$@"\n')
        wrapper.chmod(0o755)
        record = self.left_by("compare", "work:sleep=5ms", "work:sleep=6ms", "--pairs", "100", stuck_at=1_000_000,
                              STROBE_PROGRAM=wrapper)
        latency = next(c for c in record["comparisons"] if c["metric"] == "latency")
        self.assertEqual(latency["pairs"], 2)
        self.assertEqual(record["rounds"], 8)
        self.assertGreater(latency["ratio"]["value"], 1)

    def test_a_stage_that_does_not_end_leaves_the_turns_before(self):
        (self.folder / "pipe.yaml").write_text(PIPELINE)
        record = self.left_by("pipeline", "pipe.yaml", "--rounds", "1000", stuck_at=300)
        self.assertEqual([c["name"] for c in record["cases"]], ["undisturbed", "naive", "sync", "event"])
        self.assertGreaterEqual(record["metrics"]["latency"]["median"]["value"], 6_000_000)
        self.assertEqual([s["name"] for s in record["cases"][3]["stages"]], ["a", "b"])

    def test_the_first_request_that_does_not_end_leaves_a_sentence(self):
        (self.folder / "pipe.yaml").write_text(PIPELINE)
        for words in ("methods work:sleep=5ms", "compare work:sleep=5ms work:sleep=6ms", "pipeline pipe.yaml"):
            with self.subTest(words):
                self.assertIsNone(self.left_by(*words.split(), stuck_at=1))
                (self.folder / "stuck").unlink()

    def test_leaves_no_worker_that_is_stuck(self):
        child = self.start("run", "work:sleep=1h", "--launches", "2")
        deadline = time.monotonic() + 20
        while not (workers := children_of(child.pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertTrue(workers)
        time.sleep(0.3)
        child.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        child.send_signal(signal.SIGTERM)
        _, stderr = child.communicate(timeout=20)
        self.assertEqual(child.returncode, INTERRUPTED, stderr)
        time.sleep(0.2)
        self.assertEqual([pid for pid in workers if alive(pid)], [])

    def test_one_that_is_ignored_from_the_start_stays_ignored(self):
        # nohup and the background jobs of a shell without job control rely on it.
        child = self.start("run", "work:sleep=5ms", "--requests", "150",
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        _, stderr = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 0, stderr)

    @unittest.skipUnless(HAS_ONNX, "the Python package onnx is not installed")
    def test_while_a_model_of_the_zoo_is_built(self):
        program = installation(self.folder / "installed")
        models = self.folder / "models"
        env = environment(STROBE_ZOO=models, STROBE_PYTHON=sys.executable)
        child = subprocess.Popen([program, "run", "zoo:resnet50", "--json", "r.json"], cwd=self.folder, env=env,
                                 start_new_session=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self._end, child)
        time.sleep(0.3)
        self.assertIsNone(child.poll(), "it ended before it was interrupted")
        os.killpg(child.pid, signal.SIGINT)   # as a terminal does: to the program and to what it started
        _, stderr = child.communicate(timeout=30)
        self.assertEqual(child.returncode, INTERRUPTED, stderr)
        self.assertFalse((self.folder / "r.json").exists())
        self.assertEqual([p.name for p in models.glob("*") if p.suffix != ".onnx"], [])
