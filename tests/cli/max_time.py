# SPDX-License-Identifier: Apache-2.0
"""--max-time that is too short for any result: one sentence says how much it takes."""

import json
import re

from .program import CANNOT, MEASURED, NOT_USABLE, ProgramTest

TOO_SHORT = (
    ("compare work:sleep=50ms work:sleep=60ms --max-time 100ms", "of the 10 loads and turns"),
    ("throughput work:sleep=50ms --max-time 100ms", "before the first trial had ended"),
    ("methods work:sleep=50ms --max-time 20ms", "before the first reading"),
)


class MaxTime(ProgramTest):
    def test_the_sentence_says_how_much_to_give(self):
        for words, phrase in TOO_SHORT:
            with self.subTest(words):
                said = self.complains(CANNOT, [*words.split(), "--json", "left.json"], "--max-time", phrase)
                self.assertEqual(len(re.findall(r"Give it at least \d+ m?s\.", said)), 1, said)

    def advised(self, *words):
        """The record of a run that is given as much time as the sentence about too little says."""
        said = self.complains(CANNOT, [*words, "--max-time", "10ms"], "--max-time")
        time = "".join(re.search(r"at least (\d+) (m?s)\.", said).groups())
        return json.loads(self.text(*words, "--max-time", time, "--json", "-"))

    def test_what_it_says_is_enough(self):
        self.assertEqual(self.advised("methods", "work:sleep=20ms")["status"], "fixed")
        compared = self.advised("compare", "work:sleep=50ms", "work:sleep=90ms")
        self.assertGreaterEqual(compared["rounds"], 1)

    def test_a_pipeline_says_how_long_a_round_takes(self):
        (self.folder / "pipe.yaml").write_text("device: cpu\nstages:\n  - cpu: {sleep: 50ms}\n")
        result = self.strobe("pipeline", "pipe.yaml", "--max-time", "150ms", "--json", "r.json")
        self.assertIn(result.returncode, (MEASURED, NOT_USABLE), result.stderr)
        record = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(record["status"], "not-converged")
        self.assertRegex(record["status_reason"], r"^0 of 32 rounds were done; one takes about \d+ ms$")
