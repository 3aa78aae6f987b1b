# SPDX-License-Identifier: Apache-2.0
"""Plugins and runtimes that are missing, broken, of another build or of another age."""

import unittest

from .program import CANNOT, ProgramTest, environment
from .zoo_verb import installation

try:
    from . import models
    MISSING = None
except ModuleNotFoundError as error:
    MISSING = f"the Python package {error.name} is not installed"

OTHER_BUILD = """
struct Plugin { const char* build_id; void* make; };
static const struct Plugin plugin = {"another-build", 0};
const struct Plugin* strobe_plugin(void) { return &plugin; }
"""
OLD_RUNTIME = """
#include <stdint.h>
struct Base { const void* (*api)(uint32_t); const char* (*version)(void); };
static const void* api(uint32_t version) { (void)version; return 0; }
static const char* version(void) { return "1.2.0"; }
static const struct Base base = {api, version};
const struct Base* OrtGetApiBase(void) { return &base; }
"""


@unittest.skipIf(MISSING, MISSING)
class Libraries(ProgramTest):
    def setUp(self):
        super().setUp()
        models.relu(self.folder / "m.onnx")

    def without_plugins(self, plugin_path, *phrases):
        program = installation(self.folder / "bare", plugins=False)
        env = environment(STROBE_PLUGIN_PATH=plugin_path)
        self.refused(CANNOT, ["m.onnx"], "onnxruntime", *phrases, program=program, env=env)

    def test_the_runtime_is_missing(self):
        env = environment(STROBE_ONNXRUNTIME="/nonexistent.so")
        self.refused(CANNOT, ["m.onnx"], "/nonexistent.so", "STROBE_ONNXRUNTIME", env=env)

    def test_the_runtime_is_another_library(self):
        env = environment(STROBE_ONNXRUNTIME="libm.so.6")
        self.refused(CANNOT, ["m.onnx"], "libm.so.6", "not ONNX Runtime", env=env)

    def test_the_runtime_is_no_library(self):
        (self.folder / "text.so").write_text("not a library")
        self.refused(CANNOT, ["m.onnx"], "text.so", env=environment(STROBE_ONNXRUNTIME=self.folder / "text.so"))

    def test_the_runtime_is_too_old(self):
        library = self.compile(OLD_RUNTIME, "old/libonnxruntime.so.1")
        self.refused(CANNOT, ["m.onnx"], "version 1.2.0", "or newer", env=environment(STROBE_ONNXRUNTIME=library))

    def test_there_is_no_plugin(self):
        self.without_plugins(None, "strobe_onnxruntime.so")

    def test_the_plugin_is_no_library(self):
        (self.folder / "p").mkdir()
        (self.folder / "p/strobe_onnxruntime.so").write_text("not a library")
        self.without_plugins(self.folder / "p", "p/strobe_onnxruntime.so")

    def test_the_plugin_is_another_library(self):
        self.compile("int nothing;", "p/strobe_onnxruntime.so")
        self.without_plugins(self.folder / "p", "not a plugin of strobe")

    def test_the_plugin_is_of_another_build(self):
        self.compile(OTHER_BUILD, "p/strobe_onnxruntime.so")
        self.without_plugins(self.folder / "p", "another build", "another-build")

    def test_a_simulated_device_needs_no_plugin(self):
        program = installation(self.folder / "bare", plugins=False)
        self.assertIn("verdict", self.text("run", "sim:tiny", "--requests", "50", program=program))

    def test_the_program_runs_from_any_folder(self):
        program = installation(self.folder / "moved")
        text = self.text("run", "m.onnx", "--requests", "20", "--warmup", "1", program=program)
        self.assertIn("onnxruntime", text)
