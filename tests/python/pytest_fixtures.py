# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin, in runs of pytest of its own."""
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

CHECKED = '''
import os, time

def spin(seconds):
    end = time.perf_counter() + seconds * float(os.environ.get("SLOWER", "1"))
    while time.perf_counter() < end:
        pass

def make():
    return lambda: spin(1e-3)

FEW = {"requests": 40, "warmup": 0}

def test_function(strobe):
    strobe.check(spin, 1e-3, baseline="spin", slower=0.5, **FEW)

def test_made(strobe):
    strobe.check(__name__ + ":make", baseline="made", slower=0.5, **FEW)
'''


@unittest.skipUnless(importlib.util.find_spec("pytest"), "pytest is not installed")
class Plugin(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def pytest(self, *arguments, **environment):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
        if not os.environ.get("STROBE_TEST_WHEEL"):  # no entry point in a build folder
            command += ["-p", "strobe.pytest_plugin"]
        done = subprocess.run(command, cwd=self.folder, env={**os.environ, **environment}, capture_output=True, text=True,
                              timeout=300, check=False)
        return done.returncode, done.stdout + done.stderr

    def write(self, text):
        (self.folder / "test_speed.py").write_text(text)

    def test_a_baseline_is_written_and_then_kept(self):
        self.write(CHECKED)
        code, said = self.pytest()
        self.assertEqual(code, 1, said)
        self.assertIn("run pytest --strobe-update once", said)
        code, said = self.pytest("--strobe-update")
        self.assertEqual(code, 0, said)
        baseline = json.loads((self.folder / "strobe-baselines" / "spin.json").read_text())
        self.assertEqual(len(baseline["launches"]), 5)

        code, said = self.pytest("--junitxml=out.xml")
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"spin +1\.\d+ ms +\[.*\] +× \d\.\d+ +passed +test_speed.py::test_function")
        properties = {p.get("name"): p.get("value") for p in
                      xml.etree.ElementTree.parse(self.folder / "out.xml").iterfind(".//property")}
        self.assertEqual(properties["strobe_outcome"], "passed")
        self.assertGreater(float(properties["strobe_latency_ns"]), 0.9e6)

        code, said = self.pytest("-k", "function", SLOWER="3")
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"spin is slower: latency is [23]\.\d+")

    def test_a_closure_is_refused(self):
        self.write('def test_it(strobe):\n    strobe.check(lambda: 1, baseline="x")\n')
        code, said = self.pytest("--strobe-update")
        self.assertEqual(code, 1)
        self.assertIn("one launch decides nothing", re.sub(r"\s+", " ", said))

    def test_the_calls_of_pytest_benchmark(self):
        self.write('''
import time

def test_call(benchmark):
    assert benchmark(sorted, [3, 1, 2], reverse=True) == [3, 2, 1]
    assert 0 < benchmark.stats.median < 1e-3
    assert benchmark.stats.stats.min <= benchmark.stats.mean <= benchmark.stats.max
    assert benchmark.record.verdict in ("trusted", "caution", "invalid")

def test_pedantic(benchmark):
    made = []
    result = benchmark.pedantic(lambda x, y: (time.sleep(0.01), x + y)[1], setup=lambda: (made.append(1), ((1,), {"y": 2}))[1],
                                rounds=6, warmup_rounds=2)
    assert (result, len(made)) == (3, 8)
    assert benchmark.stats.median >= 0.01

def test_teardown(benchmark):
    undone = []
    benchmark.pedantic(sorted, args=([2, 1],), kwargs={"reverse": True}, teardown=lambda x, reverse: undone.append(reverse),
                       rounds=3, warmup_rounds=1, iterations=2)
    assert undone == [True] * 4
    assert benchmark.stats["rounds"] == 3 and benchmark.stats["iterations"] == 2
    for name in ("min", "max", "mean", "median", "stddev", "q1", "q3", "iqr", "ops", "total", "data"):
        benchmark.stats[name]
''')
        code, said = self.pytest("-p", "no:benchmark")
        self.assertEqual(code, 0, said)

    def test_functions_are_woven_until_the_test_ends(self):
        (self.folder / "woven.py").write_text("def double(x):\n    return 2 * x\n\ndef work(x):\n    return double(x) + 1\n"
                                              "\nclass Some:\n    @staticmethod\n    def one():\n        return 1\n")
        self.write('''
import pytest, woven

def test_by_name(benchmark):
    benchmark.weave("woven.double")
    assert (woven.work(3), woven.work(4)) == (7, 9)
    assert benchmark.stats["median"] < 1e-3

def test_itself(benchmark):
    assert not hasattr(woven.double, "__wrapped__")
    benchmark.patch(woven.double)
    benchmark.weave("woven.Some.one")
    assert (woven.work(3), woven.Some().one()) == (7, 1)

def test_what_cannot_be(benchmark):
    with pytest.raises(ValueError, match="no function of a module"):
        benchmark.weave("nothing")
    with pytest.raises(AttributeError):
        benchmark.weave("woven.triple")
''')
        code, said = self.pytest("-p", "no:benchmark")
        self.assertEqual(code, 0, said)

    def test_the_marker_has_options(self):
        self.write('''
import time, pytest

@pytest.mark.benchmark(group="sleep", min_time=0.1, max_time=0.3, min_rounds=5, disable_gc=True)
def test_short(benchmark):
    benchmark(time.sleep, 0.001)
    assert benchmark.group == "sleep"
    assert benchmark.record.to_dict()["settings"]["max_time_ns"] == 0.3e9

@pytest.mark.benchmark(rounds=5)
def test_unknown(benchmark):
    pass
''')
        code, said = self.pytest("-p", "no:benchmark", "--strict-markers")
        self.assertEqual(code, 1, said)
        self.assertIn("1 passed, 1 error", said)
        self.assertIn("takes no keyword argument 'rounds'", said)

    @unittest.skipUnless(importlib.util.find_spec("pytest_benchmark"), "pytest-benchmark is not installed")
    def test_pytest_benchmark_keeps_its_fixture(self):
        self.write('def test_it(benchmark):\n    benchmark(sum, [1])\n    assert "pytest_benchmark" in type(benchmark).__module__\n')
        code, said = self.pytest()
        self.assertEqual(code, 0, said)


if __name__ == "__main__":
    unittest.main()
