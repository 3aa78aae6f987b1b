"""strobe audit: stored records judged anew, and times of other tools."""
import json
import random

from cli.program import CANNOT, MEASURED, NOT_USABLE, USAGE, ProgramTest


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
        self.strobe("run", "sim:drifting", "--effort", "quick", "--json", "r.json")
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

    def test_what_is_no_time_is_named(self):
        (self.folder / "t.txt").write_text("1\ntwo\n")
        self.complains(CANNOT, ["audit", "--times", "t.txt"], "line 2", "two")
        self.complains(USAGE, ["audit", "--times", "t.txt", "--unit", "h"], "--unit 'h'")
