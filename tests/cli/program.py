# SPDX-License-Identifier: Apache-2.0
"""Runs the program as a user would: other folder, own environment, exit code and both streams looked at."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("STROBE_PROGRAM") or REPOSITORY / "build/release/bin/strobe").absolute()
MEASURED, NOT_USABLE, USAGE, CANNOT, INTERRUPTED = 0, 1, 2, 3, 130
COMPILER = shutil.which("cc")
SECONDS = 60  # nothing here takes a tenth of this on a quiet machine

# What a crash or a foreign library's message would show.
TRACES = ("terminate called", "Traceback", "AddressSanitizer", "Aborted", "Segmentation", "std::", ".cc:", ".h:")


def environment(**changes):
    """Ours without what could steer the program, so that every test says what it depends on; None removes."""
    steering = ("STROBE_", "NO_COLOR", "ORT_", "OMP_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(steering)}
    if os.environ.get("STROBE_ZOO"):
        env["STROBE_ZOO"] = str(Path(os.environ["STROBE_ZOO"]).absolute())
    env |= {"LC_ALL": "C", "TERM": "xterm"} | changes
    return {name: str(value) for name, value in env.items() if value is not None}


LAUNCHED = ("run", "methods", "throughput", "pipeline", "profile", "memory")  # in several fresh processes, unless somebody says otherwise


def in_one_launch(arguments):
    """Most tests look at what one launch does: five or ten of them would say the same, later."""
    words = [str(a) for a in arguments]
    if words[:1] and words[0] in LAUNCHED and not {"--launches", "--help"} & set(words):
        return [words[0], "--launches", "1", *words[1:]]
    return words


class ProgramTest(unittest.TestCase):
    """Each test has an empty folder, which is also where the program runs."""

    @classmethod
    def setUpClass(cls):
        if not PROGRAM.is_file():
            raise AssertionError(f"there is no program at {PROGRAM}; build it, or set STROBE_PROGRAM")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="strobe-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def strobe(self, *arguments, program=PROGRAM, env=None, timeout=SECONDS, default=False, **more):
        """What is launched several times is launched once unless --launches is given, or the default is asked for."""
        arguments = arguments if default else in_one_launch(arguments)
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
        return subprocess.run([program, *map(str, arguments)], cwd=self.folder, env=env or environment(), text=True,
                              encoding="utf-8", timeout=timeout, **options)

    def start(self, *arguments, program=PROGRAM, env=None, **more):
        """Not waited for; ended with the test whatever happens."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
        child = subprocess.Popen([program, *in_one_launch(arguments)], cwd=self.folder, env=env or environment(), text=True,
                                 encoding="utf-8", **options)
        self.addCleanup(self._end, child)
        return child

    @staticmethod
    def _end(child):
        if child.poll() is None:
            child.kill()
        child.communicate()

    def text(self, *arguments, code=MEASURED, **more):
        """Standard output of a run that must give `code`."""
        result = self.strobe(*arguments, **more)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout

    def record(self, *arguments, code=MEASURED, **more):
        """The record of a run, from standard output, which must hold nothing else."""
        return json.loads(self.text("run", *arguments, "--json", "-", code=code, **more))

    def read(self, name):
        return json.loads((self.folder / name).read_text())

    def needs_zoo(self, name):
        """Skips where nobody has said that there is a zoo and there is none."""
        if not os.environ.get("STROBE_ZOO") and self.strobe("zoo", "path", name).returncode == CANNOT:
            self.skipTest(f"{name} is not built; set STROBE_ZOO to a folder with {name}.onnx")

    def compile(self, source, name):
        """A library of this C source."""
        if not COMPILER:
            self.skipTest("there is no C compiler")
        (self.folder / name).parent.mkdir(exist_ok=True)
        command = [COMPILER, "-shared", "-fPIC", "-x", "c", "-", "-o", self.folder / name]
        subprocess.run(command, input=source, text=True, check=True)
        return self.folder / name

    def failing_workers(self, last_words, good=2):
        """An environment with the program behind a script, in which all workers but the first ones say `last_words`."""
        (self.folder / "count").write_text("0\n")
        wrapper = self.folder / "strobe"
        wrapper.write_text(f'#!/bin/sh\ncd "{self.folder}"\nn=$(($(cat count) + 1))\necho $n > count\n'
                           f'[ $n -le {good} ] || {last_words}\nexec "{PROGRAM}" "$@"\n')
        wrapper.chmod(0o755)
        return environment(STROBE_PROGRAM=wrapper)

    def files(self):
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))

    def assert_one_sentence(self, stderr, *phrases):
        self.assertRegex(stderr, r"\Astrobe: [^\n]+\n\Z", "one line that begins with the program's name")
        for trace in TRACES:
            self.assertNotIn(trace, stderr)
        for phrase in phrases:
            self.assertIn(phrase.lower(), stderr.lower())

    def refused(self, code, arguments, *phrases, record="left.json", **more):
        """A run that must fail with `code` and one sentence that contains `phrases`, and leave no file behind."""
        arguments = ["run", *arguments] + (["--json", record] if record else [])
        return self.complains(code, arguments, *phrases, **more)

    def complains(self, code, arguments, *phrases, **more):
        before = self.files()
        result = self.strobe(*arguments, **more)
        shown = f"{' '.join(map(str, arguments))}\nstdout: {result.stdout}\nstderr: {result.stderr}"
        self.assertEqual(result.returncode, code, shown)
        self.assertFalse(result.stdout, shown)
        self.assert_one_sentence(result.stderr, *phrases)
        self.assertEqual(self.files(), before, "a file was left behind")
        return result.stderr


def median(record, metric="latency"):
    m = record["metrics"][metric]
    return m.get("median", m)["value"]   # a rate and a gauge are one value


def finding_ids(record):
    return [finding["id"] for finding in record["findings"]]


def option_to_paste(stderr):
    """What follows 'for example:' in a complaint, as a shell would split it."""
    return shlex.split(re.search(r"(--shape .*)\n", stderr).group(1))
