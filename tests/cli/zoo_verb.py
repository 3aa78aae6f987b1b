# SPDX-License-Identifier: Apache-2.0
"""The models that come along: listed, found, built on demand."""

import shutil
import sys
import unittest
import subprocess
from pathlib import Path

from .program import CANNOT, PROGRAM, USAGE, ProgramTest, environment

try:
    import onnx  # noqa: F401
    HAS_ONNX = True
except ModuleNotFoundError:
    HAS_ONNX = False


def installation(folder, plugins=True):
    """The program as if installed in `folder`, without any model; files are linked, the library's own is copied."""
    source = PROGRAM.parent.parent
    (folder / "bin").mkdir(parents=True)
    shutil.copy2(PROGRAM, folder / "bin/strobe")
    (folder / "lib/strobe").mkdir(parents=True)
    for library in (source / "lib").glob("libstrobe.so*"):
        shutil.copy2(library, folder / "lib", follow_symlinks=False)
    if plugins:
        for plugin in (source / "lib/strobe").iterdir():
            (folder / "lib/strobe" / plugin.name).symlink_to(plugin)
    shutil.copytree(source / "share/strobe/python", folder / "share/strobe/python")
    return folder / "bin/strobe"


class Zoo(ProgramTest):
    def test_lists_its_models_with_their_parameters(self):
        text = self.text("zoo")
        rows = {line.split()[0]: line.split() for line in text.splitlines()}
        self.assertEqual(rows["zoo:resnet18"][1:3], ["11,689,512", "1x3x224x224"])
        self.assertEqual(rows["zoo:vit_b_16"][1], "86,567,656")
        for line in text.splitlines():
            self.assertEqual(line, line.rstrip(), "blanks at the end of a line")

    def test_the_shell_completes_all_its_models_and_every_verb_for_people(self):
        script = self.text("completion", "bash")
        for line in self.text("zoo").splitlines()[1:]:
            self.assertIn(f" {line.split()[0]} ", script)
        verbs = script.split('compgen -W "')[1].split('"')[0].split()
        self.assertIn("compare", verbs)
        self.assertNotIn("worker", verbs)
        self.assertNotIn("worker)", script)
        throughput = script.split("    throughput) ")[1].splitlines()[0]
        self.assertIn(" --batches ", throughput)
        self.assertNotIn(" --batch ", throughput)   # refused, and so not offered

    def completed(self, *words):
        """What bash offers for the last of these words."""
        quoted = " ".join(f"'{word}'" for word in words)
        commands = f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _strobe; echo ${{COMPREPLY[@]}}"
        script = self.text("completion", "bash")
        return subprocess.run(["bash", "-c", f"{script}\n{commands}"], text=True, capture_output=True, check=True,
                              cwd=self.folder).stdout.split()

    def test_the_shell_completes_values(self):
        self.assertEqual(self.completed("strobe", "run", "--effort", ""), ["glance", "quick", "standard", "sustained"])
        self.assertEqual(self.completed("strobe", "run", "--effort", "=", "s"), ["standard", "sustained"])
        self.assertEqual(self.completed("strobe", "throughput", "--copies", "o"), ["overlapped"])
        self.assertIn("html", self.completed("strobe", "report", "--format", ""))
        self.assertIn("onnxruntime", self.completed("strobe", "run", "--runtime", ""))
        self.assertEqual(self.completed("strobe", "completion", ""), ["bash", "zsh"])
        self.assertIn("compare", self.completed("strobe", "help", ""))

    def test_says_where_a_model_is(self):
        self.needs_zoo("resnet18")
        path = Path(self.text("zoo", "path", "resnet18").rstrip("\n"))
        self.assertTrue(path.is_absolute())
        self.assertTrue(path.is_file())
        self.assertEqual(path.name, "resnet18.onnx")
        self.assertEqual(self.text("zoo", "path", "zoo:resnet18"), f"{path}\n")

    def test_refuses_a_name_it_does_not_have_and_suggests_the_nearest(self):
        self.complains(USAGE, ["zoo", "path", "resnet81"], "resnet81", "did you mean 'resnet18'?")
        self.refused(USAGE, ["zoo:resnet81"], "resnet81", "did you mean 'resnet18'?")
        self.refused(USAGE, ["zoo:"], "resnet18")
        self.refused(USAGE, ["zoo:../../etc/passwd"], "there is no model")

    def test_says_what_to_type_when_a_model_is_not_built(self):
        program = installation(self.folder / "installed")
        self.complains(CANNOT, ["run", "zoo:mobilenet_v3_small"], "mobilenet_v3_small", "make zoo", "STROBE_PYTHON",
                       program=program, env=environment(STROBE_ZOO=self.folder))

    @unittest.skipUnless(HAS_ONNX, "the Python package onnx is not installed")
    def test_builds_a_model_on_demand(self):
        program = installation(self.folder / "installed")
        models = self.folder / "models"
        models.mkdir()
        env = environment(STROBE_ZOO=models, STROBE_PYTHON=sys.executable)
        record = self.record("zoo:mobilenet_v3_small", "--requests", "2", "--warmup", "1", program=program, env=env)
        self.assertEqual(record["model"]["parameters"], 2_542_856)
        self.assertEqual(record["model"]["inputs"][0]["shape"], [1, 3, 224, 224])
        self.assertEqual([p.name for p in models.iterdir()], ["mobilenet_v3_small.onnx"])
        path = self.text("zoo", "path", "mobilenet_v3_small", program=program, env=env)
        self.assertEqual(path, f"{models}/mobilenet_v3_small.onnx\n")

    @unittest.skipUnless(HAS_ONNX, "the Python package onnx is not installed")
    def test_builds_a_model_of_other_classes_on_demand(self):
        program = installation(self.folder / "installed")
        models = self.folder / "models"
        models.mkdir()
        env = environment(STROBE_ZOO=models, STROBE_PYTHON=sys.executable)
        path = self.text("zoo", "path", "mobilenet_v3_small", "--classes", "10", program=program, env=env).strip()
        self.assertEqual(path, f"{models}/mobilenet_v3_small_c10.onnx")
        record = self.record(path, "--requests", "2", "--warmup", "1", program=program, env=env)
        self.assertEqual((record["model"]["parameters"], record["model"]["outputs"][0]["shape"]), (1_528_106, [1, 10]))
        self.complains(CANNOT, ["zoo", "path", "resnet18", "--classes", "10"], "with 10 classes",
                       "zoo build resnet18 --classes 10", "STROBE_PYTHON", program=program,
                       env=environment(STROBE_ZOO=models))
        self.complains(USAGE, ["zoo", "path", "resnet18", "--classes", "ten"], "--classes 'ten'")

    def test_says_in_one_sentence_why_a_model_could_not_be_built(self):
        program = installation(self.folder / "installed")
        models = self.folder / "models"
        for python, phrase in (("/nonexistent/python", "/nonexistent/python"), ("/bin/false", "/bin/false")):
            with self.subTest(python):
                self.complains(CANNOT, ["run", "zoo:mobilenet_v3_small"], phrase, program=program,
                               env=environment(STROBE_ZOO=models, STROBE_PYTHON=python))
