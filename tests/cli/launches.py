# SPDX-License-Identifier: Apache-2.0
"""strobe run: several fresh processes by default, figures for the next of them, and what may go wrong on the way."""

import signal
import time

from . import models
from .program import CANNOT, INTERRUPTED, NOT_USABLE, ProgramTest, finding_ids

SIM = "sim:launch=4us,kernels=40x30us,noise=0.01"


class Launches(ProgramTest):
    def test_are_as_many_as_the_effort_says(self):
        for effort, count in (("quick", 5), ("standard", 10)):
            with self.subTest(effort):
                record = self.by_effort(effort)
                self.assertEqual(len(record["launches"]), count)
                self.assertEqual(record["settings"]["launches"], count)

    def by_effort(self, effort):
        self.text("run", SIM, "--effort", effort, "--json", "r.json", default=True)
        return self.read("r.json")

    def test_a_glance_is_one_and_says_so(self):
        text = self.text("run", SIM, "--effort", "glance", default=True)
        self.assertIn("· one launch\n", text)
        self.assertNotIn("repeats", text)

    def test_say_of_each_figure_whether_it_repeats(self):
        text = self.text("run", SIM, "--launches", "5", "--effort", "quick")
        self.assertRegex(text, r"device time +[\d.]+ ms +\[[\d., ]+\] +repeats ±[\d.]+ %")
        self.assertRegex(text, r"launches     5 in .*; the next run's number lies inside its interval in 95 % of cases")
        record = self.record(SIM, "--launches", "5", "--effort", "quick")
        self.assertEqual(record["metrics"]["device_time"]["verdict"]["word"], "repeats")
        self.assertEqual(record["metrics"]["span"]["verdict"]["word"], "one-launch")
        self.assertEqual(record["verdict"], "trusted")

    def test_can_be_required_to_repeat_in_a_metric(self):
        steady = ("run", SIM, "--launches", "5", "--effort", "quick")
        self.text(*steady, "--require", "device_time")
        self.text(*steady, "--margin", "0.01%", "--require", "device_time", code=NOT_USABLE)
        self.text("run", SIM, "--launches", "1", "--require", "device_time", code=NOT_USABLE)

    def test_have_their_words_in_every_format(self):
        csv = self.text("run", SIM, "--launches", "3", "--effort", "quick", "--format", "csv")
        self.assertIn(",next_run,half_width,cause,levels,verdict,error\n", csv)
        self.assertRegex(csv, r"device_time,ns,.*,repeats,0\.00\d+,,,trusted,")
        markdown = self.text("run", SIM, "--launches", "3", "--effort", "quick", "--format", "md")
        self.assertRegex(markdown, r"\| device_time \|.*\| repeats ±[\d.]+ % \|")

    def test_fit_into_a_maximum_time(self):
        record = self.record("work:sleep=1ms", "--launches", "10", "--max-time", "3s")
        self.assertLessEqual(len(record["launches"]), 5)
        self.assertEqual(record["settings"]["launches"], 10)  # as asked for
        self.assertLess(record["duration_ns"], 6e9)
        self.assertEqual(record["settings"]["max_time_ns"], 3e9)  # of all of them, not what one had
        short = self.record("work:sleep=1ms", "--launches", "10", "--max-time", "1s")
        self.assertNotIn("launches", short)

    def test_that_take_too_long_are_one_with_the_price_of_five(self):
        record = self.record("work:sleep=150ms", "--launches", "5", "--max-time", "4s")
        self.assertNotIn("launches", record)
        self.assertIn("one-launch", finding_ids(record))
        message = next(f["message"] for f in record["findings"] if f["id"] == "one-launch")
        self.assertRegex(message, "5 launches would take about")

    def test_the_first_writes_the_samples(self):
        self.text("run", SIM, "--launches", "3", "--requests", "30", "--samples", "s.csv")
        self.assertGreater(len((self.folder / "s.csv").read_text().splitlines()), 90)

    def test_an_interrupt_keeps_those_that_are_complete(self):
        child = self.start("run", "work:sleep=5ms", "--requests", "100", "--launches", "20", "--json", "r.json")
        time.sleep(6)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=30)
        self.assertEqual(child.returncode, INTERRUPTED)
        record = self.read("r.json")
        self.assertEqual(record["status"], "interrupted")
        self.assertGreaterEqual(len(record["launches"]), 2)

    def test_a_model_that_cannot_be_opened_is_one_sentence(self):
        self.complains(CANNOT, ["run", "no.onnx", "--launches", "5"], "no.onnx")

    def test_have_time_for_their_pauses_or_are_fewer(self):
        record = self.record("work:sleep=1ms", "--launches", "20", "--max-time", "10s", "--effort", "quick", "--idle", "200ms")
        self.assertIn(len(record["launches"]), range(3, 6))   # without pauses there would be 16
        self.assertTrue(all(launch["idle"][0]["metrics"]["latency"]["n"] > 0 for launch in record["launches"]))
        self.assertLess(record["duration_ns"], 14e9)


class LaunchesThatFail(ProgramTest):
    """Two launches are complete; what happens to the third must not take them along."""

    KILLED = "{ (sleep 0.5; kill -KILL $$) > /dev/null 2>&1 & }"   # while it measures

    def left_of(self, last_words, *arguments):
        started = time.monotonic()
        text = self.text("run", *arguments, "--launches", "5", "--json", "r.json", code=CANNOT,
                         env=self.failing_workers(last_words))
        record = self.read("r.json")
        self.assertEqual((record["status"], len(record["launches"])), ("interrupted", 2))
        self.assertEqual((self.folder / "count").read_text(), "3\n", "the others would fail, too")
        self.assertIn(record["metrics"]["latency"]["verdict"]["word"], ("repeats", "varies"))
        self.assertIn(record["status_reason"], text)
        return record["status_reason"], time.monotonic() - started

    def test_by_a_signal_leave_those_before(self):
        reason, _ = self.left_of(self.KILLED, "work:sleep=1ms", "--effort", "quick")
        self.assertIn("ended by signal 9 (Killed)", reason)

    def test_by_an_exit_leave_those_before(self):
        reason, _ = self.left_of("{ echo 'no licence' >&2; exit 3; }", SIM, "--effort", "quick")
        self.assertIn("it ended with exit code 3: no licence", reason)

    def test_by_not_answering_leave_those_before_as_soon_as_the_time_says(self):
        reason, seconds = self.left_of("exec sleep 100", "work:sleep=1ms", "--requests", "30", "--warmup", "5",
                                       "--max-time", "5s")
        self.assertIn("it stopped answering and was ended", reason)
        self.assertLess(seconds, 20)

    def test_without_memory_leave_those_before(self):
        models.relu(self.folder / "m.onnx", (1, 3, 2048, 2048))
        reason, _ = self.left_of("ulimit -d 150000", "m.onnx", "--threads", "1", "--requests", "20", "--warmup", "1")
        self.assertRegex(reason, "memory were refused|out of memory")

    def test_at_once_are_one_sentence(self):
        env = self.failing_workers("kill -KILL $$", good=0)
        self.complains(CANNOT, ["run", SIM, "--launches", "5"], "worker process was lost", "signal 9 (Killed)", env=env)
