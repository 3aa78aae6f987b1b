"""--max-time that is too short for any result: one sentence says how much it takes."""

import json
import re

from .program import CANNOT, MEASURED, NOT_USABLE, ProgramTest

TOO_SHORT = (
    ("compare work:sleep=50ms work:sleep=60ms --max-time 100ms", "of the 4 loads and turns"),
    ("compare work:sleep=50ms work:sleep=60ms --workers --max-time 100ms", "of the 4 loads and turns"),
    ("throughput work:sleep=50ms --max-time 100ms", "before the first trial had ended"),
    ("methods work:sleep=50ms --max-time 20ms", "before the first reading"),
)


class MaxTime(ProgramTest):
    def test_the_sentence_says_how_much_to_give(self):
        for words, phrase in TOO_SHORT:
            with self.subTest(words):
                said = self.complains(CANNOT, [*words.split(), "--json", "left.json"], "--max-time", phrase)
                self.assertEqual(len(re.findall(r"Give it at least \d+ m?s\.", said)), 1, said)

    def test_what_it_says_is_enough_for_methods(self):
        words = ("methods", "work:sleep=20ms", "--max-time")
        said = self.complains(CANNOT, [*words, "10ms"], "--max-time")
        advised = re.search(r"at least (\d+) (m?s)\.", said)
        record = json.loads(self.text(*words, "".join(advised.groups()), "--json", "-"))
        self.assertEqual(record["status"], "fixed")

    def test_a_pipeline_says_how_long_a_round_takes(self):
        (self.folder / "pipe.yaml").write_text("device: cpu\nstages:\n  - cpu: {sleep: 50ms}\n")
        result = self.strobe("pipeline", "pipe.yaml", "--max-time", "150ms", "--json", "r.json")
        self.assertIn(result.returncode, (MEASURED, NOT_USABLE), result.stderr)
        record = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(record["status"], "not-converged")
        self.assertRegex(record["status_reason"], r"^0 of 32 rounds were done; one takes about \d+ ms$")
