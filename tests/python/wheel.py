# SPDX-License-Identifier: Apache-2.0
"""What was installed from the wheel: its program, its plugin, its files. Skipped where the module comes from a build folder."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import strobe

WHEEL = os.environ.get("STROBE_TEST_WHEEL")
ZOO = os.environ.get("STROBE_TEST_ZOO")
BIN = Path(sys.executable).parent


def program(*arguments, **environment):
    """The command as a user types it: no variable of Strobe's."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("STROBE_", "LD_", "PYTHON"))}
    return subprocess.run([BIN / "strobe", *arguments], env={**clean, **environment}, capture_output=True, text=True,
                          timeout=300, check=False)


@unittest.skipUnless(WHEEL, "no wheel is installed here (make test-python)")
class Wheel(unittest.TestCase):
    def test_it_says_which_systems_it_is_for(self):
        self.assertRegex(Path(WHEEL).name, r"^strobe_bench-[\d.]+-cp3\d+-(cp3\d+|abi3)-manylinux_2_\d+_x86_64\.whl$")
        if sys.version_info >= (3, 12):
            self.assertIn("-abi3-", Path(WHEEL).name)

    def test_everything_is_in_it_once(self):
        names = zipfile.ZipFile(WHEEL).namelist()
        for pattern in (r"strobe/_strobe\..*so", r"strobe/lib/libstrobe\.so\.\d+\.\d+", r"strobe/bin/strobe",
                        r"strobe/lib/strobe/strobe_onnxruntime\.so", r"strobe/py\.typed", r"strobe/_strobe\.pyi",
                        r"strobe/share/strobe/python/zoo/models\.json"):
            self.assertEqual(len([n for n in names if re.fullmatch(pattern, n)]), 1, pattern)
        self.assertEqual([n for n in names if "libonnxruntime" in n or "_test.py" in n or "include/" in n], [])
        self.assertEqual({n.split("/")[0] for n in names if ".dist-info" not in n}, {"strobe"})

    def test_it_was_imported_from_the_environment(self):
        self.assertTrue(Path(strobe.__file__).is_relative_to(sys.prefix))


@unittest.skipUnless(WHEEL, "no wheel is installed here (make test-python)")
class Program(unittest.TestCase):
    def test_it_is_of_the_same_version(self):
        self.assertIn(strobe.__version__, program("--version").stdout)

    def test_it_measures_and_its_exit_code_is_its_own(self):
        done = program("run", "sim:tiny", "--requests", "30", "--launches", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("latency", done.stdout)
        self.assertEqual(program("run", "--no-such-option").returncode, 2)

    def test_a_model_runs_on_the_environments_own_runtime(self):
        model = Path(ZOO or "", "mobilenet_v3_small.onnx")
        if not model.exists():
            self.skipTest("the zoo has no mobilenet_v3_small.onnx")
        done = program("run", str(model), "--device", "cpu", "--effort", "glance")
        self.assertEqual(done.returncode, 0, done.stderr)
        import onnxruntime
        self.assertIn(f"onnxruntime {onnxruntime.__version__}", done.stdout)
        # In this process, which has imported the package itself.
        r = strobe.run(model, device="cpu", requests=20, warmup=0, launches=1, progress=False)
        self.assertEqual(r.to_dict()["model"]["runtime_version"], onnxruntime.__version__)
        self.assertEqual(len(strobe.run(model, device="cpu", requests=20, warmup=0, launches=2, progress=False).launches), 2)

    def test_a_missing_runtime_says_how_to_get_it(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder, "a.onnx")
            model.write_bytes(b"x")
            done = program("run", str(model), STROBE_ONNXRUNTIME="/nowhere/libonnxruntime.so.1")
        self.assertEqual(done.returncode, 3)
        self.assertIn("pip install onnxruntime", done.stderr)


if __name__ == "__main__":
    unittest.main()
