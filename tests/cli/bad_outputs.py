# SPDX-License-Identifier: Apache-2.0
"""Results that have nowhere to go: said before the measurement where that can be known, never passed over."""

import os
import subprocess
import time

from .program import CANNOT, MEASURED, PROGRAM, USAGE, ProgramTest, environment

RUN = ("run", "sim:tiny", "--requests", "50")
LONG = ("run", "work:sleep=5ms", "--min-time", "30s")


class UnwritableOutput(ProgramTest):
    def at_once(self, options, *phrases):
        begin = time.monotonic()
        self.complains(CANNOT, [*LONG, *options], *phrases)
        self.assertLess(time.monotonic() - begin, 10, "it should be said before anything is measured")

    def test_the_folder_is_missing(self):
        for option, file in (("--json", "no/r.json"), ("--export", "no/r.txt"), ("--samples", "no/s.csv")):
            with self.subTest(option):
                self.at_once([option, file], file, "no such file")

    def test_the_target_is_a_folder(self):
        (self.folder / "r.json").mkdir()
        for option in ("--json", "--export", "--samples"):
            with self.subTest(option):
                self.at_once([option, "r.json"], "r.json", "folder")

    def test_the_name_is_empty(self):
        for option in ("--json", "--samples"):
            with self.subTest(option):
                self.complains(USAGE, [*LONG, f"{option}="], option)

    def test_the_name_is_too_long(self):
        self.at_once(["--json", "x" * 300], "too long")

    def test_the_folder_is_read_only(self):
        (self.folder / "d").mkdir(mode=0o555)
        if os.access(self.folder / "d", os.W_OK):
            self.skipTest("this user may write everywhere")
        self.at_once(["--json", "d/r.json"], "d/r.json", "permission")

    def test_the_disk_is_full(self):
        for option in ("--json", "--samples"):
            with self.subTest(option):
                result = self.strobe(*RUN, option, "/dev/full")
                self.assertEqual(result.returncode, CANNOT)
                self.assert_one_sentence(result.stderr, "/dev/full", "no space left")
                self.assertEqual(self.files(), [])
                self.assertIn("verdict", result.stdout, "what was measured is not lost with the file")

    def test_standard_output_is_full(self):
        for options in ((), ("--json", "-"), ("--format", "json")):
            with self.subTest(options), open("/dev/full", "w", encoding="utf-8") as full:
                result = self.strobe(*RUN, *options, stdout=full)
                self.assertEqual(result.returncode, CANNOT)
                self.assert_one_sentence(result.stderr, "standard output", "no space left")

    def test_standard_output_is_full_for_lists_and_help_too(self):
        for arguments in (("zoo",), ("--help",), ("--version",)):
            with self.subTest(arguments), open("/dev/full", "w", encoding="utf-8") as full:
                result = self.strobe(*arguments, stdout=full)
                self.assertEqual(result.returncode, CANNOT)
                self.assert_one_sentence(result.stderr, "standard output", "no space left")

    def test_nobody_reads_standard_output(self):
        reader, writer = os.pipe()
        os.close(reader)
        result = self.strobe(*RUN, stdout=writer)
        os.close(writer)
        self.assertEqual(result.returncode, CANNOT)
        self.assert_one_sentence(result.stderr, "standard output", "broken pipe")

    def closed(self, redirection, *arguments):
        shell = ["/bin/sh", "-c", f'exec "$0" "$@" {redirection}', PROGRAM, *arguments]
        return subprocess.run(shell, cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60)

    def test_standard_output_is_closed(self):
        result = self.closed(">&-", *RUN, "--samples", "s.csv")
        self.assertEqual(result.returncode, CANNOT)
        self.assert_one_sentence(result.stderr, "standard output", "bad file descriptor")
        self.assertNotIn("latency  ", (self.folder / "s.csv").read_text())

    def test_a_closed_standard_error_or_input_does_no_harm(self):
        for redirection in ("2>&-", "<&-", "<&- 2>&-"):
            with self.subTest(redirection):
                result = self.closed(redirection, *RUN, "--json", "r.json")
                self.assertEqual(result.returncode, MEASURED)
                self.assertIn("latency", result.stdout)
                self.assertTrue((self.folder / "r.json").read_text().endswith("}\n"))

    def test_a_file_that_was_there_survives_a_run_that_fails(self):
        (self.folder / "r.json").write_text("precious")
        self.complains(CANNOT, ["run", "none.onnx", "--json", "r.json"], "none.onnx")
        self.assertEqual((self.folder / "r.json").read_text(), "precious")

    def test_a_link_stays_a_link_and_its_target_gets_the_record(self):
        (self.folder / "real.json").write_text("old")
        (self.folder / "link.json").symlink_to("real.json")
        self.text(*RUN, "--json", "link.json")
        self.assertTrue((self.folder / "link.json").is_symlink(), "the link was replaced by a file")
        self.assertTrue((self.folder / "real.json").read_text().startswith("{"))

    def test_standard_output_by_its_name_is_not_replaced(self):
        # /dev/stdout is such a link; with standard output in a file its target is a regular file.
        (self.folder / "stdout").symlink_to("/proc/self/fd/1")
        with open(self.folder / "out.txt", "w", encoding="utf-8") as out:
            result = self.strobe(*RUN, "--json", "stdout", stdout=out)
        self.assertEqual(result.returncode, MEASURED, result.stderr)
        self.assertTrue((self.folder / "stdout").is_symlink(), "the link was replaced by a file")
        self.assertIn("strobe/2", (self.folder / "out.txt").read_text())

    def test_a_device_or_a_pipe_takes_the_record_as_it_is(self):
        self.text(*RUN, "--json", "/dev/null")
        result = self.closed("| cat", *RUN, "--json", "/dev/stderr")
        self.assertTrue(result.stderr.startswith("{"), result.stderr[:200])
