# SPDX-License-Identifier: Apache-2.0
"""The torch plugin from outside, on the CPU: TorchScript files and AOTInductor packages that torch_models.py makes.

STROBE_PROGRAM names the program. The models are kept in build/torch-models until their script changes.

    python tests/torch_test.py [-v] [NAME]
"""

import array
import hashlib
import json
import os
import shutil
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import nvtx_log  # noqa: E402
from cli.program import (CANNOT, MEASURED, NOT_USABLE, REPOSITORY, USAGE, ProgramTest, environment,  # noqa: E402
                         finding_ids, median, option_to_paste)

PYTHON = REPOSITORY / "scripts/torch-python"
MAKER = REPOSITORY / "tests/torch_models.py"
COMPILER = shutil.which("cc")
QUICK = ("--requests", "5", "--warmup", "1", "--threads", "1")

OTHER_TORCH = """
#include <stdint.h>
uint64_t aoti_torch_abi_version(void) { return 2ull << 56 | 10ull << 48 | 3ull << 40; }
"""


def models_folder():
    """Made once for each version of what makes them."""
    key = hashlib.sha256(b"".join(f.read_bytes() for f in (MAKER, REPOSITORY / "zoo/export.py",
                                                           REPOSITORY / "requirements/torch.txt"))).hexdigest()[:16]
    folder = REPOSITORY / "build/torch-models" / key
    if not folder.is_dir():
        unfinished = folder.with_suffix(f".{os.getpid()}")
        unfinished.mkdir(parents=True)
        try:
            subprocess.run([PYTHON, MAKER, "make", unfinished], check=True, capture_output=True, text=True)
            unfinished.rename(folder)
        except subprocess.CalledProcessError as error:
            raise AssertionError(f"the models could not be made:\n{error.stderr}") from error
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def values(path, shape):
    """A .npy file of floats, in the way the format describes: the tests themselves need no packages."""
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    count = 1
    for d in shape:
        count *= d
    data = array.array("f", (0.1 * i for i in range(count))).tobytes()
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + data)


class TorchTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.models = models_folder()

    def model(self, name):
        shutil.copy(self.models / name, self.folder)
        return name

    def measure(self, name, *arguments, code=MEASURED, **more):
        return self.record(self.model(name), *QUICK, *arguments, code=code, **more)

    def refuses(self, code, name, arguments, *phrases, **more):
        return self.refused(code, [self.model(name), *QUICK, *arguments], *phrases, **more)


class Sessions(TorchTest):
    def test_tensors_on_the_host_go_through_the_same_model(self):
        test = Path(os.environ["STROBE_PROGRAM"]).resolve().parents[1] / "tests/torch_runs_on_test"
        if not test.exists():
            self.skipTest("a build without tests")
        done = subprocess.run([test, "--gtest_filter=*TorchHostTensors*"], capture_output=True, text=True,
                              env={**os.environ, "STROBE_TORCH_MODELS": str(self.models)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("[  PASSED  ] 2 tests", done.stdout)


class Script(TorchTest):
    def test_runs_and_says_what_was_run(self):
        model = self.measure("linear.pt", "--shape", "input=4x16")["model"]
        self.assertEqual((model["runtime"], model["runtime_version"].split(".")[:2]), ("torch", ["2", "11"]))
        self.assertEqual(model["inputs"], [{"name": "input", "type": "f32", "shape": [4, 16], "source": "random"}])
        self.assertEqual(model["outputs"], [{"name": "output", "type": "f32", "shape": [4, 32]}])
        self.assertEqual(model["parameters"], 16 * 32 + 32)
        facts = model["facts"]
        self.assertEqual((facts["format"], facts["inference_mode"], facts["optimize"], facts["threads"]),
                         ("torchscript", True, True, 1))

    def test_a_quiet_run_has_a_verdict_and_counts_its_batch(self):
        record = self.record(self.model("convolutions.pt"), "--shape", "input=2x3x32x32", "--threads", "1", "--effort",
                             "quick")
        self.assertIn(record["verdict"], ("trusted", "caution"))
        self.assertTrue(record["observations"]["outputs"]["finite"])
        self.assertAlmostEqual(median(record, "throughput") * median(record, "period") / 1e9, 2, places=3)

    def test_the_option_to_paste_settles_the_shape(self):
        said = self.refuses(USAGE, "convolutions.pt", [], "'input'", "do not store shapes", "--shape input=1x3x224x224")
        self.measure("convolutions.pt", *option_to_paste(said)[:2])

    def test_a_description_in_the_file_settles_the_shape(self):
        model = self.measure("described.pt", "--batch", "8")["model"]
        self.assertEqual((model["inputs"][0]["shape"], model["parameters"]), ([8, 16], 544))
        self.refuses(USAGE, "described.pt", ["--shape", "input=1x17"], "'input'", "dimension 1 is 17")
        self.refuses(USAGE, "described.pt", ["--shape", "input=1x16:i64"], "'input'", "wants f32")
        for name in ("bad_description.pt", "bad_usual.pt"):
            self.refuses(CANNOT, name, [], "strobe.json", "Export it again")

    def test_outputs_of_any_nesting_are_found(self):
        outputs = self.measure("nested.pt", "--shape", "x=2x40")["model"]["outputs"]
        self.assertEqual([(o["name"], o["type"]) for o in outputs],
                         [("output.0", "f32"), ("output.1.boxes.0", "f32"), ("output.1.boxes.1", "f32"),
                          ("output.1.masks.0", "bool"), ("output.3", "f64")])

    def test_inputs_have_types_and_values(self):
        record = self.measure("embedding.pt", "--shape", "input=2x16:i64", "--input-range", "input=0..100")
        self.assertEqual(record["model"]["inputs"][0]["type"], "i64")
        self.refuses(CANNOT, "embedding.pt", ["--shape", "input=2x16:i64", "--input-range", "input=100..200"], "cannot run",
                     "index out of range")
        inputs = self.measure("two_inputs.pt", "--shape", "ids=2x16:i64", "--shape", "mask=2x16:bool")["model"]["inputs"]
        self.assertEqual([i["name"] for i in inputs], ["ids", "mask"])
        self.refuses(USAGE, "two_inputs.pt", [], "--shape ids=", "--shape mask=")
        self.refuses(USAGE, "two_inputs.pt", ["--shape", "ids=2x16:int", "--shape", "mask=2x16:bool"], "'int'")

    def test_arguments_with_defaults_need_nothing_but_may_be_given(self):
        self.assertEqual(len(self.measure("defaults.pt", "--shape", "x=2x40")["model"]["inputs"]), 1)
        both = self.measure("defaults.pt", "--shape", "x=2x40", "--shape", "mask=2x40")["model"]["inputs"]
        self.assertEqual([i["name"] for i in both], ["x", "mask"])
        self.refuses(CANNOT, "needs_number.pt", ["--shape", "x=2x4"], "'n'", "of type int", "not a tensor")

    def test_optimisation_can_be_left_out_and_the_record_says_so(self):
        facts = self.measure("linear.pt", "--shape", "input=4x16", "--no-optimize")["model"]["facts"]
        self.assertIs(facts["optimize"], False)

    def test_weights_and_inputs_are_converted(self):
        for dtype, element in (("bf16", "bf16"), ("fp16", "f16")):
            with self.subTest(dtype):
                model = self.measure("indexed.pt", "--shape", "x=4x16", "--dtype", dtype)["model"]
                self.assertEqual((model["inputs"][0]["type"], model["outputs"][0]["type"], model["facts"]["dtype"]),
                                 (element, element, dtype))
        for name in ("described.pt", "linear.pt"):
            self.refuses(USAGE, name, ["--shape", "input=1x16:f32", "--dtype", "bf16"], "wants bf16")

    def test_values_come_from_files(self):
        values(self.folder / "x.npy", (4, 16))
        inputs = self.measure("linear.pt", "--input", "input=x.npy")["model"]["inputs"]
        self.assertEqual(inputs, [{"name": "input", "type": "f32", "shape": [4, 16], "source": "x.npy"}])
        self.refuses(USAGE, "linear.pt", ["--input", "input=x.npy", "--dtype", "fp16"], "x.npy", "wants f16")
        self.refuses(USAGE, "described.pt", ["--input", "input=x.npy", "--batch", "2"], "disagree")

    def test_an_option_can_be_swept(self):
        record = self.measure("described.pt", "--sweep", "dtype=fp16,bf16", "--sweep", "batch=1,4")
        self.assertEqual(len(record["cases"]), 4)
        self.assertFalse([case for case in record["cases"] if case.get("error")])

    def test_images_can_be_laid_out_with_channels_last(self):
        record = self.measure("convolutions.pt", "--shape", "input=2x3x32x32", "--layout", "channels_last")
        self.assertEqual(record["model"]["facts"]["layout"], "channels_last")
        self.assertEqual(record["model"]["inputs"][0]["shape"], [2, 3, 32, 32])

    def test_settings_reach_the_record_and_unknown_ones_are_refused(self):
        facts = self.measure("linear.pt", "--shape", "input=4x16", "--set", "deterministic=1")["model"]["facts"]
        self.assertEqual((facts["deterministic"], facts["set.deterministic"]), (True, "1"))
        shape = ["--shape", "input=4x16", "--set"]
        self.refuses(USAGE, "linear.pt", [*shape, "alow_tf32=1"], "did you mean 'allow_tf32'?")
        self.refuses(USAGE, "linear.pt", [*shape, "deterministic=maybe"], "neither on nor off")
        self.refuses(USAGE, "linear.pt", [*shape, "cudnn_benchmark=1"], "cudnn_benchmark", "does nothing on the CPU")

    def test_a_constant_output_is_a_note(self):
        record = self.measure("constant.pt", "--shape", "x=4x16")
        self.assertIn("equal-outputs", finding_ids(record))
        self.assertNotEqual(record["verdict"], "invalid")

    def test_an_output_that_never_repeats_is_seen(self):
        record = self.measure("noise.pt", "--shape", "x=4x16", code=NOT_USABLE)
        self.assertIs(record["observations"]["outputs"]["repeatable"], False)

    def test_a_profile_names_its_operators(self):
        r = json.loads(self.text("profile", self.model("convolutions.pt"), "--shape", "input=2x3x32x32", "--threads", "1",
                                 "--requests", "10", "--no-optimize", "--json", "-"))
        profile = r["profile"]
        self.assertEqual(profile["profiler"], "torch's record functions")
        self.assertTrue(any("conv" in layer["type"] for layer in profile["layers"]), profile["layers"])
        self.assertAlmostEqual(sum(layer["share"] for layer in profile["layers"]) + profile["outside"], 1, 6)

    def test_the_figure_is_that_of_a_plain_loop(self):
        """Three tries: other programs on the machine may slow down one side."""
        shape = "1x3x128x128"
        for _ in range(3):
            command = [PYTHON, MAKER, "time", self.models / "convolutions.pt", shape, "1"]
            loop = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            ratio = median(self.record(self.model("convolutions.pt"), "--shape", f"input={shape}", "--threads", "1",
                                       "--effort", "quick")) / loop
            if 0.6 < ratio < 1.6:
                return
        self.fail(f"strobe's median is {ratio:.2f} times that of a plain loop")

    def test_the_module_may_call_itself_what_it_likes(self):
        model = self.measure("renamed_self.pt", "--shape", "x=2x3")["model"]
        self.assertEqual([i["name"] for i in model["inputs"]], ["x"])

    def test_the_batch_of_a_shape_is_a_default(self):
        model = self.measure("linear.pt", "--shape", "input=1x16", "--batch", "3")["model"]
        self.assertEqual(model["inputs"][0]["shape"], [3, 16])


class Ranges(TorchTest):
    def test_operators_are_ranges_within_the_request_that_runs_them(self):
        tool, log = os.environ.get("STROBE_TEST_NVTX"), self.folder / "ranges"
        if not tool:
            self.skipTest("STROBE_TEST_NVTX does not name the tool of tests/nvtx_tool.cc")
        self.text("run", self.model("convolutions.pt"), "--shape", "input=1x3x32x32", "--no-optimize", "--threads", "1", "--pass",
                  "latency", "--requests", "3", env=environment(NVTX_INJECTION64_PATH=tool, STROBE_TEST_NVTX_LOG=log))
        whole, domains, still_open = nvtx_log.read(log)
        self.assertEqual((domains, still_open), ({"strobe"}, []))
        [counted] = [r for r in whole.within if r.name == "latency"]
        self.assertEqual([r.name for r in counted.within], ["request"] * 3)
        for request in counted.within:
            operators = request.within
            self.assertIn("conv2d", [o.name for o in operators])
            self.assertEqual([o.number for o in operators], list(range(len(operators))))
            self.assertTrue(all(not o.within for o in operators))  # what is within them belongs to them


class Package(TorchTest):
    def test_runs_and_says_what_was_run(self):
        model = self.measure("plain.pt2", "--shape", "input=2x16")["model"]
        self.assertEqual([o["shape"] for o in model["outputs"]], [[2, 32], [2], [2, 16]])
        self.assertEqual((model["facts"]["format"], model["facts"]["compiled_for"]), ("aotinductor", "cpu"))

    def test_needs_a_shape_unless_its_metadata_has_one(self):
        self.refuses(USAGE, "plain.pt2", [], "'input'", "--shape input=")
        model = self.measure("described.pt2", "--batch", "8")["model"]
        self.assertEqual((model["inputs"][0]["shape"], model["parameters"]), ([8, 16], 544))

    def test_a_shape_it_was_not_compiled_for_is_refused(self):
        self.refuses(CANNOT, "plain.pt2", ["--shape", "input=2x17"], "cannot run", "expected: 16", "got: 17")
        self.refuses(USAGE, "described.pt2", ["--batch", "33"], "--batch 33", "up to 32", "--batch-max")
        self.refuses(USAGE, "described.pt2", [], "batch of 1", "from 2 on", "--batch-max 1")

    def test_it_cannot_be_changed_any_more(self):
        for option in (["--dtype", "bf16"], ["--layout", "channels_last"], ["--no-optimize"]):
            with self.subTest(option):
                self.refuses(USAGE, "described.pt2", option, option[0], "cannot be changed after compilation")


    def test_one_for_batches_from_three_on_has_no_fixed_batch(self):
        with zipfile.ZipFile(self.models / "described.pt2") as given, \
                zipfile.ZipFile(self.folder / "three.pt2", "w") as three:
            for name in given.namelist():
                data = given.read(name)
                if name.endswith("_metadata.json"):
                    metadata = json.loads(data)
                    metadata["strobe.json"] = json.dumps({**json.loads(metadata["strobe.json"]), "least_batch": 3})
                    data = json.dumps(metadata).encode()
                three.writestr(name.replace("described/", "three/", 1), data)
        r = json.loads(self.text("throughput", "three.pt2", "--effort", "quick", "--no-largest", "--threads", "1", "--json",
                                 "-", timeout=170))
        self.assertNotIn("fixed_batch", r["answer"])
        self.assertGreaterEqual(r["answer"]["best_batch"], 4)


class BadFile(TorchTest):
    def test_it_holds_no_program(self):
        self.refuses(CANNOT, "weights.pt", [], "weights alone", "torch.jit.save")
        self.refuses(CANNOT, "old_weights.pt", [], "neither a TorchScript file nor", "torch.jit.save")
        self.refuses(CANNOT, "program.pt2", [], "was not compiled", "aoti_compile_and_package")

    def test_it_is_cut_off(self):
        for name in ("linear.pt", "plain.pt2"):
            with self.subTest(name):
                whole = (self.models / name).read_bytes()
                (self.folder / name).write_bytes(whole[: len(whole) // 2])
                self.refused(CANNOT, [name], "cut off")
                (self.folder / name).write_text("version https://git-lfs.github.com/spec/v1\n")
                self.refused(CANNOT, [name], "neither a TorchScript file nor")

    def test_the_shape_does_not_fit(self):
        self.refuses(CANNOT, "linear.pt", ["--shape", "input=4x17"], "cannot run", "4x17")
        self.refuses(USAGE, "linear.pt", ["--shape", "inputs=4x16"], "no such input", "did you mean 'input'?")

    def test_the_model_raises(self):
        self.refuses(CANNOT, "raises.pt", ["--shape", "x=4x16"], "cannot run", "five columns are needed")

    def test_memory_does_not_suffice(self):
        self.refuses(CANNOT, "huge.pt", ["--shape", "x=4x16"], "cannot run", "smaller batch")

    def test_the_suffix_does_not_matter_when_the_runtime_is_named(self):
        shutil.copy(self.models / "linear.pt", self.folder / "model.bin")
        self.record("model.bin", "--runtime", "torch", "--shape", "input=4x16", *QUICK)


class Libraries(TorchTest):
    def test_torch_is_missing(self):
        self.refuses(CANNOT, "linear.pt", [], "/nonexistent", "STROBE_TORCH", env=environment(STROBE_TORCH="/nonexistent"))

    @unittest.skipUnless(COMPILER, "there is no C compiler")
    def test_torch_is_of_another_version(self):
        for source, version in ((OTHER_TORCH, "2.10.3"), ("int nothing;", "older than 2.9")):
            with self.subTest(version):
                subprocess.run([COMPILER, "-shared", "-fPIC", "-x", "c", "-", "-o", self.folder / "libtorch_cpu.so"],
                               input=source, text=True, check=True)
                self.refuses(CANNOT, "linear.pt", [], version, "built for 2.11", env=environment(STROBE_TORCH=self.folder))

    def test_doctor_names_it(self):
        self.assertRegex(self.text("doctor"), r"torch +2\.11\.\d+ +reads \.pt \.pt2")


class ZooExport(TorchTest):
    def test_writes_a_network_that_runs(self):
        env = environment(STROBE_PYTHON=PYTHON)
        path = self.text("zoo", "export", "mobilenet_v3_small", "--format", "pt", "--out", "m.pt", env=env,
                         timeout=300).strip()
        self.assertEqual(Path(path), self.folder / "m.pt")
        self.assertEqual(self.files(), ["m.pt"])
        model = self.record("m.pt", "--batch", "3", *QUICK)["model"]
        self.assertEqual((model["parameters"], model["outputs"][0]["shape"]), (2_542_856, [3, 1000]))

    def test_writes_a_network_of_other_classes(self):
        env = environment(STROBE_PYTHON=PYTHON)
        path = self.text("zoo", "export", "mobilenet_v3_small", "--format", "pt", "--classes", "10", env=env,
                         timeout=300).strip()
        self.assertEqual(Path(path), self.folder / "mobilenet_v3_small_c10.pt")
        model = self.record(path, *QUICK)["model"]
        self.assertEqual((model["parameters"], model["outputs"][0]["shape"]), (1_528_106, [1, 10]))

    def test_takes_pretrained_weights_from_torchvisions_cache(self):
        """Random ones under the name of the real ones, but for the digits of its checksum."""
        source = """
import hashlib, pathlib, sys, torch, torchvision
from unittest import mock
from zoo import cli
cache, out = map(pathlib.Path, sys.argv[1:3])
weights = torchvision.models.MobileNet_V3_Small_Weights.DEFAULT
model = torchvision.models.mobilenet_v3_small()
with torch.no_grad():
    model.classifier[3].weight.zero_()
    model.classifier[3].bias.copy_(torch.arange(1000.0))
(cache / "hub/checkpoints").mkdir(parents=True)
torch.save(model.state_dict(), cache / "unnamed")
digest = hashlib.sha256((cache / "unnamed").read_bytes()).hexdigest()
name = f"mobilenet_v3_small-{digest[:8]}.pth"
(cache / "unnamed").rename(cache / "hub/checkpoints" / name)
with mock.patch.object(type(weights), "url", f"https://example.org/{name}"):
    sys.exit(cli.main(["export", "mobilenet_v3_small", "--format", "pt", "--weights", "DEFAULT", "--out", str(out)]))
"""
        script = self.folder / "export.py"
        script.write_text(source)
        cache = self.folder / "cache"
        env = environment(TORCH_HOME=cache, PYTHONPATH=REPOSITORY)
        subprocess.run([PYTHON, script, cache, self.folder / "m.pt"], check=True, env=env, timeout=300)
        check = self.folder / "check.py"
        check.write_text("import sys, torch\n"
                         "y = torch.jit.load(sys.argv[1])(torch.randn(2, 3, 224, 224))\n"
                         "sys.exit(not torch.equal(y, torch.arange(1000.0).expand(2, 1000)))\n")
        subprocess.run([PYTHON, check, self.folder / "m.pt"], check=True, env=env, timeout=300)

    def test_says_which_weights_the_cache_lacks(self):
        env = environment(STROBE_PYTHON=PYTHON, TORCH_HOME=self.folder / "cache")
        for arguments, *phrases in ((["resnet18", "--weights", "DEFAULT"], "resnet18-f37072fd.pth", "nothing is downloaded",
                                     "get_model('resnet18', weights='IMAGENET1K_V1')"),
                                    (["resnet18", "--weights", "V9"], "'V9'", "IMAGENET1K_V1, DEFAULT"),
                                    (["mobilenet_v3_large_w2", "--weights", "DEFAULT"], "no weights of"),
                                    (["vit_b_16", "--weights", "IMAGENET1K_SWAG_E2E_V1"], "384x384")):
            with self.subTest(arguments):
                self.complains(CANNOT, ["zoo", "export", *arguments, "--format", "pt"], *phrases, env=env)
        self.assertEqual(self.files(), [])

    def test_says_what_is_wrong_before_it_begins(self):
        env = environment(STROBE_PYTHON=sys.executable)
        for arguments, *phrases in ((["resnet81", "--format", "pt"], "did you mean 'resnet18'?"),
                                    (["resnet18", "--format", "onnx"], "--format 'onnx'", "pt or pt2"),
                                    (["resnet18", "--format", "pt2", "--device", "tpu"], "--device 'tpu'"),
                                    (["resnet18", "--format", "pt2", "--batch-max", "0"], "--batch-max '0'"),
                                    (["resnet18", "--format", "pt", "--classes", "0"], "--classes '0'"),
                                    (["resnet18", "--format", "pt", "--classes", "9", "--weights", "DEFAULT"],
                                     "--weights with --classes"),
                                    (["resnet18"], "--format")):
            with self.subTest(arguments):
                self.complains(USAGE, ["zoo", "export", *arguments], *phrases, env=env)

    def test_says_so_where_there_is_no_torch(self):
        program = self.folder / "python"  # an interpreter without any package
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
        program.chmod(0o755)
        self.complains(CANNOT, ["zoo", "export", "resnet18", "--format", "pt"], "torch", "STROBE_PYTHON",
                       env=environment(STROBE_PYTHON=program))

    def test_says_so_where_there_is_no_gpu_to_compile_for(self):
        self.complains(CANNOT, ["zoo", "export", "resnet18", "--format", "pt2", "--device", "cuda"], "no GPU",
                       env=environment(STROBE_PYTHON=PYTHON, CUDA_VISIBLE_DEVICES=""))


if __name__ == "__main__":
    unittest.main()
