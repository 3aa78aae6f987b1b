# SPDX-License-Identifier: Apache-2.0
"""The record in Python: what it shows, what it keeps, and what it can be made into."""
import html
import json
import math
import os
import pickle
import re
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import strobe

SIM = "sim:kernels=20x5us,launch=4us,sync=6us"
FEW = {"warmup": 0, "requests": 30, "progress": False}


def simulated(**options):
    return strobe.run(SIM, **{"launches": 1, **FEW, **options})


class Reading(unittest.TestCase):
    def test_metrics_are_those_of_the_closed_formula(self):
        metrics = simulated().metrics
        self.assertEqual(metrics["latency"].value, 110_000)  # 4 + 20 × 5 + 6
        self.assertEqual(metrics["submit"].value, 80_000)    # 20 × 4
        self.assertEqual(metrics["latency"].unit, "ns")
        self.assertEqual(metrics["latency"].n, 30)
        self.assertEqual(metrics["throughput"].unit, "items/s")
        self.assertLessEqual(metrics["latency"].low, 110_000)
        self.assertGreaterEqual(metrics["latency"].high, 110_000)

    def test_a_percentile_says_what_it_needs(self):
        p99 = {p.p: p for p in simulated().metrics["latency"].percentiles}[0.99]
        self.assertIsNone(p99.value)
        self.assertGreater(p99.needs, 30)

    def test_what_is_unknown_says_why(self):
        r = strobe.measure(math.factorial, 200, **FEW)
        self.assertNotIn("device_time", r.metrics)
        unknown = strobe._record.Metric.read("device_time", {"unit": "ns", "unknown": "there is no gate"})
        self.assertEqual((unknown.value, unknown.unknown), (None, "there is no gate"))

    def test_findings_and_verdict(self):
        r = simulated(**{"requests": 30})
        coarse = strobe.run("sim:launch=2us,kernels=1x2us,tick=512ns", launches=1, **FEW)
        self.assertIn("timer-resolution", [f.id for f in coarse.findings])
        finding = next(f for f in coarse.findings if f.id == "timer-resolution")
        self.assertTrue(finding.message and finding.advice)
        self.assertIn(finding.severity, ("note", "warning", "invalid"))
        self.assertIn(r.verdict, ("trusted", "caution", "invalid"))
        self.assertEqual(r.status, "fixed")

    def test_launches_and_cases(self):
        r = simulated(launches=2)
        self.assertEqual(len(r.launches), 2)
        m = strobe.methods("sim:launch-bound", methods=["naive", "event"], launches=1, progress=False)
        self.assertEqual([c["name"] for c in m.cases], ["naive", "event"])


class Showing(unittest.TestCase):
    def test_repr_is_what_the_program_prints_and_what_its_intervals_mean(self):
        r = simulated()
        self.assertTrue(repr(r).startswith(r.text().rstrip("\n")))
        self.assertIn("one launch", repr(r).splitlines()[0])
        self.assertIn("of this one launch", repr(r))
        self.assertNotIn("of this one launch", repr(simulated(launches=2)))
        self.assertEqual(str(r), repr(r))

    def test_a_notebook_gets_the_page_in_a_frame(self):
        r = simulated()
        frame = r._repr_html_()
        self.assertEqual(html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1]), r.html())
        self.assertIn("<svg", r.html())

    def test_a_name_full_of_markup_is_inert(self):
        r = strobe.measure(math.factorial, 100, name='"><script>alert(1)</script>', **FEW)
        self.assertNotIn("<script>alert", r.html())
        self.assertEqual(r._repr_html_().count("<"), 2)  # the frame's own


class Keeping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_json_comes_back_unchanged(self):
        r = simulated()
        file = self.folder / "r.json"
        r.save(file)
        self.assertEqual(json.loads(file.read_text()), r.to_dict())
        self.assertEqual(strobe.load(file).to_dict(), r.to_dict())
        self.assertEqual(repr(strobe.load(str(file))), repr(r))

    def test_the_suffix_says_the_format(self):
        r = simulated()
        for suffix, text in ((".html", r.html()), (".txt", r.text())):
            r.save(self.folder / f"r{suffix}")
            self.assertEqual((self.folder / f"r{suffix}").read_text(), text)
        with self.assertRaisesRegex(ValueError, r"'.doc'.*\.json, \.html, \.txt"):
            r.save(self.folder / "r.doc")
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.html", "r.txt"])

    def test_a_file_that_cannot_be_written_leaves_the_old_one(self):
        file = self.folder / "r.json"
        file.write_text("before")
        with mock.patch("os.replace", side_effect=OSError("full")), self.assertRaises(OSError):
            simulated().save(file)
        self.assertEqual((file.read_text(), os.listdir(self.folder)), ("before", ["r.json"]))

    def test_a_copy_of_the_fields_is_ones_own(self):
        r = simulated()
        r.to_dict()["verb"] = "changed"
        self.assertEqual(r.to_dict()["verb"], "run")

    def test_it_can_be_pickled(self):
        r = simulated()
        self.assertEqual(pickle.loads(pickle.dumps(r)).to_dict(), r.to_dict())

    def test_what_is_no_record_is_refused(self):
        (self.folder / "no.json").write_text("{}")
        with self.assertRaises(strobe.Error) as caught:
            strobe.load(self.folder / "no.json")
        self.assertEqual(caught.exception.code, "bad-input")

    def test_a_table_of_pandas(self):
        r = simulated()
        with mock.patch.dict("sys.modules", {"pandas": types.SimpleNamespace(DataFrame=list)}):
            rows = r.to_pandas()
        latency = next(row for row in rows if row["metric"] == "latency")
        self.assertEqual((latency["value"], latency["unit"], latency["case"]), (110_000, "ns", ""))
        m = strobe.methods("sim:launch-bound", methods=["naive", "event"], launches=1, progress=False)
        self.assertEqual({row["case"] for row in m.rows()} - {""}, {"naive", "event"})
        with mock.patch.dict("sys.modules", {"pandas": None}), self.assertRaisesRegex(ImportError, "pip install pandas"):
            r.to_pandas()


class Audit(unittest.TestCase):
    def test_times_of_a_list(self):
        r = strobe.audit([0.002] * 50, name="mine")
        self.assertEqual(r.metrics["reading"].value, 2e6)
        self.assertIn("mine", r.text())

    def test_a_step_is_found(self):
        clean = [0.002 * (1 + 0.001 * math.sin(i * i)) for i in range(1000)]
        step = [t * (1.5 if i >= 500 else 1) for i, t in enumerate(clean)]
        self.assertEqual(strobe.audit(clean).verdict, "trusted")
        self.assertNotEqual(strobe.audit(step).verdict, "trusted")

    def test_a_file_is_a_record_or_times(self):
        with tempfile.TemporaryDirectory() as folder:
            times, record = Path(folder, "times.txt"), Path(folder, "r.json")
            times.write_text("2\n" * 60)
            self.assertEqual(strobe.audit(str(times), unit="ms").metrics["reading"].value, 2e6)
            simulated().save(record)
            self.assertEqual(strobe.audit(record).verb, "run")
            with self.assertRaises(strobe.Error):
                strobe.audit(Path(folder, "nothing.txt"))

    def test_what_is_no_time_is_refused(self):
        for times in ([], [-1.0], [float("nan")]):
            with self.subTest(times), self.assertRaises(strobe.Error):
                strobe.audit(times)
        with self.assertRaises(TypeError):
            strobe.audit(["2 ms"])


if __name__ == "__main__":
    unittest.main()
