# SPDX-License-Identifier: Apache-2.0
"""The package under the type checker, as its users' code is: with what is installed, strictly."""
import importlib.util
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

USE = '''
    import strobe
    r = strobe.measure(sorted, [1], effort="quick", max_time="1s")
    latency: float | None = r.metrics["latency"].value
    strobe.throughput(lambda batch: batch, abs, batches=[1])

    @strobe.launched(launches=2)
    def make(width: int) -> list[int]:
        return [width]

    made: list[int] = make(3)
'''
MISUSE = {'strobe.measure(sorted, [1], effort="fast")': "effort",
          'strobe.run("a.onnx", bath=8)': "bath",
          'strobe.throughput("a.onnx", abs)': "No overload variant",
          'x: str = strobe.measure(sorted, []).verdict.value': "value"}


@unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
class Types(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def mypy(self, *what):
        command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", f"--cache-dir={self.folder}", *what]
        env = {**os.environ, "MYPYPATH": os.environ.get("PYTHONPATH", "")}  # where the package is in a build folder
        done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, timeout=300, check=False)
        return done.stdout + done.stderr

    def test_the_package_is_strictly_typed_and_so_is_its_use(self):
        # In the wheel the zoo lies within the package; it is a program.
        self.assertEqual(self.mypy("-p", "strobe", "--exclude=/share/"), "")
        (self.folder / "use.py").write_text(textwrap.dedent(USE))
        self.assertEqual(self.mypy("use.py"), "")
        wrong = self.folder / "misuse.py"
        wrong.write_text("import strobe\n" + "\n".join(MISUSE))
        said = self.mypy("misuse.py").splitlines()
        for line, words in enumerate(MISUSE.values(), start=2):
            self.assertTrue(any(f"misuse.py:{line}: error" in s and words in s for s in said), (words, said))


if __name__ == "__main__":
    unittest.main()
