# SPDX-License-Identifier: Apache-2.0
"""What the program offers is in its manual, and the manual offers nothing else."""
import re
from pathlib import Path

from .program import ProgramTest

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "cli.md"


class Documented(ProgramTest):
    def offered(self):
        script = self.text("completion", "bash")
        return {verb: set(options.split()) - {"--help"}
                for verb, options in re.findall(r'^    (\w+)\) options="([^"]*)"', script, re.M)}

    def test_every_option_is_in_the_manual(self):
        manual = set(re.findall(r"--[a-z][a-z0-9-]*", MANUAL.read_text()))
        offered = self.offered()
        self.assertIn("--in-flight", offered["run"])
        for verb, options in offered.items():
            with self.subTest(verb):
                self.assertEqual(options - manual, set(), f"docs/cli.md does not name these options of 'strobe {verb}'")

    def test_every_verb_has_a_section_of_the_manual(self):
        sections = set(re.findall(r"^## `?strobe ([a-z]+)", MANUAL.read_text(), re.M))
        self.assertEqual(set(self.offered()) - sections - {"completion", "help", "worker"}, set())

    def test_tables_of_the_manual_name_no_option_that_there_is_not(self):
        offered = set().union(*self.offered().values(), re.findall(r"--[a-z-]+", self.text("zoo", "export", "--help")))
        rows = re.findall(r"^\| `(--[a-z][a-z0-9-]*)", MANUAL.read_text(), re.M)
        self.assertGreater(len(rows), 40)
        self.assertEqual(set(rows) - offered, set())
