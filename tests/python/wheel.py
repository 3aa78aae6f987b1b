# SPDX-License-Identifier: Apache-2.0
"""What was installed from the wheel: its program, its plugin, its files. Skipped where the module comes from a build folder."""
import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import strobe
from strobe import _environment

WHEEL = os.environ.get("STROBE_TEST_WHEEL")
ZOO = os.environ.get("STROBE_TEST_ZOO")
BIN = Path(sys.executable).parent
TORCH_PLUGIN = {f"strobe_torch{part}.so" for part in ("", "_sessions", "_cuda", "_umbrella")}


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
        foreign = re.compile(r"libonnxruntime|libtorch|libc10|libopenvino|libcud|_test\.py|include/")
        self.assertEqual([n for n in names if foreign.search(n)], [])
        plugins = {n.rpartition("/")[2] for n in names if re.match(r"strobe/lib/strobe/.", n)}
        self.assertLessEqual(plugins, {"strobe_onnxruntime.so", "strobe_openvino.so", *TORCH_PLUGIN})
        self.assertIn(plugins & TORCH_PLUGIN, (set(), TORCH_PLUGIN, TORCH_PLUGIN - {"strobe_torch_cuda.so"}))
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


# A library that is asked for its version: whether it fits is not what these tests are about.
OLD_ONNXRUNTIME = """
#include <stdint.h>
struct Base { const void* (*api)(uint32_t); const char* (*version)(void); };
static const void* api(uint32_t version) { (void)version; return 0; }
static const char* version(void) { return "1.2.0"; }
static const struct Base base = {api, version};
const struct Base* OrtGetApiBase(void) { return &base; }
"""
OLD_TORCH = "unsigned long long aoti_torch_abi_version(void) { return 0x0107000000000000ull; }"


@unittest.skipUnless(WHEEL, "no wheel is installed here (make test-python)")
@unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
class OtherEnvironment(unittest.TestCase):
    """The package in a folder of packages that has other runtimes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site = Path(folder.name, "site-packages")
        shutil.copytree(Path(strobe.__file__).parent, self.site / "strobe")

    def compile(self, source, site, file):
        file = site / file
        file.parent.mkdir(parents=True)
        (file.parents[1] / "__init__.py").touch()
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", file], input=source, text=True, check=True)
        return file

    def doctor(self, name, *paths):
        command = "import sys; from strobe._program import main; sys.argv[1:] = ['doctor']; main()"
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("STROBE_", "LD_"))}
        path = os.pathsep.join(map(str, paths))
        said = subprocess.run([sys.executable, "-S", "-c", command], env={**clean, "PYTHONPATH": path}, capture_output=True,
                              text=True, timeout=120, check=False).stdout
        return next(line for line in said.splitlines() if line.split()[:1] == [name])

    def test_packages_beside_ours_are_found(self):
        library = self.compile(OLD_ONNXRUNTIME, self.site, "onnxruntime/capi/libonnxruntime.so.1.2.0")
        self.assertIn(f"{library} is version 1.2.0", self.doctor("onnxruntime", self.site))

    def test_packages_elsewhere_are_named(self):
        other = self.site.parent / "other"
        library = self.compile(OLD_ONNXRUNTIME, other, "onnxruntime/capi/libonnxruntime.so.1.2.0")
        self.assertIn(f"{library} is version 1.2.0", self.doctor("onnxruntime", self.site, other))

    def test_so_is_a_torch(self):
        if not (self.site / "strobe/lib/strobe/strobe_torch.so").exists():
            self.skipTest("the wheel was built without the plugin for torch")
        library = self.compile(OLD_TORCH, self.site, "torch/lib/libtorch_cpu.so")
        self.assertIn(f"{library} is version 1.7.0", self.doctor("torch", self.site))


class Named(unittest.TestCase):
    def test_only_packages_elsewhere_are_named(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(sys, "path", [folder]):
            for file in ("torch/lib/libtorch_cpu.so", "openvino/libs/libopenvino_c.so.2641"):
                Path(folder, file).parent.mkdir(parents=True)
                Path(folder, file).touch()
                Path(folder, file).parents[1].joinpath("__init__.py").touch()
            importlib.invalidate_caches()
            with mock.patch.dict(sys.modules):
                for name in ("torch", "openvino", "onnxruntime"):
                    sys.modules.pop(name, None)
                named, beside = _environment.variables(), _environment.variables(Path(folder))
        self.assertEqual(named["STROBE_TORCH"], str(Path(folder, "torch/lib")))
        self.assertEqual(named["STROBE_OPENVINO"], str(Path(folder, "openvino/libs")))
        self.assertEqual(set(beside), {"STROBE_PYTHON"})


if __name__ == "__main__":
    unittest.main()
