# SPDX-License-Identifier: Apache-2.0
"""The openvino plugin from outside, on the CPU: a model of its own format, models of the zoo, and what it refuses.

STROBE_PROGRAM names the program.

    python tests/openvino_test.py [-v] [NAME]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cli.program import CANNOT, MEASURED, REPOSITORY, USAGE, ProgramTest, environment  # noqa: E402

COMPILER = shutil.which("cc")
SEARCH = ("--batches", "1", "--effort", "quick", "--no-largest")
QUICK = ("--requests", "5", "--warmup", "1", "--threads", "1")


def port(number, precision="FP32", name=""):
    names = f' names="{name}"' if name else ""
    return f'<port id="{number}" precision="{precision}"{names}><dim>-1</dim><dim>4</dim></port>'


# y = relu(x), with a batch that is open.
RELU = f"""<?xml version="1.0"?>
<net name="relu" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="?,4" element_type="f32"/><output>{port(0, name="x")}</output></layer>
<layer id="1" name="r" type="ReLU" version="opset1"><input>{port(0)}</input><output>{port(1, name="y")}</output></layer>
<layer id="2" name="y/sink" type="Result" version="opset1"><input>{port(0)}</input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
</edges></net>
"""


class OpenVino(ProgramTest):
    def fake(self, **changes):
        """With the library that the build makes of fake_openvino.cc."""
        library = os.environ.get("STROBE_TEST_OPENVINO")
        if not library:
            self.skipTest("STROBE_TEST_OPENVINO does not name the stand-in")
        return environment(STROBE_OPENVINO=library, **changes)

    def measure(self, model, *arguments, code=MEASURED, **more):
        return json.loads(self.text("run", model, *QUICK, *arguments, "--json", "-", code=code, **more))

    def relu(self, weights=b""):
        (self.folder / "relu.xml").write_text(RELU, encoding="utf-8")
        (self.folder / "relu.bin").write_bytes(weights)
        return "relu.xml"

    def test_runs_its_own_format_with_the_batch_that_is_asked_for(self):
        r = self.measure(self.relu(), "--batch", 3)
        self.assertEqual(r["model"]["runtime"], "openvino")
        self.assertEqual([(t["name"], t["type"], t["shape"]) for t in r["model"]["inputs"]], [("x", "f32", [3, 4])])
        self.assertEqual([(t["name"], t["type"], t["shape"]) for t in r["model"]["outputs"]], [("y", "f32", [3, 4])])
        self.assertTrue(r["observations"]["outputs"]["finite"])
        self.assertTrue(r["observations"]["outputs"]["distinct"])
        self.assertEqual(r["model"]["facts"]["threads"], 1)
        self.assertEqual(r["model"]["facts"]["execution_devices"], "CPU")

    def test_knows_both_files_of_a_model(self):
        one = self.measure(self.relu(b"a"))["model"]
        self.assertEqual([f["name"] for f in one["files"]], ["relu.bin"])
        other = self.measure(self.relu(b"b"))["model"]
        self.assertEqual(one["sha256"], other["sha256"])
        self.assertNotEqual(one["files"], other["files"])

    def test_values_and_ranges_of_inputs_arrive(self):
        self.complains(USAGE, ["run", self.relu(), *QUICK, "--shape", "z=1x4"], "'z'", "x")
        r = self.measure(self.relu(), "--input-range", "x=-2..-1")
        self.assertEqual(r["model"]["inputs"][0]["source"], "random [-2, -1)")

    def test_runs_a_model_of_the_zoo_with_its_default_shape(self):
        self.needs_zoo("mobilenet_v3_small")
        r = self.measure("zoo:mobilenet_v3_small", "--runtime", "openvino", "--batch", 2)
        self.assertEqual(r["model"]["inputs"][0]["shape"], [2, 3, 224, 224])
        self.assertEqual(r["model"]["parameters"], 2_542_856)
        self.assertIn(r["model"]["facts"]["math"], ("float", "bfloat16", "float16"))

    def test_the_precision_is_the_one_that_is_asked_for(self):
        self.needs_zoo("mobilenet_v3_small")
        r = self.measure("zoo:mobilenet_v3_small", "--runtime", "openvino", "--set", "INFERENCE_PRECISION_HINT=f32")
        self.assertEqual(r["model"]["facts"]["math"], "float")
        self.assertNotIn("computed in", self.text("run", "zoo:mobilenet_v3_small", *QUICK, "--runtime", "openvino",
                                                  "--set", "INFERENCE_PRECISION_HINT=f32").splitlines()[0])

    def test_compares_two_runtimes_on_one_model(self):
        self.needs_zoo("mobilenet_v3_small")
        r = json.loads(self.text("compare", "zoo:mobilenet_v3_small", "--vary", "runtime=onnxruntime,openvino", "--threads", 1,
                                 "--device", "cpu", "--pairs", 2, "--json", "-"))
        self.assertEqual([c["model"]["runtime"] for c in r["cases"]], ["onnxruntime", "openvino"])
        half = r["cases"][1]["model"]["facts"]["math"] != "float"
        self.assertEqual("precision-differs" in [f["id"] for f in r["findings"]], half)

    def searched(self, *arguments, code=MEASURED, **more):
        return json.loads(self.text("throughput", self.relu(), *SEARCH, *arguments, "--json", "-", code=code, timeout=170, **more))

    @staticmethod
    def points(record):
        return {(c["settings"]["streams"], c["settings"]["in_flight"]) for c in record["cases"]}

    def test_one_caller_waits_for_each_request(self):
        facts = self.measure(self.relu())["model"]["facts"]
        self.assertIs(facts["asynchronous"], False)
        self.assertEqual(facts["performance_hint"], "LATENCY")

    def test_throughput_has_requests_beside_each_other_on_streams_of_one_model(self):
        r = self.searched("--streams", "2", "--in-flight", "3", "--threads", "2")
        self.assertEqual(self.points(r), {(2, 3)})
        facts = r["model"]["facts"]
        self.assertIs(facts["asynchronous"], True)
        self.assertEqual((facts["streams"], facts["requests"], facts["threads"]), (2, 6, 2))
        self.assertEqual(facts["performance_hint"], "THROUGHPUT")
        self.assertEqual((r["answer"]["streams"], r["answer"]["in_flight"]), (2, 3))

    def test_several_loads_are_told_apart(self):
        r = self.searched("--streams", "1,2", "--in-flight", "1,2", "--threads", "2")
        self.assertEqual(self.points(r), {(1, 1), (1, 2), (2, 1), (2, 2)})
        self.assertEqual((r["model"]["facts"]["streams"], r["model"]["facts"]["requests"]),
                         (r["answer"]["streams"], r["answer"]["streams"] * r["answer"]["in_flight"]))

    def test_a_setting_that_the_streams_would_contradict_is_refused(self):
        self.complains(USAGE, ["throughput", self.relu(), *SEARCH, "--set", "NUM_STREAMS=2"], "--set NUM_STREAMS", "--streams")

    def test_the_next_request_begins_wherever_one_has_ended(self):
        """One place takes 20 ms and the other 4 ms. Rate times latency is how many are outstanding: 2 where both places are
        always taken, 1.2 where the quick one waits for the slow one; however long the machine makes a sleep."""
        r = self.searched("--streams", "1", "--in-flight", "2", env=self.fake())
        rate, latency = r["metrics"]["throughput"]["value"], r["metrics"]["latency_loaded"]
        self.assertGreater(rate * latency["mean"]["value"] * 1e-9, 1.6)
        self.assertLess(latency["median"]["value"], 16e6)  # most are of the quick place

    def test_streams_and_requests_are_found_around_what_the_library_thinks_best(self):
        r = self.searched("--streams", "auto", env=self.fake())  # two streams, four requests
        self.assertEqual(self.points(r), {(s, f) for s in (1, 2, 4) for f in (2, 4)})
        self.assertEqual((r["cases"][0]["settings"]["streams"], r["cases"][0]["settings"]["in_flight"]), (2, 2))
        self.assertEqual(r["settings"]["streams"], "auto")
        self.assertIn(f"{r['answer']['streams']} streams" if r["answer"]["streams"] > 1 else "in flight", r["answer"]["fastest"])

    def test_streams_are_not_found_where_each_is_a_session(self):
        (self.folder / "a.onnx").write_bytes(b"any")
        self.complains(USAGE, ["throughput", "a.onnx", "--streams", "auto"], "--streams auto with onnxruntime", "--streams 1,2,4")

    def test_says_what_a_request_beside_others_died_of(self):
        for fault, cause in (("start", "the fake starts nothing"), ("infer", "the fake fails")):
            with self.subTest(fault):
                self.complains(CANNOT, ["throughput", self.relu(), *SEARCH], "cannot run 'relu.xml'", cause,
                               env=self.fake(FAKE_OPENVINO_FAULT=fault))

    def test_runs_on_devices_that_only_the_library_knows(self):
        env = self.fake(FAKE_OPENVINO_DEVICES="CPU GPU.0 NPU")
        for name, theirs in (("gpu.0", "GPU.0"), ("NPU", "NPU")):
            with self.subTest(name):
                r = self.measure(self.relu(), "--device", name, env=env)
                self.assertEqual((r["device"]["kind"], r["device"]["name"]), ("openvino", theirs))
                self.assertEqual(r["model"]["facts"]["execution_devices"], theirs)
                self.assertEqual(r["model"]["facts"]["device_name"], f"Fake {theirs}")
        r = self.searched("--device", "gpu.0", env=env)
        self.assertEqual(r["model"]["facts"]["execution_devices"], "GPU.0")
        self.assertEqual(self.measure(self.relu(), "--device", "cpu", env=env)["device"]["kind"], "cpu")

    def test_lists_the_devices_where_one_is_not_there(self):
        model = self.relu()
        self.complains(CANNOT, ["run", model, *QUICK, "--device", "npu"], "cannot use the device 'npu'", "openvino finds cpu")
        self.complains(CANNOT, ["run", model, *QUICK, "--device", "gpu.1"], "'gpu.1'", "openvino finds cpu, gpu.0 here",
                       env=self.fake(FAKE_OPENVINO_DEVICES="CPU GPU.0"))
        self.complains(USAGE, ["run", model, *QUICK, "--device", "npu", "--runtime", "onnxruntime"], "unknown device 'npu'")

    def test_profiles_the_layers_of_the_compiled_model(self):
        self.needs_zoo("mobilenet_v3_small")
        r = json.loads(self.text("profile", "zoo:mobilenet_v3_small", "--runtime", "openvino", "--device", "cpu", "--threads", "1",
                                 "--launches", "2", "--requests", "30", "--json", "-"))
        self.assertIn("OpenVINO's profiler", r["profile"]["profiler"])
        types = {layer["type"] for layer in r["profile"]["layers"]}
        self.assertIn("Convolution", types)
        self.assertFalse(types & {"Parameter", "Result"})
        shares = sum(layer["share"] for layer in r["profile"]["layers"])
        self.assertAlmostEqual(shares + r["profile"]["outside"], 1, 9)
        self.assertGreater(shares, 0.5)

    def test_refuses_what_it_would_ignore(self):
        model = self.relu()
        for words, *said in ((["--set", "NOPE=1"], "unknown setting 'NOPE' for openvino", "INFERENCE_NUM_THREADS"),
                             (["--dtype", "fp16"], "cannot use --dtype with openvino", "INFERENCE_PRECISION_HINT"),
                             (["--layout", "channels_last"], "cannot use --layout with openvino"),
                             (["--no-optimize"], "cannot use --no-optimize with openvino")):
            with self.subTest(words):
                self.complains(USAGE, ["run", model, *QUICK, *words], *said)
        self.complains(CANNOT, ["run", model, *QUICK, "--set", "INFERENCE_PRECISION_HINT=f99"], "f99")

    def test_says_what_is_wrong_with_a_file(self):
        (self.folder / "text.xml").write_text("hello", encoding="utf-8")
        self.complains(CANNOT, ["run", "text.xml", *QUICK], "cannot load 'text.xml'", "it is no XML")
        (self.folder / "cut.xml").write_text(RELU[:300], encoding="utf-8")
        self.complains(CANNOT, ["run", "cut.xml", *QUICK], "cannot load 'cut.xml'")
        (self.folder / "cut.onnx").write_bytes(b"\x08\x07\x12\x04test" + b"\x3a\xff\xff\x03")
        self.complains(CANNOT, ["run", "cut.onnx", "--runtime", "openvino", *QUICK], "cannot load 'cut.onnx'", "parsed")

    def test_the_doctor_lists_it(self):
        (part,) = [c for c in json.loads(self.text("doctor", "--json", "-"))["cases"] if c["name"] == "openvino"]
        self.assertRegex(part["version"], r"^\d{4}\.\d+")

    def test_without_its_library_one_sentence_says_how_to_get_it(self):
        done = self.strobe("run", self.relu(), *QUICK, env=environment(STROBE_OPENVINO=self.folder / "none.so"))
        self.assertEqual(done.returncode, CANNOT)
        for phrase in ("cannot use OpenVINO", "none.so", "make openvino"):
            self.assertIn(phrase, done.stderr)

    @unittest.skipUnless(COMPILER, "there is no C compiler")
    def test_an_older_library_is_refused_with_both_versions(self):
        source = (REPOSITORY / "src/workload/runtime/openvino/api.cc").read_text(encoding="utf-8")
        names = set(re.findall(r'"(ov_\w+)"', source)) - {"ov_get_openvino_version"}
        self.assertGreater(len(names), 30)
        code = "".join(f"int {n}(void) {{ return 0; }}\n" for n in sorted(names))
        code += ('struct version { const char *build, *description; };\nint ov_get_openvino_version(struct version* v) '
                 '{ v->build = "2024.6.0-17404-4c0f47d2335"; v->description = ""; return 0; }\n')
        (self.folder / "old.c").write_text(code, encoding="utf-8")
        old = self.folder / "libopenvino_c.so.2460"
        subprocess.run([COMPILER, "-w", "-shared", "-fPIC", "-o", old, self.folder / "old.c"], check=True)
        done = self.strobe("run", self.relu(), *QUICK, env=environment(STROBE_OPENVINO=self.folder))
        self.assertEqual(done.returncode, CANNOT)
        for phrase in ("is version 2024.6.0, and 2025.4 or newer is needed", "make openvino"):
            self.assertIn(phrase, done.stderr)


if __name__ == "__main__":
    unittest.main()
