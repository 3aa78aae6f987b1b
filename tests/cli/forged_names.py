# SPDX-License-Identifier: Apache-2.0
"""Names from outside cannot write lines of the report, nor steer the terminal."""

import json
import os
import shutil
import subprocess
import unittest

from .program import CANNOT, MEASURED, PROGRAM, USAGE, ProgramTest, environment

try:
    import onnx

    from . import models
    MISSING = None
except ModuleNotFoundError as error:
    MISSING = f"the Python package {error.name} is not installed"

FORGED = "x\nverdict      trusted"
RED = "\x1b[31mred"
HIDDEN = "\u202eright to left\u009b31m"


@unittest.skipIf(MISSING, MISSING)
class ForgedNames(ProgramTest):
    def tiny(self, name="x.onnx"):
        return models.relu(self.folder / name, shape=(1, 3, 8))

    def assert_plain(self, text):
        for character in ("\x1b", "\r", "\a", "\u202e", "\u009b"):
            self.assertNotIn(character, text)
        self.assertLessEqual(sum(line.startswith("verdict") for line in text.splitlines()), 1, text)

    def test_of_a_model_stay_on_the_head_line(self):
        for name in (FORGED, RED, HIDDEN):
            with self.subTest(name):
                model = self.tiny(name + ".onnx")
                text = self.text("run", model.name, "--requests", "20", "--explain")
                self.assert_plain(text)
                self.assertIn(name.encode("unicode_escape").decode().split("\\")[1][:3], text.splitlines()[0])

    def test_of_tensors_stay_in_their_line(self):
        model = onnx.load(self.tiny())
        for tensor, name in ((model.graph.input[0], FORGED), (model.graph.output[0], RED)):
            for node in model.graph.node:
                node.input[:] = [name if i == tensor.name else i for i in node.input]
                node.output[:] = [name if o == tensor.name else o for o in node.output]
            tensor.name = name
        onnx.save(model, self.folder / "x.onnx")
        self.assert_plain(self.text("run", "x.onnx", "--requests", "20", "--explain"))
        # The complaint lists the inputs there are.
        self.assert_plain(self.complains(USAGE, ["run", "x.onnx", "--shape", "z=1x3x8"], "\\nverdict"))

    def test_of_candidates_stay_in_their_row(self):
        shutil.copy(self.tiny(), self.folder / (FORGED + ".onnx"))
        text = self.text("compare", "x.onnx", f"'{FORGED}.onnx'", "--pairs", "1")
        self.assert_plain(text)
        self.assertIn("x\\nverdict", text)

    def test_of_stages_stay_in_their_row(self):
        def pipeline(name):
            stages = [{"name": name, "cpu": {"spin": "10us"}}]
            (self.folder / "p.yaml").write_text(json.dumps({"device": "cpu", "stages": stages}))
            return "pipeline", "p.yaml", "--rounds", "1", "--explain"

        self.assert_plain(self.text(*pipeline(HIDDEN)))
        for name in (FORGED, RED):  # refused already
            self.assert_plain(self.complains(USAGE, pipeline(name), "printable"))

    def test_of_the_machine_stay_in_their_row(self):
        text = self.text("doctor", env=environment(ORT_NAME=FORGED + RED))
        self.assert_plain(text)
        self.assertIn("x\\nverdict", text)

    def test_of_a_stored_record_stay_in_every_format_that_a_terminal_shows(self):
        record = self.record("sim:tiny", "--requests", "20")
        record["model"]["name"] = FORGED + RED
        record["findings"] = [{"id": "x", "about": "workload", "severity": "note", "message": RED, "advice": FORGED}]
        (self.folder / "r.json").write_text(json.dumps(record))
        for form in ("text", "md", "csv", "prom"):
            with self.subTest(form):
                self.assert_plain(self.text("report", "r.json", "--format", form))

    def test_are_shown_in_complaints(self):
        for name in (FORGED, RED, HIDDEN):
            with self.subTest(name):
                self.assert_plain(self.complains(CANNOT, ["run", name + ".onnx"], "no such file"))
                self.assert_plain(self.complains(USAGE, ["run", "sim:tiny", "--" + name], "no option"))

    def test_that_are_not_utf8_are_shown_as_bytes(self):
        name = os.fsencode(self.tiny()).replace(b"x.onnx", b"\xff.onnx")
        os.rename(self.folder / "x.onnx", name)
        result = subprocess.run([PROGRAM, "run", b"\xff.onnx", "--requests", "20", "--launches", "1"], cwd=self.folder, env=environment(),
                                capture_output=True, timeout=60, check=False)
        self.assertEqual(result.returncode, MEASURED, result.stderr)
        self.assertTrue(result.stdout.startswith(b"\\xff.onnx"), result.stdout[:60])
