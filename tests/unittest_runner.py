# SPDX-License-Identifier: Apache-2.0
"""Runs unittest cases and tells CTest when every one of them was skipped.

    python tests/unittest_runner.py MODULE | FILE.py

Exit: 0 passed, 1 failed, 77 all skipped (the reason is printed last).
"""
import sys
import unittest
from pathlib import Path

SKIPPED = 77


class Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        self.passed += 1
        super().addSuccess(test)


def load(name):
    sys.path.insert(0, str(Path.cwd()))
    if not name.endswith(".py"):
        return unittest.defaultTestLoader.loadTestsFromName(name)
    file = Path(name)
    return unittest.defaultTestLoader.discover(str(file.parent), pattern=file.name, top_level_dir=str(file.parent))


def main(name):
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=Result).run(load(name))
    if not result.wasSuccessful():
        return 1
    if result.passed:
        return 0
    if not result.skipped:
        print(f"{name}: no test was found")
        return 1
    print(f"{name}: Skipped\n{result.skipped[0][1]}")
    return SKIPPED


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
