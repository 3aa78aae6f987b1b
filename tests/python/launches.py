# SPDX-License-Identifier: Apache-2.0
"""measure("module:function"): fresh processes, what they are told, and what becomes of one that fails."""
import os
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import strobe

MODULE = '''
import os, sys, time

def spin(seconds=0.001):
    def work():
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass
    return work

def noted(folder):
    open(os.path.join(folder, str(os.getpid())), "w").close()
    print("this goes to stderr")
    return spin()

class Models:
    @staticmethod
    def make():
        return spin()

def no_callable():
    return 5

def raises():
    raise ValueError("no weights")

def dies_at(folder, number):
    open(os.path.join(folder, str(os.getpid())), "w").close()
    if len(os.listdir(folder)) == number:
        os._exit(7)
    return spin()

def leaves():
    sys.exit("enough")

def slow():
    return lambda: time.sleep(0.05)

import strobe

@strobe.launched(launches=2, requests=30, warmup=0, progress=False)
def made(seconds=0.001):
    """Makes one."""
    return spin(seconds)

@strobe.launched
def plain():
    return spin()

class Sheltered:
    @staticmethod
    @strobe.launched(launches=1)
    def make():
        return spin()
'''
FEW = {"warmup": 0, "requests": 30, "progress": False}


class Launches(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name, "notes")
        self.folder.mkdir()
        Path(folder.name, "launched_module.py").write_text(MODULE)
        path = mock.patch.object(sys, "path", [folder.name, *sys.path])
        path.start()
        self.addCleanup(path.stop)

    def measure(self, function, *args, **options):
        return strobe.measure(f"launched_module:{function}", *args, **{**FEW, **options})

    def test_each_launch_is_a_process(self):
        r = self.measure("noted", str(self.folder), launches=3)
        self.assertEqual(len(r.launches), 3)
        pids = set(os.listdir(self.folder))
        self.assertEqual(len(pids), 3)
        self.assertNotIn(str(os.getpid()), pids)

    def test_the_result_is_for_the_next_launch(self):
        r = self.measure("spin", launches=5)
        self.assertEqual(r.verb, "measure")
        latency = r.metrics["latency"]
        self.assertGreaterEqual(latency.value, 1e6)
        self.assertIn(latency.verdict, ("repeats", "varies"))
        self.assertNotIn("one_process", {k for k, v in r.to_dict().items() if v})
        self.assertIn("launches     5 in ", r.text())
        self.assertNotIn("of this one launch", repr(r))
        self.assertGreater(r.to_dict()["startup"]["load_ns"], 0)

    def test_arguments_and_dotted_names(self):
        self.assertGreaterEqual(self.measure("spin", 0.003, launches=1).metrics["latency"].value, 3e6)
        self.assertGreaterEqual(self.measure("Models.make", launches=1).metrics["latency"].value, 1e6)

    def test_the_effort_says_how_many(self):
        r = self.measure("spin", effort="quick")
        self.assertEqual(len(r.launches), 5)

    def test_what_cannot_be_launched_is_refused(self):
        for target, words in (("launched_module", "does not name a function"), ("__main__:f", "another main program")):
            with self.subTest(target), self.assertRaisesRegex(strobe.Error, words):
                strobe.measure(target, **FEW)
        with self.assertRaisesRegex(strobe.Error, "returned int, which cannot be called"):
            self.measure("no_callable", launches=2)
        with self.assertRaisesRegex(strobe.Error, "cannot hand the arguments"):
            self.measure("spin", lambda: None, launches=2)
        with self.assertRaisesRegex(strobe.Error, "--launches 0"):
            self.measure("spin", launches=0)

    def test_what_the_function_raises_is_said(self):
        for function, words in (("raises", "ValueError: no weights"), ("leaves", "SystemExit: enough"),
                                ("nothing_there", "AttributeError")):
            with self.subTest(function), self.assertRaisesRegex(strobe.Error, words) as caught:
                self.measure(function, launches=2)
            self.assertEqual(caught.exception.code, "failed")

    def test_launches_before_one_that_dies_count(self):
        r = self.measure("dies_at", str(self.folder), 4, launches=5)
        self.assertEqual((len(r.launches), r.status), (3, "interrupted"))
        self.assertIn("exit code 7", r.to_dict()["status_reason"])

    def test_stop_ends_the_process_that_measures(self):
        begin = time.monotonic()
        r = strobe.measure("launched_module:slow", requests=10_000, warmup=0, launches=2, progress=False,
                           stop=lambda: time.monotonic() - begin > 2)
        self.assertEqual(r.status, "interrupted")
        self.assertGreater(r.metrics["latency"].value, 0.05e9)
        self.assertLess(time.monotonic() - begin, 20)

    def test_a_decorated_function_launches_itself(self):
        import launched_module as module
        r = module.made.measure(0.003)
        self.assertEqual((len(r.launches), r.to_dict()["model"]["name"]), (2, "made"))
        self.assertGreaterEqual(r.metrics["latency"].value, 3e6)
        self.assertEqual(len(module.made.measure(launches=3, name="other").launches), 3)  # what is said last holds
        self.assertEqual(len(module.plain.measure(launches=2, **FEW).launches), 2)
        self.assertGreaterEqual(module.Sheltered.make.measure(**FEW).metrics["latency"].value, 1e6)

    def test_a_decorated_function_is_still_the_function(self):
        import launched_module as module
        self.assertTrue(callable(module.made(0.5)))
        self.assertEqual((module.made.__name__, module.made.__doc__), ("made", "Makes one."))
        self.assertEqual(len(self.measure("made", launches=2).launches), 2)

    def test_what_cannot_be_launched_is_refused_by_the_decorator_too(self):
        @strobe.launched(launches=2)
        def within():
            return sum

        with self.assertRaisesRegex(strobe.Error, "a function within another"):
            within.measure()
        with self.assertRaisesRegex(TypeError, r"launched\(\) got an unexpected keyword argument 'launchs'. Did you mean 'launches'"):
            strobe.launched(launchs=5)

    def test_progress_counts_launches(self):
        heard = []
        self.measure("spin", launches=2, progress=heard.append)
        self.assertEqual([p.phase for p in heard], ["launch 1 of 2", "launch 2 of 2"])


if __name__ == "__main__":
    unittest.main()
