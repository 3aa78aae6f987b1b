# SPDX-License-Identifier: Apache-2.0
"""strobe report, and --export of pages and of other tools' formats from every verb."""
import json
import re

from .program import CANNOT, MEASURED, USAGE, ProgramTest

# A line of Prometheus' text format that is no comment.
SERIES = re.compile(r'[a-z_]+\{([a-z_]+="([^"\\]|\\\\|\\"|\\n)*",?)+\} [-+.0-9e]+')


class Report(ProgramTest):
    def setUp(self):
        super().setUp()
        self.strobe("run", "sim:device-bound", "--requests", "50", "--json", "r.json")

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def test_without_more_it_writes_a_page_beside_the_record_and_says_where(self):
        self.assertEqual(self.text("report", "r.json"), "r.html\n")
        page = self.read("r.html")
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertIn("sim:device-bound", page)
        self.text("report", "r.json")  # once more, over it
        self.assertEqual(self.files(), ["r.html", "r.json"])

    def test_the_figure_on_the_page_is_that_of_the_record(self):
        self.text("report", "r.json")
        median = json.loads(self.read("r.json"))["metrics"]["latency"]["median"]["value"]
        self.assertIn(f'<data value="{median}" data-metric="latency" data-field="median">', self.read("r.html"))

    def test_several_records_on_one_page(self):
        self.strobe("methods", "sim:tiny", "--json", "m.json")
        self.assertEqual(self.text("report", "r.json", "m.json", "--export", "both.html"), "both.html\n")
        page = self.read("both.html")
        self.assertIn("<h1>2 records</h1>", page)
        self.assertIn('id="record-2"', page)

    def test_other_formats(self):
        self.assertEqual(self.text("report", "r.json", "--export", "r.md", "--export", "r.csv", "--export", "r.prom"),
                         "r.md\nr.csv\nr.prom\n")
        self.assertIn("| latency |", self.read("r.md"))
        self.assertIn("sim:device-bound  simulated", self.text("report", "r.json", "--format", "text"))
        two = self.text("report", "r.json", "r.json", "--format", "csv").splitlines()
        self.assertEqual(sum(line.startswith("model,") for line in two), 1)

    def test_what_cannot_be_reported_is_said_in_one_sentence(self):
        (self.folder / "broken.json").write_text("{")
        (self.folder / "newer.json").write_text('{"schema": "strobe/9"}')
        self.complains(USAGE, ["report"], "RECORD")
        self.complains(CANNOT, ["report", "nothing.json"], "nothing.json")
        self.complains(CANNOT, ["report", "r.json", "broken.json"], "broken.json")
        self.complains(CANNOT, ["report", "newer.json"], "newer.json", "strobe/9")
        self.complains(USAGE, ["report", "r.json", "--export", "r.doc"], "r.doc", ".html")
        self.complains(USAGE, ["report", "r.json", "--format", "htm"], "did you mean 'html'")
        self.complains(USAGE, ["report", "r.json", "r.json", "--format", "json"], "one record")
        self.complains(CANNOT, ["report", "r.json", "--export", "no/such/folder/r.html"], "no/such/folder")

    def test_a_name_from_outside_is_text(self):
        record = json.loads(self.read("r.json"))
        record["model"]["name"] = '<script>alert(1)</script></script>"onload='
        (self.folder / "evil.json").write_text(json.dumps(record))
        self.text("report", "evil.json")
        page = self.read("evil.html")
        self.assertNotIn("<script>alert", page)
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt;&lt;/script&gt;&quot;onload=", page)


class Exports(ProgramTest):
    def test_every_verb_writes_a_page(self):
        for words in (["run", "sim:tiny", "--requests", "20"], ["run", "sim:tiny", "--requests", "20", "--sweep", "seed=1,2"],
                      ["methods", "sim:tiny"], ["profile", "sim:tiny"], ["memory", "sim:memory"], ["doctor"], ["selftest", "--runs", "5"]):
            with self.subTest(" ".join(words)):
                self.text(*words, "--export", "x.html")
                page = (self.folder / "x.html").read_text(encoding="utf-8")
                self.assertIn(f"verb\": \"{words[0]}\"", page)
                self.assertIn("data-verdict=", page)
                self.assertNotRegex(page, r"(src|href)=\"(?!#)")
        (self.folder / "t.txt").write_text("\n".join(str(1 + i % 7 / 100) for i in range(100)))
        self.text("audit", "--times", "t.txt", "--unit", "ms", "--export", "x.html")

    def test_google_benchmarks_json(self):
        self.text("run", "sim:device-bound", "--requests", "50", "--export", "x.gbench.json", "--json", "r.json")
        document = json.loads((self.folder / "x.gbench.json").read_text())
        record = json.loads((self.folder / "r.json").read_text())
        rows = {b["name"]: b for b in document["benchmarks"]}
        latency = rows["sim:device-bound/latency_median"]
        self.assertEqual(latency["real_time"], record["metrics"]["latency"]["median"]["value"])
        self.assertEqual((latency["run_type"], latency["aggregate_name"], latency["time_unit"]), ("aggregate", "median", "ns"))
        self.assertEqual(rows["sim:device-bound/latency"]["iterations"], 50)
        self.assertEqual(document["context"]["json_schema_version"], 1)

    def test_prometheus_text(self):
        text = self.text("run", "sim:device-bound", "--requests", "50", "--format", "prom", "--json", "r.json")
        record = json.loads((self.folder / "r.json").read_text())
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        for line in lines:
            self.assertRegex(line, SERIES)
        median = next(line for line in lines if line.startswith("strobe_latency_seconds{") and 'quantile="0.5"' in line)
        self.assertAlmostEqual(float(median.split()[-1]) * 1e9, record["metrics"]["latency"]["median"]["value"], places=3)
        self.assertIn(f'verdict="{record["verdict"]}"}} 1', text)
