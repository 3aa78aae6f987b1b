# SPDX-License-Identifier: Apache-2.0
"""Text that must not change unnoticed: STROBE_REWRITE_GOLDEN=1 writes the files anew; look at the difference."""

import os
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def comparable(text):
    """Without the one finding that depends on how the program was built."""
    def without_debug_build(line):
        if not re.match(r"notes? .*\bdebug-build\b", line):
            return line
        ids = [i for i in re.findall(r"[a-z-]+(?=,| \(--verbose\))", line) if i != "debug-build"]
        label = {0: "", 1: "note"}.get(len(ids), "notes")
        return f"{label:13}{', '.join(ids)} (--verbose)\n" if ids else ""

    lines = (without_debug_build(line) for line in text.splitlines(keepends=True))
    return "".join(line for line in lines if not line.startswith("note         debug-build:"))


def check(test, name, text):
    file = FOLDER / f"{name}.txt"
    text = comparable(text)
    # What differs from day to day, from version to version or from machine to machine belongs in the record.
    test.assertNotRegex(text, r"20\d\d-\d\d|\d\d:\d\d|\bv?\d+\.\d+\.\d+\b")
    test.assertNotRegex(text, re.compile(r"[ \t]+$", re.MULTILINE), "blanks at the end of a line")
    if os.environ.get("STROBE_REWRITE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    test.assertTrue(file.is_file(), f"{file} is missing; write it with STROBE_REWRITE_GOLDEN=1")
    test.maxDiff = None
    test.assertEqual(text, file.read_text(encoding="utf-8"))
