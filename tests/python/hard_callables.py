# SPDX-License-Identifier: Apache-2.0
"""Callables that do what a request should not: each gets a result or its own exception, and none hangs."""
import itertools
import os
import subprocess
import sys
import textwrap
import threading
import time
import unittest
from unittest import mock

import strobe
from strobe import _find, _measure, _place
from tests.python.fakes.gpu_libraries import Stream, WithTorch

FEW = {"warmup": 0, "requests": 10, "progress": False}
LONG = 3.0  # seconds: of a request where nobody has as much patience


class Hard(unittest.TestCase):
    def test_one_that_raises_now_and_then_ends_with_its_own_exception(self):
        for good in (0, 1, 5, 40):
            calls, raised = itertools.count(), ZeroDivisionError("mine")

            def work():
                if next(calls) == good:
                    raise raised
                time.sleep(1e-4)
            with self.subTest(good), self.assertRaises(ZeroDivisionError) as caught:
                strobe.measure(work, **{**FEW, "requests": 100})
            self.assertIs(caught.exception, raised)

    def test_one_that_takes_long_is_measured_once_where_there_is_no_time_for_more(self):
        calls = itertools.count()

        def work():
            next(calls)
            time.sleep(LONG)
        begin = time.monotonic()
        r = strobe.measure(work, max_time=0.5, progress=False)
        self.assertLess(time.monotonic() - begin, 4 * LONG)
        self.assertLessEqual(next(calls), 3)
        self.assertGreaterEqual(r.metrics["latency"].value, LONG * 1e9)

    def test_one_that_starts_threads_is_measured_while_they_go_on(self):
        stop = threading.Event()
        threads = []

        def work():
            if len(threads) < 50:
                threads.append(threading.Thread(target=stop.wait))
                threads[-1].start()
            return sum(range(1000))
        try:
            self.assertGreaterEqual(strobe.measure(work, **FEW).metrics["latency"].n, 10)
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def test_one_that_needs_more_memory_each_time_is_measured(self):
        kept = []

        def work():
            if len(kept) < 200:
                kept.append(bytearray(50_000 * (1 + len(kept))))
            return kept
        self.assertGreaterEqual(strobe.measure(work, **FEW).metrics["latency"].n, 10)

    def test_one_whose_results_have_other_shapes_each_time_is_measured(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy cannot be imported")
        sizes = itertools.cycle(range(1, 100))
        r = strobe.measure(lambda: numpy.zeros((next(sizes), 3)) * 2, **FEW)
        self.assertGreaterEqual(r.metrics["latency"].n, 10)
        self.assertNotIn("output-mismatch", [f.id for f in r.findings])

    def test_one_that_returns_a_generator_is_measured_without_iterating_it(self):
        iterated = []

        def work():
            iterated.append(1)
            yield 1
        self.assertGreaterEqual(strobe.measure(work, **FEW).metrics["latency"].n, 10)
        self.assertEqual(iterated, [])

    def test_one_that_calls_measure_itself_is_measured(self):
        def inner():
            return strobe.measure(sorted, [3, 1, 2], requests=2, warmup=0, progress=False)
        self.assertGreaterEqual(strobe.measure(inner, requests=2, warmup=0, progress=False).metrics["latency"].n, 2)

    def test_one_that_forks_is_measured(self):
        def work():
            child = os.fork()
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)
        self.assertGreaterEqual(strobe.measure(work, **FEW).metrics["latency"].n, 10)

    def test_one_that_never_returns_ends_with_the_second_interrupt(self):
        program = """
            import os, signal, strobe, threading, time
            def interrupt():
                for _ in range(2):
                    time.sleep(0.5)
                    os.kill(os.getpid(), signal.SIGINT)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            threading.Thread(target=interrupt).start()
            try:
                strobe.measure(lambda: time.sleep(1000), progress=False)
            except KeyboardInterrupt:
                print("raised")
            """
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout.split(), ["raised"], done.stderr)


class Moving(WithTorch):
    def moves(self, move):
        """Measures a callable that changes where torch works, as soon as it is called often enough."""
        calls = itertools.count()

        def work():
            if next(calls) == 20:
                move()
            time.sleep(1e-3)
        place = _place.Place("cpu", None, "torch", "cuda:0")
        self.torch.cuda.streams[0] = Stream(0, None)
        with mock.patch.object(_measure, "find", lambda *_: _find.Found(place, work)):
            with self.assertRaises(strobe.Error) as caught:
                strobe.measure(work, requests=1000, warmup=0, progress=False)
        self.assertEqual(caught.exception.code, "changed")
        return str(caught.exception)

    def test_one_that_changes_the_stream_is_an_error_that_says_so(self):
        self.assertIn("torch's current stream", self.moves(lambda: self.torch.cuda.streams.__setitem__(0, Stream(0, 9))))

    def test_one_that_changes_the_device_is_an_error_that_says_so(self):
        self.assertIn("torch's current device", self.moves(lambda: setattr(self.torch.cuda, "device", 1)))


if __name__ == "__main__":
    unittest.main()
