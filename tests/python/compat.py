# SPDX-License-Identifier: Apache-2.0
"""Calls as users of other tools write them, unchanged."""
import timeit as standard
import types
import unittest
import warnings
from unittest import mock

import strobe
from strobe import compat
from strobe.compat import _do_bench, _timer

SPIN = "end = time.perf_counter() + 0.001\nwhile time.perf_counter() < end: pass"


class Quiet(unittest.TestCase):
    """A busy machine is doubted, which is not what these tests are about."""

    def setUp(self):
        catch = warnings.catch_warnings()
        catch.__enter__()
        self.addCleanup(catch.__exit__, None, None, None)
        warnings.simplefilter("ignore", compat.DoubtWarning)


class TimerOfTorch(Quiet):
    def test_blocked_autorange(self):
        t = compat.Timer(stmt=SPIN, setup="import time", label="spin", sub_label="1 ms", description="test")
        m = t.blocked_autorange(min_run_time=0.1)
        self.assertGreaterEqual(m.median, 0.99e-3)
        self.assertLess(m.median, 2.5e-3)
        self.assertGreaterEqual(m.mean, 0.99e-3)
        self.assertGreaterEqual(m.iqr, 0)
        self.assertEqual(m.title, "spin: 1 ms")
        self.assertEqual(m.times, [t / m.number_per_run for t in m.raw_times])
        self.assertAlmostEqual(m.median / (m.record.metrics["latency"].value * 1e-9), 1, delta=0.2)
        for words in ("spin: 1 ms", "test", "Median:", "IQR:", "measurements", "1 thread"):
            self.assertIn(words, str(m))

    def test_timeit_makes_as_many_executions(self):
        calls = []
        m = compat.Timer(stmt="calls.append(1)", globals={"calls": calls}).timeit(500)
        self.assertGreaterEqual(len(calls), 500)
        self.assertGreater(m.mean, 0)

    def test_adaptive_autorange_goes_on_until_it_is_sure(self):
        seen = []
        widths = iter([0.5, 0.2, 0.05])
        with mock.patch.object(_timer, "relative_width", lambda record: next(widths)):
            m = compat.Timer("sum(range(100))").adaptive_autorange(
                threshold=0.1, min_run_time=0.02, max_run_time=1.0, callback=lambda number, seconds: seen.append(seconds))
        self.assertGreater(m.record.to_dict()["settings"]["min_time_ns"], 0.02e9)
        self.assertEqual(len(seen), 1)

    def test_threads_are_torchs_while_it_measures(self):
        class Torch(types.SimpleNamespace):
            threads = 8

            def get_num_threads(self):
                return self.threads

            def set_num_threads(self, number):
                self.threads = number

        torch, seen = Torch(), set()
        with mock.patch.dict("sys.modules", {"torch": torch}):
            compat.Timer(lambda: seen.add(torch.threads), num_threads=3).timeit(20)
        self.assertEqual((seen, torch.threads), ({3}, 8))

    def test_what_it_cannot_do_is_refused(self):
        for call in (lambda: compat.Timer("x", language="c++"), lambda: compat.Timer("x", global_setup="#include"),
                     lambda: compat.Timer("x", timer=lambda: 0.0), lambda: compat.Timer("1").collect_callgrind()):
            with self.assertRaises(strobe.Error) as caught:
                call()
            self.assertEqual(caught.exception.code, "unsupported")

    def test_an_exception_of_the_statement_passes_through(self):
        with self.assertRaises(NameError):
            compat.Timer("nothing_there + 1").timeit(10)
        with self.assertRaises(SyntaxError):
            compat.Timer("1 +")


class TimeitOfPython(Quiet):
    def test_it_is_seconds_of_that_many(self):
        ours = compat.timeit("sum(range(5000))", number=200)
        theirs = min(standard.repeat("sum(range(5000))", number=200, repeat=5))
        self.assertGreater(ours, 0.3 * theirs)  # on a busy machine
        self.assertLess(ours, 4 * theirs)

    def test_statements_share_the_variables_of_the_setup(self):
        seen = []
        compat.timeit("x += 1\nseen.append(x)", "x = 10", number=20, globals={"seen": seen})
        self.assertEqual(seen, list(range(11, 11 + len(seen))))

    def test_callables_and_repeat(self):
        self.assertEqual(len(compat.repeat(lambda: sorted([3, 1]), number=10, repeat=3)), 3)


class Doubts(unittest.TestCase):
    def test_a_doubt_is_a_warning_at_the_users_line(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compat.timeit(lambda: None, number=20_000)
        empty = [w for w in caught if "empty-callable" in str(w.message)]
        self.assertEqual(len(empty), 1)
        self.assertEqual(empty[0].filename, __file__)
        self.assertEqual(empty[0].message.record.verdict, "invalid")


class DoBenchOfTriton(unittest.TestCase):
    def test_without_a_gpu_it_says_so(self):
        for torch in (None, types.SimpleNamespace(cuda=types.SimpleNamespace(is_available=lambda: False))):
            with mock.patch.dict("sys.modules", {"torch": torch}), self.assertRaises(strobe.Error) as caught:
                compat.do_bench(lambda: None)
            self.assertEqual(caught.exception.code, "unsupported")
            self.assertIn("strobe.measure", caught.exception.advice)

    def test_what_is_returned_has_tritons_form(self):
        times = [1.0, 2.0, 3.0, 10.0]
        expected = {"min": 1.0, "max": 10.0, "mean": 4.0, "median": 2.5, "all": times}
        for mode, value in expected.items():
            self.assertEqual(_do_bench.summarize(times, None, mode), value)
        self.assertEqual(_do_bench.summarize(times, [0.5], "mean"), 2.5)
        self.assertEqual(_do_bench.summarize(times, [0.0, 0.5, 1.0], "mean"), [1.0, 2.5, 10.0])
        with self.assertRaisesRegex(strobe.Error, "return_mode 'most'"):
            compat.do_bench(lambda: None, return_mode="most")


if __name__ == "__main__":
    unittest.main()
