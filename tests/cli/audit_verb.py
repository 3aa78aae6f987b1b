# SPDX-License-Identifier: Apache-2.0
"""strobe audit: stored records judged anew, and times of other tools."""
import json
import random

from .program import CANNOT, MEASURED, NOT_USABLE, USAGE, ProgramTest


class AuditRecord(ProgramTest):
    def test_a_stored_record_is_judged_as_it_was(self):
        self.strobe("run", "sim:device-bound", "--effort", "quick", "--json", "r.json")
        before = json.loads((self.folder / "r.json").read_text())
        result = self.strobe("audit", "r.json", "--json", "-")
        after = json.loads(result.stdout)
        self.assertEqual(result.returncode, MEASURED)
        self.assertEqual((after["verdict"], [f["id"] for f in after["findings"]]),
                         (before["verdict"], [f["id"] for f in before["findings"]]))

    def test_a_verdict_can_be_required(self):
        self.strobe("run", "sim:drifting", "--min-time", "5s", "--json", "r.json")
        self.assertEqual(self.strobe("audit", "r.json").returncode, MEASURED)
        self.assertEqual(self.strobe("audit", "r.json", "--require", "caution").returncode, MEASURED)
        self.assertEqual(self.strobe("audit", "r.json", "--require", "trusted").returncode, NOT_USABLE)
        self.complains(USAGE, ["audit", "r.json", "--require", "perfect"], "--require 'perfect'", "trusted or caution")

    def test_what_cannot_be_audited_is_said_in_one_sentence(self):
        self.complains(USAGE, ["audit"], "no file is named")
        self.complains(CANNOT, ["audit", "nothing.json"], "nothing.json")
        (self.folder / "x.json").write_text("{}")
        self.complains(CANNOT, ["audit", "x.json"], "record")
        self.complains(USAGE, ["audit", "x.json", "--times", "x.json"], "two files")
        self.complains(USAGE, ["audit", "x.json", "--unit", "ms"], "--times")


class AuditTimes(ProgramTest):
    def times(self, values, *arguments):
        (self.folder / "t.txt").write_text("\n".join(f"{v:.6f}" for v in values))
        return self.strobe("audit", "--times", "t.txt", "--unit", "ms", *arguments)

    def test_a_warm_up_is_found_and_left_out(self):
        rng = random.Random(3)
        result = self.times([(2 + 8 * 0.97 ** i) * (1 + rng.gauss(0, 0.01)) for i in range(800)])
        self.assertEqual(result.returncode, MEASURED)
        self.assertRegex(result.stdout, r"reading +2\.00\d ms ")
        self.assertIn("no-warm-up", result.stdout)
        self.assertIn("verdict      caution", result.stdout)

    def test_a_clean_series_is_trusted(self):
        rng = random.Random(4)
        result = self.times([2 * (1 + rng.gauss(0, 0.01)) for _ in range(800)], "--require", "trusted")
        self.assertEqual(result.returncode, MEASURED, result.stdout)

    def test_one_sample_is_not_usable(self):
        self.assertEqual(self.times([2.0]).returncode, NOT_USABLE)

    def write(self, text, name="t.csv"):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def median_ns(self, text, *arguments):
        result = self.strobe("audit", "--times", self.write(text), "--json", "-", *arguments)
        self.assertIn(result.returncode, (MEASURED, NOT_USABLE), result.stderr)
        return json.loads(result.stdout)["metrics"]["reading"]["median"]["value"]

    def test_decimal_commas_are_recognised_or_asked_about(self):
        rng = random.Random(5)
        column = "\n".join(f"{30 + rng.random() / 5:.4f}".replace(".", ",") for _ in range(60))
        self.assertAlmostEqual(self.median_ns(column, "--unit", "ms") / 1e6, 30.1, delta=0.1)
        self.assertAlmostEqual(self.median_ns("latency_ms\n30,5\n30,5\n") / 1e6, 30.5)
        self.complains(CANNOT, ["audit", "--times", self.write("30,5\n30,7\n")], "30,7", "--decimal comma",
                       "--decimal point")
        self.assertAlmostEqual(self.median_ns("30,5\n30,7\n", "--decimal", "comma") / 1e9, 30.6)
        self.complains(USAGE, ["audit", "--times", "t.csv", "--decimal", "dot"], "--decimal 'dot'", "point or comma")

    def test_thousands_separators_are_recognised_or_asked_about(self):
        for text in ("ms\n1.234,5\n1.234,5\n", "ms\n1,234.5\n1,234.5\n", 'id,ms\n1,"1,234.5"\n2,"1,234.5"\n'):
            with self.subTest(text):
                self.assertAlmostEqual(self.median_ns(text) / 1e6, 1234.5)
        self.complains(CANNOT, ["audit", "--times", self.write("1,234.5\n1,235.6\n")], "1,235.6", "two columns",
                       "--decimal point")
        self.complains(CANNOT, ["audit", "--times", self.write("ms\n1,234\n1,310\n")], "1,310", "thousands separator",
                       "--decimal comma")
        self.assertAlmostEqual(self.median_ns("ms\n1,234\n1,234\n", "--decimal", "comma") / 1e6, 1.234)
        self.assertAlmostEqual(self.median_ns("ms\n1,234\n1,234\n", "--decimal", "point") / 1e6, 1234)

    def test_the_unit_is_said_or_asked_for_where_there_is_none(self):
        text = self.text("audit", "--times", self.write("0.0121\n" * 30 + "0.0122\n" * 30))
        self.assertIn("read as seconds; --unit ms changes it", text.splitlines()[0])
        self.complains(CANNOT, ["audit", "--times", self.write("1234\n1250\n1240\n")], "no unit", "--unit")
        self.assertAlmostEqual(self.median_ns("1234\n1234\n", "--unit", "us"), 1234e3)

    def test_a_spreadsheet_of_another_country_is_read(self):
        text = '\ufeffModell;Latency (ms)\r\n"resnet; 18";"88,2"\r\nresnet;88,2\r\n'
        self.assertAlmostEqual(self.median_ns(text) / 1e6, 88.2)

    def test_units_are_read_where_they_are_written(self):
        self.assertAlmostEqual(self.median_ns("88.2 ms\n88.2ms\n88200 us\n") / 1e6, 88.2)
        self.assertAlmostEqual(self.median_ns("time_us\n5\n5\n"), 5000)
        self.complains(USAGE, ["audit", "--times", self.write("time_us\n5\n"), "--unit", "ms"], "time_us", "says us")

    def test_a_column_is_chosen_by_name_or_number(self):
        table = self.write("run,mean_ms,p99_ms\n1,2.5,4\n2,2.5,4\n")
        self.complains(CANNOT, ["audit", "--times", table], "3 columns: run, mean_ms, p99_ms", "--column")
        text = (self.folder / table).read_text()
        self.assertAlmostEqual(self.median_ns(text, "--column", "p99_ms") / 1e6, 4)
        self.assertAlmostEqual(self.median_ns(text, "--column", "2") / 1e6, 2.5)
        self.complains(USAGE, ["audit", "--times", table, "--column", "p90_ms"], "p90_ms", "p99_ms")

    def test_strobes_own_samples_are_read(self):
        self.strobe("run", "sim:kernels=20x5us,launch=4us,sync=6us,noise=0.01", "--requests", "100", "--samples", "s.csv")
        result = self.strobe("audit", "--times", "s.csv", "--json", "-")
        self.assertEqual(result.returncode, MEASURED, result.stderr)
        self.assertAlmostEqual(json.loads(result.stdout)["metrics"]["reading"]["median"]["value"], 110e3, delta=1e3)
        self.complains(CANNOT, ["audit", "--times", "s.csv", "--name", "nothing"], "--name", "latency")

    def test_each_time_of_trtexec_is_shown_as_what_it_is(self):
        rng, now, requests = random.Random(6), 200.0, []
        for _ in range(600):
            compute = 1 + rng.gauss(0, 0.01)
            stamps = {"startEnqMs": now, "endEnqMs": now + 0.95, "startH2dMs": now, "endComputeMs": now + compute}
            requests.append({key: float(f"{value:.6g}") for key, value in (stamps | {
                "h2dMs": 0.1, "computeMs": compute, "d2hMs": 0.05, "latencyMs": compute + 0.15}).items()})
            now += compute + 0.02
        text = self.text("audit", "--times", self.write(json.dumps(requests), "t.json"), "--explain")
        self.assertRegex(text, r"reading +1\.15\d* ms ")
        self.assertRegex(text, r"span +1\.00\d* ms ")
        self.assertRegex(text, r"submit +950 µs ")
        self.assertIn("Its GPU compute time", text)
        self.assertNotIn("on an idle device", text)
        self.assertIn("host-bound: handing a request over takes the host", text)
        self.assertIn("copy-inside-timing", text)

    def test_the_option_is_named_where_it_is_missing_or_too_much(self):
        hyperfine = self.write('{"results": [{"command": "x", "times": [1.0, 1.1]}]}', "h.json")
        self.complains(CANNOT, ["audit", hyperfine], "not a strobe record", "--times h.json")
        self.complains(CANNOT, ["audit", self.write("latency_ms\n1\n")], "not a strobe record", "--times t.csv")
        self.strobe("run", "sim:device-bound", "--requests", "30", "--json", "r.json")
        self.complains(CANNOT, ["audit", "--times", "r.json"], "record", "Leave --times out")

    def test_what_is_no_time_is_named(self):
        (self.folder / "t.txt").write_text("1\ntwo\n")
        self.complains(CANNOT, ["audit", "--times", "t.txt"], "line 2", "two")
        self.complains(USAGE, ["audit", "--times", "t.txt", "--unit", "h"], "--unit 'h'")
