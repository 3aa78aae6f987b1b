# SPDX-License-Identifier: Apache-2.0
"""Files that are read: no result is written over them, and they stay what they are while something is measured."""

import hashlib
import json
import os
import shutil
import threading
import unittest

from .program import CANNOT, PROGRAM, USAGE, ProgramTest, environment

try:
    import numpy as np

    from . import models
    MISSING = None
except ModuleNotFoundError as error:
    MISSING = f"the Python package {error.name} is not installed"

SHORT = ("--requests", "20")


@unittest.skipIf(MISSING, MISSING)
class InputsSurvive(ProgramTest):
    def spared(self, file, *arguments, **more):
        """A command that is refused before it measures, and leaves `file` as it was."""
        before = (self.folder / file).read_bytes()
        self.complains(USAGE, arguments, "read", "another name", **more)
        self.assertEqual((self.folder / file).read_bytes(), before)

    def test_a_model_however_it_is_spelled(self):
        models.relu(self.folder / "a.onnx", shape=(1, 3, 8))
        (self.folder / "d").mkdir()
        (self.folder / "link").symlink_to("a.onnx")
        (self.folder / "d/loop").symlink_to("../link")
        os.link(self.folder / "a.onnx", self.folder / "hard")
        for name in ("a.onnx", "./a.onnx", "d/../a.onnx", self.folder / "a.onnx", "link", "d/loop", "hard"):
            for option in ("--json", "--samples"):
                with self.subTest(name=name, option=option):
                    self.spared("a.onnx", "run", "a.onnx", *SHORT, option, name)
        self.spared("a.onnx", "run", "link", *SHORT, "--json", "a.onnx")
        self.spared("a.onnx", "run", "a.onnx", *SHORT, "--launches", "2", "--json", "a.onnx")
        self.spared("a.onnx", "run", "a.onnx", *SHORT, "--sweep", "seed=1,2", "--json", "a.onnx")
        self.spared("a.onnx", "methods", "a.onnx", "--json", "a.onnx")
        self.spared("a.onnx", "throughput", "a.onnx", "--json", "a.onnx")
        self.spared("a.onnx", "compare", "a.onnx", "link", "--json", "hard")
        self.spared("a.onnx", "compare", "link --threads 1", "--noise-floor", "--json", "a.onnx")

    def test_a_model_that_an_export_may_be_called(self):
        models.relu(self.folder / "a.csv", shape=(1, 3, 8))
        self.spared("a.csv", "run", "a.csv", "--runtime", "onnxruntime", *SHORT, "--export", "a.csv")

    def test_weights_in_a_file_of_their_own(self):
        models.external(self.folder / "m.onnx", "weights.csv")
        for option in ("--samples", "--export"):
            with self.subTest(option):
                self.spared("weights.csv", "run", "m.onnx", *SHORT, option, "weights.csv")

    def test_a_model_of_the_zoo(self):
        self.needs_zoo("mobilenet_v3_small")
        path = self.text("zoo", "path", "mobilenet_v3_small").strip()
        (self.folder / "link").symlink_to(path)
        self.spared("link", "run", "zoo:mobilenet_v3_small", *SHORT, "--json", "link")

    def test_values_of_an_input(self):
        models.relu(self.folder / "a.onnx", shape=(1, 3, 8))
        np.save(self.folder / "x.npy", np.zeros((1, 3, 8), np.float32))
        self.spared("x.npy", "run", "a.onnx", *SHORT, "--input", "x=x.npy", "--json", "x.npy")

    def test_stored_records_and_times(self):
        for name in ("r.json", "s.json"):
            self.text("run", "sim:tiny", *SHORT, "--json", name)
        (self.folder / "t.csv").write_text("1\n" * 30)
        (self.folder / "link.json").symlink_to("r.json")
        self.spared("r.json", "compare", "r.json", "s.json", "--json", "link.json")
        self.spared("r.json", "audit", "r.json", "--export", "r.json")
        self.spared("r.json", "report", "r.json", "--export", "link.json")
        self.spared("t.csv", "audit", "--times", "t.csv", "--export", "t.csv")

    def test_a_pipeline_and_what_it_names(self):
        models.external(self.folder / "m.onnx", "w.bin")
        np.save(self.folder / "x.npy", np.zeros((1, 64), np.float32))
        stages = [{"name": "m", "model": "m.onnx", "input": {"x": "x.npy"}}]
        (self.folder / "p.yaml").write_text(json.dumps({"device": "cpu", "stages": stages}))
        for name in ("p.yaml", "m.onnx", "w.bin", "x.npy"):
            with self.subTest(name):
                self.spared(name, "pipeline", "p.yaml", "--rounds", "1", "--json", name)

    def test_another_output(self):
        (self.folder / "old.json").write_text("old")
        (self.folder / "link.json").symlink_to("old.json")
        for first, second in (("r.json", "r.json"), ("r.json", "./r.json"), ("link.json", "old.json")):
            with self.subTest(first=first, second=second):
                self.complains(USAGE, ["run", "sim:tiny", *SHORT, "--json", first, "--export", second], "--export")
        self.text("run", "sim:tiny", *SHORT, "--json", "/dev/null", "--export", "r.txt", "--samples", "/dev/null")


@unittest.skipIf(MISSING, MISSING)
class ChangingModel(ProgramTest):
    """A model that is another one the next time it is loaded."""

    def setUp(self):
        super().setUp()
        models.external(self.folder / "a.onnx", "weights.bin")
        shutil.copy(self.folder / "weights.bin", self.folder / "before.bin")
        (self.folder / "after.bin").write_bytes(bytes(len((self.folder / "before.bin").read_bytes())))

    def replaced_before_process(self, number):
        """An environment in which the weights are others from the worker process of this number on."""
        (self.folder / "count").write_text("0")
        wrapper = self.folder / "strobe"
        wrapper.write_text(f'#!/bin/sh\ncd "{self.folder}"\nn=$(($(cat count) + 1))\necho $n > count\n'
                           f'[ $n -lt {number} ] || cp after.bin weights.bin\nexec "{PROGRAM}" "$@"\n')
        wrapper.chmod(0o755)
        return environment(STROBE_PROGRAM=wrapper)

    def refused_as_changed(self, *arguments, **more):
        result = self.strobe(*arguments, **more)
        self.assertEqual(result.returncode, CANNOT, result.stdout + result.stderr)
        self.assert_one_sentence(result.stderr, "a.onnx", "the model changed while it was measured")
        self.assertEqual(result.stdout, "")

    def test_is_refused_by_launches(self):
        self.refused_as_changed("run", "a.onnx", *SHORT, "--launches", "4", env=self.replaced_before_process(3))

    def test_is_refused_by_a_search(self):
        options = ("--batches", "1", "--streams", "1,2", "--effort", "quick", "--no-largest")
        self.refused_as_changed("throughput", "a.onnx", *options, env=self.replaced_before_process(2))

    def exchanged_all_the_time(self):
        """Until the test ends."""
        done = threading.Event()

        def exchange():
            while True:
                for name in ("after.bin", "before.bin"):
                    shutil.copy(self.folder / name, self.folder / "next.bin")
                    os.replace(self.folder / "next.bin", self.folder / "weights.bin")
                    if done.wait(0.02):
                        return

        thread = threading.Thread(target=exchange)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(done.set)

    def test_is_refused_when_it_is_loaded_anew(self):
        self.exchanged_all_the_time()
        self.refused_as_changed("compare", "a.onnx", "a.onnx --threads 1", "--pairs", "20")

    def test_is_refused_by_a_later_pair(self):
        env = self.replaced_before_process(3)
        self.refused_as_changed("compare", "a.onnx", "a.onnx --threads 1", "--pairs", "4", env=env)

    def test_is_known_by_all_its_files(self):
        def sha256(name):
            return hashlib.sha256((self.folder / name).read_bytes()).hexdigest()

        model = self.record("a.onnx", *SHORT)["model"]
        self.assertEqual(model["sha256"], sha256("a.onnx"))
        self.assertEqual(model["files"], [{"name": "weights.bin", "sha256": sha256("weights.bin")}])
