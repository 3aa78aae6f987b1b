# SPDX-License-Identifier: Apache-2.0
"""On a terminal there is progress and color; anywhere else neither."""

import os
import pty
import unittest
import threading

from .program import MEASURED, NOT_USABLE, ProgramTest, environment

SHORT = ("run", "work:sleep=1ms", "--requests", "300")
ERASE = "\r\x1b[K"


class Terminal(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        try:
            for descriptor in os.openpty():
                os.close(descriptor)
        except OSError as error:
            raise unittest.SkipTest(f"there are no pseudo-terminals here ({error.strerror})") from error

    def on_terminal(self, *arguments, streams, env=None, code=MEASURED):
        """Standard output and error, each what a terminal (if named in `streams`) or a pipe received."""
        received, ends, readers = {}, {}, []
        for name in ("stdout", "stderr"):
            ours, theirs = pty.openpty() if name in streams else os.pipe()
            ends[name] = theirs
            reader = threading.Thread(target=self.drain, args=(ours, name, received))
            reader.start()
            readers.append(reader)
        child = self.start(*arguments, env=env, **ends)
        for end in ends.values():
            os.close(end)
        self.assertEqual(child.wait(timeout=60), code)
        for reader in readers:
            reader.join()
        return received["stdout"], received["stderr"]

    @staticmethod
    def drain(descriptor, name, received):
        chunks = []
        while True:
            try:
                chunk = os.read(descriptor, 4096)
            except OSError:   # what a terminal says when nobody holds its other end
                break
            if not chunk:
                break
            chunks.append(chunk)
        os.close(descriptor)
        received[name] = b"".join(chunks).decode()

    def test_shows_progress_and_takes_it_away_again(self):
        stdout, stderr = self.on_terminal(*SHORT, streams=("stderr",))
        self.assertIn("measuring", stderr)
        self.assertTrue(stderr.endswith(ERASE), repr(stderr[-40:]))
        self.assertNotIn("\n", stderr)
        self.assertNotIn("\x1b", stdout)

    def test_says_what_is_waited_for(self):
        times = ("--min-time", "1s", "--max-time", "3s")
        _, stderr = self.on_terminal("run", "work:sleep=1ms", *times, streams=("stderr",))
        self.assertRegex(stderr, r"measuring [\d.]+ s · at most \d+ s left")

    def test_counts_requests_where_their_number_is_known(self):
        _, stderr = self.on_terminal("run", "work:sleep=1ms", "--requests", "600", streams=("stderr",))
        self.assertRegex(stderr, r"measuring 600/600 requests")
        self.assertRegex(stderr, r"measuring \d{1,3}/600 requests")

    def test_says_for_how_long_a_first_request_has_been_waited_for(self):
        _, stderr = self.on_terminal("run", "work:sleep=4s", "--requests", "1", "--warmup", "0", streams=("stderr",),
                                     code=NOT_USABLE)
        self.assertRegex(stderr, r"first request: 2 s so far; the runtime may be compiling")
        self.assertRegex(stderr, r"first request: 3 s so far")

    def test_other_verbs_have_progress_too(self):
        times = self.folder / "times.txt"
        times.write_text("\n".join(f"{5 + i * 7919 % 997 / 1000}" for i in range(200)))
        for words, shown in ((("methods", "sim:launch-bound"), r"round \d of 5"),
                             (("audit", "--times", times, "--unit", "ms"), "reading"),
                             (("selftest", "--runs", "5"), r"checking \d+/\d+")):
            with self.subTest(words[0]):
                self.assertRegex(self.on_terminal(*words, streams=("stderr",))[1], shown)

    def test_shows_no_progress_when_asked_not_to(self):
        for option in ("--quiet", "--no-progress"):
            with self.subTest(option):
                self.assertEqual(self.on_terminal(*SHORT, option, streams=("stderr",))[1], "")

    def test_sends_no_sequences_to_a_terminal_that_is_dumb(self):
        self.assertEqual(self.on_terminal(*SHORT, streams=("stderr",), env=environment(TERM="dumb"))[1], "")

    def test_shows_no_progress_on_a_pipe(self):
        result = self.strobe(*SHORT)
        self.assertEqual(result.stderr, "")

    def test_colors_the_result_unless_told_not_to(self):
        self.assertIn("\x1b[1m", self.on_terminal(*SHORT, streams=("stdout",))[0])
        self.assertNotIn("\x1b", self.on_terminal(*SHORT, "--color", "never", streams=("stdout",))[0])
        self.assertNotIn("\x1b", self.on_terminal(*SHORT, streams=("stdout",), env=environment(NO_COLOR="1"))[0])
        self.assertNotIn("\x1b", self.on_terminal(*SHORT, streams=("stdout",), env=environment(TERM="dumb"))[0])
        # By the convention of NO_COLOR an empty value is none.
        self.assertIn("\x1b[1m", self.on_terminal(*SHORT, streams=("stdout",), env=environment(NO_COLOR=""))[0])
