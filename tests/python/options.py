# SPDX-License-Identifier: Apache-2.0
"""Keyword arguments: names, kinds of values, refusals, and that what type checkers are told is true."""
import datetime
import pathlib
import typing
import unittest

import strobe
from strobe import _error, _strobe, _words

SIM = "sim:kernels=20x5us,launch=4us,sync=6us"
FEW = {"warmup": 0, "requests": 30, "launches": 1, "progress": False}


def settings(**options):
    return strobe.run(SIM, **{**FEW, **options}).to_dict()["settings"]


class Values(unittest.TestCase):
    def test_a_time_is_text_seconds_or_a_timedelta(self):
        for time in ("1500ms", "1.5s", "1.5 s", 1.5, datetime.timedelta(milliseconds=1500)):
            with self.subTest(time):
                self.assertEqual(settings(max_time=time)["max_time_ns"], 1.5e9)
        self.assertEqual(settings(max_time="250ms")["max_time_ns"], 250e6)
        self.assertEqual(settings(max_time="2min")["max_time_ns"], 120e9)

    def test_numbers_of_other_packages_are_numbers(self):
        class Like:
            def __index__(self):
                return 30

            def __float__(self):
                return 1.5

        self.assertEqual(settings(in_flight=Like())["in_flight"], 30)
        self.assertEqual(settings(max_time=Like())["max_time_ns"], 1.5e9)

    def test_none_is_what_the_library_takes_by_itself(self):
        self.assertEqual(settings(max_time=None), settings())

    def test_words_and_lists(self):
        self.assertEqual(settings(effort="quick")["effort"], "quick")
        self.assertEqual(settings(percentiles=[0.5, 0.9])["percentiles"], "0.5,0.9")
        self.assertEqual(settings(percentiles=0.9), settings(percentiles=[0.9]))

    def test_pauses(self):
        r = strobe.run(SIM, idle=["10ms", "poisson:10ms", 0.02], **{**FEW, "requests": 30})
        self.assertEqual([(i["pause_ns"], i.get("random", False)) for i in r.to_dict()["idle"]],
                         [(1e7, False), (1e7, True), (2e7, False)])

    def test_paths_and_shapes_reach_the_model(self):
        with self.assertRaises(strobe.Error) as caught:
            strobe.run(pathlib.Path("no.onnx"), shape={"x": (1, 3, 8, 8)}, **FEW)
        self.assertEqual(caught.exception.code, "not-found")
        self.assertIn("no.onnx", str(caught.exception))
        with self.assertRaisesRegex(strobe.Error, "shape of 'x'"):
            strobe.run("no.onnx", shape={"x": (1, 0)}, **FEW)


class Refusals(unittest.TestCase):
    def test_an_unknown_name_is_a_type_error_with_the_nearest(self):
        with self.assertRaisesRegex(TypeError, r"run\(\) got an unexpected keyword argument 'bath'. Did you mean 'batch'"):
            strobe.run(SIM, bath=8)
        with self.assertRaisesRegex(TypeError, "'efort'. Did you mean 'effort'"):
            strobe.measure(len, [], efort="quick")
        with self.assertRaisesRegex(TypeError, r"Model\(\) got an unexpected keyword argument 'progress'"):
            strobe.Model("a.onnx", progress=False)
        with self.assertRaisesRegex(TypeError, "Step"):
            strobe.Step("a", len, repeats=2)

    def test_a_wrong_type_is_a_type_error(self):
        for options, words in (({"requests": "many"}, "requests must be a whole number, not str"),
                               ({"requests": True}, "whole number, not bool"),
                               ({"graph": 1}, "graph must be True or False, not int"),
                               ({"effort": 5}, "effort must be a word, not int"),
                               ({"min_time": []}, "min_time must be a time"),
                               ({"shape": 5}, "shape must be a dictionary")):
            with self.subTest(options), self.assertRaisesRegex(TypeError, words):
                strobe.run(SIM, **{**FEW, **options})

    def test_a_wrong_value_is_a_usage_error(self):
        for options, words in (({"effort": "fast"}, "unknown effort 'fast'. Take glance or quick"),
                               ({"min_time": "5 parsecs"}, "cannot read min_time '5 parsecs': 'parsecs' is not a unit of time"),
                               ({"min_time": "-1s"}, "cannot be negative"),
                               ({"idle": "often:1s"}, "the mean of random ones"),
                               ({"min_time": float("nan")}, "min_time. A time is finite"),
                               ({"requests": -1}, "requests. It cannot be negative"),
                               ({"requests": 10**30}, "too large"),
                               ({"requests": 0}, "--requests 0"),
                               ({"in_flight": 0}, "--in-flight 0"),
                               ({"percentiles": [99]}, "0.99"),
                               ({"min_time": 2, "max_time": 1}, "--min-time is longer")):
            with self.subTest(options), self.assertRaisesRegex(strobe.Error, words) as caught:
                strobe.run(SIM, **{**FEW, **options})
            self.assertEqual(caught.exception.code, "usage")

    def test_an_error_has_its_parts(self):
        with self.assertRaises(strobe.Error) as caught:
            strobe.measure(len, [], launches=5)
        error = caught.exception
        self.assertEqual(error.code, "usage")
        self.assertEqual(error.what, "cannot use the option 'launches' here")
        self.assertIn("fresh process", error.cause)
        self.assertIn("measure_fresh", error.advice)
        self.assertEqual(str(error), f"{error.what}: {error.cause}. {error.advice}")


class Codes(unittest.TestCase):
    def test_type_checkers_know_every_code_of_an_error(self):
        self.assertEqual(typing.get_args(_error.Code), _strobe.error_codes)


class Words(unittest.TestCase):
    """The lists for type checkers against those of the library."""

    def check(self, words, *tables, without=(), beside=()):
        told = set(typing.get_type_hints(words))
        there = {name for table in tables for name in _strobe.keywords[table]} - set(without)
        self.assertEqual(told - {"progress", "stop", *beside}, there)

    def test_type_checkers_are_told_what_is_true(self):
        self.check(_words.ModelWords, "model", without=["model"])
        # A callable has no inputs that could be copied, and nobody knows what it computes.
        self.check(_words.CallableWords, "options", without=["copies", "io", "flops", "pass_"])
        self.check(_words.RunWords, "options", "model", without=["model", "name", "items"])
        self.check(_words.MethodsWords, "methods", "model", without=["model"])
        self.check(_words.ThroughputWords, "throughput", "model", without=["model", "batch"])
        self.check(_words.BatchesWords, "throughput", without=["streams", "copies", "launches", "soak", "no_largest"],
                   beside=["name", "device", "stream"])
        self.check(_words.ProfileWords, "profile", "model", without=["model"])
        self.check(_words.MemoryWords, "memory", "model", without=["model"])
        self.check(_words.CandidateWords, "candidate")
        self.check(_words.CompareWords, "compare", "candidate")
        self.check(_words.CompareRecordsWords, "compare_records")
        self.check(_words.PipelineWords, "pipeline")
        self.check(_words.StepWords, "step")
        self.check(_words.AuditWords, "audit")


if __name__ == "__main__":
    unittest.main()
