# SPDX-License-Identifier: Apache-2.0
"""Models on the CPU: every kind of tensor a file can declare, and nine networks as their authors exported them."""

import json
import shutil
import unittest
from pathlib import Path

from .program import CANNOT, MEASURED, NOT_USABLE, USAGE, ProgramTest, finding_ids, median, option_to_paste

try:
    import numpy as np
    import onnx
    from . import models
    MISSING = None
except ModuleNotFoundError as error:
    MISSING = f"the Python package {error.name} is not installed"

FEW = ("--requests", "20", "--warmup", "1")


def shapes(tensors):
    return {t["name"]: (t["type"], t["shape"]) for t in tensors}


@unittest.skipIf(MISSING, MISSING)
class OnnxModel(ProgramTest):
    def measure(self, *arguments, **more):
        record = self.record(*arguments, *FEW, **more)
        self.assertEqual(record["metrics"]["latency"]["n"], 20)
        self.assertGreater(median(record), 0)
        return record

    def test_takes_an_input_of_every_element_type(self):
        for element in models.ELEMENT_TYPES:
            with self.subTest(element):
                models.cast(self.folder / "m.onnx", element)
                record = self.measure("m.onnx")
                self.assertEqual(shapes(record["model"]["inputs"]), {"x": (element, [8, 16])})
                self.assertEqual(shapes(record["model"]["outputs"]), {"y": ("f32", [8, 16])})
                self.assertEqual(record["observations"]["outputs"]["distinct"], True)

    def test_hands_out_an_output_of_every_element_type(self):
        models.all_types(self.folder / "m.onnx")
        record = self.measure("m.onnx")
        outputs = shapes(record["model"]["outputs"])
        self.assertEqual(len(outputs), 26)
        for element in models.ELEMENT_TYPES:
            self.assertEqual(outputs[f"same_{element}"], (element, [4, 8]))

    def test_reads_a_file_of_every_element_type(self):
        models.all_types(self.folder / "m.onnx")
        options = []
        for element, (_, dtype) in models.ELEMENT_TYPES.items():
            numbers = np.arange(32, dtype="<u2").reshape(4, 8)
            np.save(self.folder / f"{element}.npy", numbers.view(dtype) if element == "bf16" else numbers.astype(dtype))
            options += ["--input", f"x_{element}={element}.npy"]
        record = self.measure("m.onnx", *options)
        self.assertEqual({t["source"] for t in record["model"]["inputs"]}, {f"{e}.npy" for e in models.ELEMENT_TYPES})

    def test_takes_several_inputs_and_outputs(self):
        models.two_inputs(self.folder / "m.onnx")
        record = self.measure("m.onnx", "--shape", "ids=2x5", "--shape", "mask=2x5:bool")
        self.assertEqual(shapes(record["model"]["inputs"]), {"ids": ("i64", [2, 5]), "mask": ("bool", [2, 5])})
        self.assertEqual(shapes(record["model"]["outputs"]),
                         {"embedded": ("f32", [2, 5, 4]), "sum": ("f32", []), "inverse": ("bool", [2, 5])})

    def test_random_ids_are_safe_for_any_table(self):
        for rows in (2, 100):
            with self.subTest(rows):
                models.embedding(self.folder / "m.onnx", rows)
                self.measure("m.onnx")

    def test_ids_can_be_spread_over_the_table(self):
        models.embedding(self.folder / "m.onnx")
        record = self.measure("m.onnx", "--input-range", "ids=0..100")
        self.assertRegex(record["model"]["inputs"][0]["source"], r"random \[0, 100\)")
        self.measure("m.onnx", "--input-range", "-100..100")

    def test_ids_outside_the_table_are_an_error_not_a_figure(self):
        models.embedding(self.folder / "m.onnx")
        self.refused(CANNOT, ["m.onnx", "--input-range", "ids=1000..2000", *FEW], "m.onnx", "out of")

    def test_the_option_to_paste_settles_open_dimensions(self):
        for name in ("ids", "input:0"):
            with self.subTest(name):
                models.dynamic(self.folder / "m.onnx", name)
                said = self.refused(USAGE, ["m.onnx"], f"'{name}'", "batch", "sequence")
                record = self.measure("m.onnx", *option_to_paste(said))
                self.assertEqual(record["model"]["inputs"][0]["shape"], [1, 128])
        said = self.refused(USAGE, ["m.onnx", "--batch", "4"])
        record = self.measure("m.onnx", *option_to_paste(said), "--batch", "4")
        self.assertEqual(record["model"]["inputs"][0]["shape"], [4, 128])

    def test_the_option_to_paste_is_quoted_where_a_shell_needs_it(self):
        models.dynamic(self.folder / "m.onnx", "input ids")
        self.measure("m.onnx", *option_to_paste(self.refused(USAGE, ["m.onnx"])))

    def test_one_paste_settles_every_input(self):
        models.two_inputs(self.folder / "m.onnx")
        said = self.refused(USAGE, ["m.onnx"])
        self.measure("m.onnx", *option_to_paste(said))

    def test_batch_sets_a_dynamic_batch_and_throughput_counts_its_items(self):
        models.relu(self.folder / "m.onnx")
        record = self.measure("m.onnx", "--batch", "16")
        self.assertEqual(record["model"]["inputs"][0]["shape"], [16, 3, 8])
        self.assertEqual(record["model"]["outputs"][0]["shape"], [16, 3, 8])
        self.assertAlmostEqual(median(record, "throughput") * median(record, "period") * 1e-9, 16, places=3)
        self.assertEqual(self.measure("m.onnx")["model"]["inputs"][0]["shape"], [1, 3, 8])

    def test_batch_of_a_fixed_model_must_be_its_own(self):
        models.relu(self.folder / "m.onnx", (2, 3))
        self.assertEqual(self.measure("m.onnx", "--batch", "2")["model"]["inputs"][0]["shape"], [2, 3])
        self.refused(USAGE, ["m.onnx", "--batch", "4"], "--batch 4", "fixed batch of 2")

    def test_the_batch_of_a_shape_is_a_default(self):
        models.relu(self.folder / "m.onnx")
        for options, batch in ((["--shape", "x=2x3x8"], 2), (["--shape", "x=2x3x8", "--batch", "4"], 4)):
            record = self.measure("m.onnx", *options)
            self.assertEqual(record["model"]["inputs"][0]["shape"], [batch, 3, 8])

    def test_a_sweep_and_a_pipeline_set_the_batch_of_a_shape(self):
        models.relu(self.folder / "m.onnx")
        record = self.record("m.onnx", *FEW, "--shape", "x=1x3x8", "--sweep", "batch=1,4")
        self.assertEqual([c.get("error", "") for c in record["cases"]], ["", ""])
        (self.folder / "p.yaml").write_text("device: cpu\nstages: [{model: m.onnx, batch: 4, shape: {x: 1x3x8}}]\n")
        self.text("pipeline", "p.yaml", "--rounds", "2", "--iterations", "4")

    def test_a_dimension_is_set_by_its_name_in_all_inputs(self):
        models.two_inputs(self.folder / "m.onnx")
        record = self.measure("m.onnx", "--shape", "sequence=7", "--batch", "2")
        self.assertEqual(shapes(record["model"]["inputs"]), {"ids": ("i64", [2, 7]), "mask": ("bool", [2, 7])})
        said = self.refused(USAGE, ["m.onnx"], "'ids'", "'mask'")
        self.assertEqual(option_to_paste(said), ["--shape", "sequence=128"])

    def test_sizes_of_one_dimension_must_agree(self):
        models.two_inputs(self.folder / "m.onnx")
        self.refused(USAGE, ["m.onnx", "--shape", "sequence=32", "--shape", "ids=1x64"], "--shape sequence=32",
                     "--shape ids=1x64", "'sequence'")
        self.refused(USAGE, ["m.onnx", "--shape", "mask=1x32", "--shape", "ids=1x64"], "mask=1x32", "ids=1x64")
        self.refused(USAGE, ["m.onnx", "--shape", "sequenc=32"], "no such input or dimension", "did you mean 'sequence'?")

    def test_takes_values_from_a_file_and_runs_on_exactly_those(self):
        models.nonzero(self.folder / "m.onnx")
        x = np.zeros((4, 8), np.float32)
        x.flat[:7] = 1
        np.save(self.folder / "x.npy", x)
        record = self.measure("m.onnx", "--input", "x=x.npy")
        self.assertEqual(record["model"]["inputs"][0]["source"], "x.npy")
        self.assertEqual(record["model"]["outputs"], [{"name": "y", "type": "i64", "shape": [2, 7]}])

    def test_a_file_of_one_value_is_no_typical_input_whichever_value_it_is(self):
        models.relu(self.folder / "m.onnx")
        rng = np.random.default_rng(1)
        for name, array, raised in (("zeros", np.zeros((1, 3, 8)), True), ("ones", np.ones((1, 3, 8)), True),
                                    ("random", rng.random((1, 3, 8)), False)):
            with self.subTest(name):
                np.save(self.folder / "x.npy", array.astype(np.float32))
                record = self.measure("m.onnx", "--shape", "x=1x3x8", "--input", "x=x.npy")
                self.assertEqual("low-entropy-input" in finding_ids(record), raised)
                self.assertEqual(record["observations"]["input_repeated_share"], float(raised))

    def test_odd_values_of_a_file_are_found_with_their_share(self):
        models.relu(self.folder / "m.onnx")
        values = {"subnormal": np.full((1, 3, 8), 1e-39, np.float32), "nan": np.ones((1, 3, 8), np.float32),
                  "sound": np.full((1, 3, 8), 1e-37, np.float32)}
        values["nan"].flat[0] = np.nan
        for name, array in values.items():
            np.save(self.folder / f"{name}.npy", array)
        for name, share in (("subnormal", {"subnormal_share": 1, "not_finite_share": 0}),
                            ("nan", {"subnormal_share": 0, "not_finite_share": 1 / 24})):
            with self.subTest(name):
                record = self.measure("m.onnx", "--shape", "x=1x3x8", "--input", f"x={name}.npy")
                found, = (f for f in record["findings"] if f["id"] == "odd-values")
                self.assertEqual({key: found["evidence"][key] for key in share}, share)
                self.assertIn("effect", found["evidence"])
        record = self.measure("m.onnx", "--shape", "x=1x3x8", "--input", "x=sound.npy")
        self.assertNotIn("odd-values", [f["id"] for f in record["findings"]])

    def test_one_option_may_give_several_shapes_or_ranges(self):
        models.dynamic(self.folder / "m.onnx")
        inputs = [self.measure("m.onnx", *words)["model"]["inputs"] for words in
                  (("--shape", "batch=2,sequence=7", "--input-range", "ids=0..9"),
                   ("--shape", "batch=2", "--shape", "sequence=7", "--input-range", "0..9"))]
        self.assertEqual(inputs[0], inputs[1])
        self.refused(USAGE, ["m.onnx", "--shape", "sequence=7,sequence=8"], "twice", "'sequence'")
        self.refused(USAGE, ["m.onnx", "--shape", "sequence=7,8"], "'7,8' is not a dimension")

    def test_output_shapes_may_depend_on_values(self):
        models.nonzero(self.folder / "m.onnx")
        rank, found = self.measure("m.onnx")["model"]["outputs"][0]["shape"]
        self.assertEqual(rank, 2)
        self.assertTrue(0 < found < 32)

    def test_a_decision_that_is_the_same_for_all_inputs_is_no_mistake(self):
        models.decision(self.folder / "m.onnx")
        self.assertNotEqual(self.measure("m.onnx")["verdict"], "invalid")

    def test_warnings_of_the_runtime_go_to_standard_error_unless_quiet(self):
        models.unused_weight(self.folder / "m.onnx")
        result = self.strobe("run", "m.onnx", *FEW, "--json", "-")
        self.assertRegex(result.stderr, r"\A(strobe: onnxruntime .*idle.*\n)+\Z")
        self.assertEqual(json.loads(result.stdout)["metrics"]["latency"]["n"], 20)
        self.assertEqual(self.strobe("run", "m.onnx", *FEW, "--quiet").stderr, "")

    def test_outputs_may_be_empty(self):
        np.save(self.folder / "x.npy", np.zeros((4, 8), np.float32))
        models.nonzero(self.folder / "m.onnx")
        self.assertEqual(self.measure("m.onnx", "--input", "x=x.npy")["model"]["outputs"][0]["shape"], [2, 0])
        models.empty_output(self.folder / "m.onnx")
        self.assertEqual(self.measure("m.onnx")["model"]["outputs"][0]["shape"], [0, 8])

    def test_takes_scalars(self):
        models.scalar(self.folder / "m.onnx")
        np.save(self.folder / "x.npy", np.float32(3))
        for options in ((), ("--shape", "x=scalar"), ("--input", "x=x.npy")):
            with self.subTest(options):
                record = self.measure("m.onnx", *options)
                tensors = record["model"]["inputs"] + record["model"]["outputs"]
                self.assertEqual(shapes(tensors), {"x": ("f32", []), "y": ("f32", [])})

    def test_a_model_needs_no_inputs(self):
        models.no_inputs(self.folder / "m.onnx")
        record = self.measure("m.onnx")
        self.assertEqual(shapes(record["model"]["outputs"]), {"y": ("f32", [4])})

    def test_weights_may_be_in_a_file_beside(self):
        models.external(self.folder / "m.onnx", "weights.bin")
        self.measure("m.onnx")
        self.measure(self.folder / "m.onnx")

    def test_a_path_with_a_dot_and_any_letters_is_a_file(self):
        models.relu(self.folder / "sim:tiny.onnx")
        self.measure("./sim:tiny.onnx")
        (self.folder / "модель 1").mkdir()
        shutil.move(self.folder / "sim:tiny.onnx", self.folder / "модель 1/é.onnx")
        self.assertEqual(self.measure("модель 1/é.onnx")["model"]["name"], "é.onnx")

    def test_any_suffix_will_do_when_the_runtime_is_named(self):
        models.relu(self.folder / "model.bin")
        self.measure("model.bin", "--runtime", "onnxruntime")

    def test_threads_and_settings_reach_the_runtime_and_the_record(self):
        models.relu(self.folder / "m.onnx")
        record = self.measure("m.onnx", "--threads", "1", "--set", "graph_optimization_level=disabled",
                              "--set", "session.intra_op.allow_spinning=0")
        self.assertEqual(record["settings"]["threads"], 1)
        self.assertEqual(record["model"]["facts"]["set.graph_optimization_level"], "disabled")
        self.assertEqual(record["model"]["facts"]["set.session.intra_op.allow_spinning"], "0")
        self.assertIn("· 1 thread ·", self.text("run", "m.onnx", *FEW, "--threads", "1"))

    def test_optimisation_can_be_left_out_and_the_record_says_so(self):
        models.relu(self.folder / "m.onnx")
        self.assertIs(self.measure("m.onnx", "--shape", "x=1x3x8", "--no-optimize")["model"]["facts"]["optimize"], False)
        self.assertNotIn("optimize", self.measure("m.onnx", "--shape", "x=1x3x8")["model"].get("facts", {}))

    def test_an_option_given_twice_is_refused_or_the_last_one_counts(self):
        models.relu(self.folder / "m.onnx")
        np.save(self.folder / "one.npy", np.ones((1, 3, 8), np.float32))
        np.save(self.folder / "two.npy", np.ones((2, 3, 8), np.float32))
        level = "graph_optimization_level"
        cases = (("--set", f"{level}=basic", f"{level}=all", lambda model: model["facts"]["set." + level], "all"),
                 ("--shape", "x=1x3x8", "x=2x3x8", lambda model: model["inputs"][0]["shape"], [2, 3, 8]),
                 ("--input", "x=one.npy", "x=two.npy", lambda model: model["inputs"][0]["shape"], [2, 3, 8]))
        for option, first, second, seen, last in cases:
            with self.subTest(option):
                result = self.strobe("run", "m.onnx", *FEW, option, first, option, second, "--json", "-")
                if result.returncode != USAGE:
                    self.assertEqual(seen(json.loads(result.stdout)["model"]), last)

    def test_the_head_line_says_what_was_run_on_what(self):
        models.relu(self.folder / "m.onnx")
        head = self.text("run", "m.onnx", *FEW, "--batch", "4").splitlines()[0]
        self.assertRegex(head, r"^m\.onnx  batch 4 · 3×8 · f32 · onnxruntime \d+\.\d+\.\d+ · cpu.* \(auto\) · \d+ threads? · one launch$")
        self.assertNotIn("(auto)", self.text("run", "m.onnx", *FEW, "--device", "cpu"))

    def test_the_same_seed_gives_the_same_inputs(self):
        # As many columns as there are ones among 64 random bits: another seed, another shape.
        nonzero = models.node("NonZero", "x", "y")
        models.save(self.folder / "m.onnx", [nonzero], [models.value("x", [64], "bool")],
                    [models.value("y", [1, "n"], "i64")])
        seen = [self.measure("m.onnx", "--seed", seed)["model"]["outputs"][0]["shape"] for seed in (1, 1, 2, 3, 4)]
        self.assertEqual(seen[0], seen[1])
        self.assertGreater(len({tuple(s) for s in seen}), 1)


@unittest.skipIf(MISSING, MISSING)
class RealNetworks(ProgramTest):
    """The graphs that come with the package onnx: real exports, whose weights are all one constant. So their outputs do
    not depend on the input, which is no fault of the measurement."""

    def test_each_runs_unchanged(self):
        folder = Path(onnx.__file__).parent / "backend/test/data/light"
        networks = sorted(folder.glob("*.onnx"))
        if not networks:
            self.skipTest("this version of the package onnx brings no networks along")
        for network in networks:
            with self.subTest(network.stem):
                result = self.strobe("run", network, "--requests", "2", "--warmup", "1", "--quiet", "--json", "-")
                self.assertEqual(result.returncode, MEASURED, result.stderr)
                self.assertEqual(result.stderr, "")
                record = json.loads(result.stdout)
                severities = {f["id"]: f["severity"] for f in record["findings"]}
                self.assertNotIn("invalid", severities.values())
                self.assertIn(severities.get("equal-outputs"), (None, "note"))
                self.assertEqual(record["metrics"]["latency"]["n"], 2)
                self.assertEqual([t["shape"] for t in record["model"]["inputs"]], [[1, 3, 224, 224]])
                self.assertEqual(record["model"]["outputs"][0]["shape"][:2], [1, 1000])
