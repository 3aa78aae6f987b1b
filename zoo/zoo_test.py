# SPDX-License-Identifier: Apache-2.0
"""What a zoo file promises: torchvision's parameter counts, valid ONNX, sane outputs, the same bytes each time.

Run from the repository root: python -m unittest zoo.zoo_test
"""

import contextlib
import enum
import hashlib
import io
import json
import math
import tempfile
import unittest
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import onnx
from onnx import numpy_helper

from zoo import cli, pretrained
from zoo.build import NETWORKS, build, is_current, metadata, serialise, write
from zoo.catalogue import read_catalogue
from zoo.parameters import count_parameters

try:
    import onnxruntime
except ImportError as error:
    onnxruntime = None
    WHY_NO_RUNTIME = f"onnxruntime cannot be imported: {error}"
else:
    WHY_NO_RUNTIME = ""

# torchvision's counts, except for the last, which torchvision has no weights for: see MobileNetCount.
PARAMETERS = {
    "resnet18": 11_689_512,
    "resnet50": 25_557_032,
    "mobilenet_v3_large": 5_483_032,
    "mobilenet_v3_small": 2_542_856,
    "vit_b_16": 86_567_656,
    "mobilenet_v3_large_w2": 19_121_216,
}
# torchvision's counts with num_classes=10; the last again from MobileNetCount.
PARAMETERS_OF_10_CLASSES = {
    "resnet18": 11_181_642,
    "resnet50": 23_528_522,
    "mobilenet_v3_large": 4_214_842,
    "mobilenet_v3_small": 1_528_106,
    "vit_b_16": 85_806_346,
    "mobilenet_v3_large_w2": 16_585_826,
}
CATALOGUE = read_catalogue()


@cache
def built(name: str) -> onnx.ModelProto:
    """Each network once for all tests: together they hold 0.6 GB."""
    return build(CATALOGUE, name)


def undeclared_output(model: onnx.ModelProto) -> onnx.ModelProto:
    """A copy without the output's declared shape and without weights' values, so that inference must find the shape."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    copy.graph.output[0].type.tensor_type.ClearField("shape")
    for tensor in copy.graph.initializer:
        tensor.ClearField("raw_data")
    return copy


def declared(value: onnx.ValueInfoProto) -> tuple[str, list]:
    return value.name, [dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim]


class EveryNetwork(unittest.TestCase):
    def each(self, check):
        for name in NETWORKS:
            with self.subTest(name):
                check(name, built(name))

    def test_is_in_the_table(self):
        self.assertEqual(list(NETWORKS), list(CATALOGUE.entries))
        self.assertEqual({name: entry.parameters for name, entry in CATALOGUE.entries.items()}, PARAMETERS)

    def test_has_the_known_number_of_parameters(self):
        self.each(lambda name, model: self.assertEqual(count_parameters(model.graph), PARAMETERS[name]))

    def test_passes_the_checker(self):
        self.each(lambda name, model: onnx.checker.check_model(model))

    def test_has_old_enough_versions_and_says_what_it_is(self):
        def check(name, model):
            self.assertEqual((model.ir_version, model.opset_import[0].version), (8, 17))
            self.assertEqual(model.producer_name, "strobe-zoo")
            said = {row.key: row.value for row in model.metadata_props}
            self.assertEqual(said["strobe.zoo"], name)
            self.assertEqual(said["strobe.parameters"], str(PARAMETERS[name]))
            self.assertEqual(said["strobe.default_shape.input"], "1x3x224x224")
            self.assertIn("strobe.zoo_version", said)
        self.each(check)

    def test_infers_one_row_of_logits_per_batch_element(self):
        def check(name, model):
            inferred = onnx.shape_inference.infer_shapes(undeclared_output(model), strict_mode=True, data_prop=True)
            self.assertEqual(declared(inferred.graph.output[0]), ("logits", ["batch", 1000]))
        self.each(check)

    def test_takes_any_image_size_unless_it_is_a_transformer(self):
        def check(name, model):
            size = [224, 224] if name == "vit_b_16" else ["height", "width"]
            self.assertEqual(declared(model.graph.input[0]), ("input", ["batch", 3, *size]))
        self.each(check)

    def test_normalises_with_the_epsilon_of_its_family(self):
        def check(name, model):
            found = {attribute.f for node in model.graph.node for attribute in node.attribute
                     if attribute.name == "epsilon"}
            expected = {"resnet": 1e-5, "mobilenet": 1e-3, "vit": 1e-6}
            family = next(family for family in expected if name.startswith(family))
            self.assertEqual(found, {float(np.float32(expected[family]))})
        self.each(check)

    def test_has_only_finite_weights_and_no_tensor_of_zeros_or_of_one_value(self):
        def check(name, model):
            for tensor in model.graph.initializer:
                values = numpy_helper.to_array(tensor)
                self.assertTrue(np.isfinite(values).all() and np.ptp(values) > 0, tensor.name)
        self.each(check)


class Arithmetic(unittest.TestCase):
    """Strides and attention leave no trace in the parameter count, but they do in the work."""

    # Billions of multiply-adds at 224x224, as torchvision publishes them.
    PUBLISHED = {"resnet18": 1.814, "resnet50": 4.089, "mobilenet_v3_large": 0.217, "mobilenet_v3_small": 0.057,
                 "vit_b_16": 17.564}

    @staticmethod
    def multiply_adds(model):
        model = undeclared_output(model)
        for dim, size in zip(model.graph.input[0].type.tensor_type.shape.dim, (1, 3, 224, 224)):
            dim.dim_value = size
        graph = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
        shapes = dict(map(declared, [*graph.value_info, *graph.output]))
        shapes |= {tensor.name: list(tensor.dims) for tensor in graph.initializer}
        total = 0
        for node in graph.node:
            if node.op_type in ("Conv", "Gemm"):  # one product per element of a filter, or of a row of the matrix
                total += math.prod(shapes[node.output[0]]) * math.prod(shapes[node.input[1]][1:])
            elif node.op_type == "MatMul":
                total += math.prod(shapes[node.output[0]]) * shapes[node.input[1]][-2]
        return total

    def test_is_as_much_as_published(self):
        for name, billions in self.PUBLISHED.items():
            with self.subTest(name):
                self.assertAlmostEqual(self.multiply_adds(built(name)) / 1e9, billions, delta=0.0006)


class MobileNetCount(unittest.TestCase):
    """The count at width 2 has no published number, so it is derived here from channels written out by hand.

    Rows are (kernel, inputs, expanded, squeezed or 0, outputs). At width 2 everything doubles but one squeeze: a
    quarter of 72 is 18, rounded to 24 since 16 is more than 10 % too few; a quarter of 144 is 36, rounded to 40.
    """

    WIDTH_1 = [
        (3, 16, 16, 0, 16), (3, 16, 64, 0, 24), (3, 24, 72, 0, 24), (5, 24, 72, 24, 40), (5, 40, 120, 32, 40),
        (5, 40, 120, 32, 40), (3, 40, 240, 0, 80), (3, 80, 200, 0, 80), (3, 80, 184, 0, 80), (3, 80, 184, 0, 80),
        (3, 80, 480, 120, 112), (3, 112, 672, 168, 112), (5, 112, 672, 168, 160), (5, 160, 960, 240, 160),
        (5, 160, 960, 240, 160)]
    WIDTH_2 = [
        (3, 32, 32, 0, 32), (3, 32, 128, 0, 48), (3, 48, 144, 0, 48), (5, 48, 144, 40, 80), (5, 80, 240, 64, 80),
        (5, 80, 240, 64, 80), (3, 80, 480, 0, 160), (3, 160, 400, 0, 160), (3, 160, 368, 0, 160),
        (3, 160, 368, 0, 160), (3, 160, 960, 240, 224), (3, 224, 1344, 336, 224), (5, 224, 1344, 336, 320),
        (5, 320, 1920, 480, 320), (5, 320, 1920, 480, 320)]

    @staticmethod
    def count(rows, hidden, classes=1000):
        first, last = rows[0][1], rows[-1][4]
        total = 27 * first + 2 * first  # the stem, with its batch norm
        for kernel, inputs, expanded, squeezed, outputs in rows:
            if inputs != expanded:
                total += inputs * expanded + 2 * expanded
            total += kernel * kernel * expanded + 2 * expanded
            if squeezed:
                total += 2 * expanded * squeezed + squeezed + expanded
            total += expanded * outputs + 2 * outputs
        total += last * 6 * last + 2 * 6 * last
        return total + (6 * last + 1) * hidden + (hidden + 1) * classes

    def test_formula_agrees_with_the_published_count_at_width_1(self):
        self.assertEqual(self.count(self.WIDTH_1, 1280), PARAMETERS["mobilenet_v3_large"])

    def test_formula_agrees_at_width_2(self):
        self.assertEqual(self.count(self.WIDTH_2, 2560), PARAMETERS["mobilenet_v3_large_w2"])
        self.assertEqual(self.count(self.WIDTH_2, 2560, 10), PARAMETERS_OF_10_CLASSES["mobilenet_v3_large_w2"])


class OtherClasses(unittest.TestCase):
    """The last layer has as many outputs as asked for; nothing else differs."""

    def test_the_counts_are_torchvisions(self):
        counts = {name: entry.with_classes(10).parameters for name, entry in CATALOGUE.entries.items()}
        self.assertEqual(counts, PARAMETERS_OF_10_CLASSES)

    def test_one_network_of_each_family_has_them(self):
        for name in ("resnet18", "mobilenet_v3_small", "vit_b_16"):
            with self.subTest(name):
                model = build(CATALOGUE, name, classes=10)
                self.assertEqual(count_parameters(model.graph), PARAMETERS_OF_10_CLASSES[name])
                inferred = onnx.shape_inference.infer_shapes(undeclared_output(model), strict_mode=True, data_prop=True)
                self.assertEqual(declared(inferred.graph.output[0]), ("logits", ["batch", 10]))
                said = {row.key: row.value for row in model.metadata_props}
                self.assertEqual((said["strobe.zoo_classes"], said["strobe.parameters"]),
                                 ("10", str(PARAMETERS_OF_10_CLASSES[name])))

    def test_all_other_weights_are_the_same(self):
        name = "mobilenet_v3_small"
        weights, usual = ({t.name: t.raw_data for t in model.graph.initializer}
                          for model in (build(CATALOGUE, name, classes=10), built(name)))
        self.assertEqual([n for n in usual if usual[n] != weights[n]], ["classifier.3.weight", "classifier.3.bias"])

    def test_files_of_1000_classes_say_what_they_said(self):
        entry = CATALOGUE.entries["resnet18"]
        self.assertEqual(entry.with_classes(1000), entry)
        self.assertNotIn("strobe.zoo_classes", metadata(entry, CATALOGUE.version, 0))
        self.assertEqual((entry.file_name, entry.with_classes(10).file_name), ("resnet18.onnx", "resnet18_c10.onnx"))


class PretrainedWeights(unittest.TestCase):
    """What torchvision's cache has, with a set of weights as torchvision describes it."""

    CONTENT = b"weights"
    NAME = f"small-{hashlib.sha256(CONTENT).hexdigest()[:8]}.pth"
    META = {"min_size": (224, 224)}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = Path(folder.name)
        best = SimpleNamespace(url=f"https://example.org/models/{self.NAME}", meta=self.META)

        class Known(enum.Enum):
            IMAGENET1K_V1 = SimpleNamespace(url="https://example.org/models/other-00000000.pth", meta={})
            IMAGENET1K_V2 = best
            DEFAULT = best
            url = property(lambda self: self.value.url)
            meta = property(lambda self: self.value.meta)

        self.known = Known

    def store(self, content):
        path = self.cache / "checkpoints" / self.NAME
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return path

    def find(self, word="DEFAULT"):
        return pretrained.cached_file(pretrained.choose(self.known, word, "small"), "small", self.cache)

    def refused(self, *phrases, **arguments):
        with self.assertRaises(pretrained.NoWeights) as caught:
            self.find(**arguments)
        for phrase in phrases:
            self.assertIn(phrase, str(caught.exception))

    def test_are_found_by_either_name(self):
        path = self.store(self.CONTENT)
        self.assertEqual(self.find("DEFAULT"), path)
        self.assertEqual(self.find("IMAGENET1K_V2"), path)

    def test_that_are_not_there_are_asked_for_and_never_downloaded(self):
        with mock.patch("socket.socket", side_effect=AssertionError("a socket was opened")):
            self.refused(self.NAME, str(self.cache / "checkpoints"), "nothing is downloaded",
                         "get_model('small', weights='IMAGENET1K_V2')")
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_that_were_cut_off_are_refused(self):
        self.store(self.CONTENT[:-1])
        self.refused("is damaged", self.NAME[6:14], "Delete it")

    def test_of_an_unknown_name_are_refused_with_those_there_are(self):
        self.refused("'LATEST'", "IMAGENET1K_V1, IMAGENET1K_V2, DEFAULT", word="LATEST")

    def test_of_images_of_another_size_do_not_fit(self):
        pretrained.refuse_other_size(self.known.DEFAULT, "small", 224)
        with self.assertRaises(pretrained.NoWeights) as caught:
            pretrained.refuse_other_size(self.known.DEFAULT, "small", 384)
        self.assertIn("224x224", str(caught.exception))


@unittest.skipIf(onnxruntime is None, WHY_NO_RUNTIME)
class InOnnxRuntime(unittest.TestCase):
    def session(self, name):
        options = onnxruntime.SessionOptions()
        options.enable_cpu_mem_arena = False  # for memory: the arena keeps its largest size
        return onnxruntime.InferenceSession(serialise(built(name)), options, providers=["CPUExecutionProvider"])

    def logits(self, session, shape, noise="standard_normal"):
        image = getattr(np.random.default_rng(7), noise)(shape, dtype=np.float32)
        return session.run(["logits"], {"input": image})[0]

    def assert_sane(self, logits):
        """Finite, neither dead nor exploded, and what tells two inputs apart is far above rounding."""
        self.assertTrue(np.isfinite(logits).all())
        self.assertTrue(0.1 < logits.std() < 30, f"std {logits.std()}")
        apart = (logits[0] - logits[1]).std() / logits.std()
        self.assertGreater(apart, 0.02)

    def test_every_network_tells_inputs_apart(self):
        for name in NETWORKS:
            with self.subTest(name):
                session = self.session(name)
                for noise in ("standard_normal", "random"):
                    logits = self.logits(session, (2, 3, 224, 224), noise)
                    self.assertEqual(logits.shape, (2, 1000))
                    self.assert_sane(logits)

    def test_a_batch_element_does_not_depend_on_its_neighbours(self):
        session = self.session("mobilenet_v3_small")
        images = np.random.default_rng(7).standard_normal((2, 3, 224, 224), dtype=np.float32)
        both = session.run(None, {"input": images})[0]
        alone = session.run(None, {"input": images[1:]})[0]
        np.testing.assert_allclose(both[1:], alone, rtol=1e-3, atol=1e-4)

    def test_resnet18_takes_an_image_that_is_not_square(self):
        session = self.session("resnet18")
        self.assertEqual(self.logits(session, (1, 3, 96, 160)).shape, (1, 1000))
        self.assert_sane(self.logits(session, (2, 3, 96, 160)))


class Bytes(unittest.TestCase):
    NAME = "mobilenet_v3_small"

    def test_are_the_same_each_time(self):
        for name in ("resnet18", self.NAME):
            self.assertEqual(serialise(build(CATALOGUE, name)), serialise(built(name)))

    def test_depend_on_the_seed(self):
        self.assertNotEqual(serialise(build(CATALOGUE, self.NAME, seed=1)), serialise(built(self.NAME)))


class Files(unittest.TestCase):
    NAME = "mobilenet_v3_small"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "made" / "on demand"
        self.path = self.out / f"{self.NAME}.onnx"
        self.expected = metadata(CATALOGUE.entries[self.NAME], CATALOGUE.version, 0)

    def command(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.main(list(map(str, arguments)))
        return code, out.getvalue(), err.getvalue()

    def test_are_built_once_and_again_when_forced(self):
        build_it = ("build", self.NAME, "--out", self.out)
        self.assertEqual(self.command(*build_it)[0], 0)
        self.assertEqual([path.name for path in self.out.iterdir()], [self.path.name])
        self.assertIn("up to date", self.command(*build_it)[1])
        self.assertNotIn("up to date", self.command(*build_it, "--force")[1])

    def test_of_other_classes_lie_beside_the_usual_ones(self):
        build_it = ("build", self.NAME, "--out", self.out)
        self.command(*build_it)
        self.assertEqual(self.command(*build_it, "--classes", "10")[0], 0)
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), [self.path.name, f"{self.NAME}_c10.onnx"])
        self.assertIn("up to date", self.command(*build_it, "--classes", "10")[1])

    def test_are_out_of_date_when_damaged_or_of_another_version(self):
        write(built(self.NAME), self.path)
        self.assertTrue(is_current(self.path, self.expected))
        self.assertFalse(is_current(self.path, self.expected | {"strobe.zoo_version": "another"}))
        self.path.write_bytes(self.path.read_bytes()[:-1000])
        self.assertFalse(is_current(self.path, self.expected))

    def test_stay_as_they_were_when_writing_fails(self):
        write(built(self.NAME), self.path)
        with mock.patch("os.replace", side_effect=OSError(28, "No space left on device")):
            code, _, err = self.command("build", self.NAME, "--out", self.out, "--force")
        self.assertEqual(code, 3)
        self.assertIn("No space left on device", err)
        self.assertEqual([path.name for path in self.out.iterdir()], [self.path.name])
        self.assertTrue(is_current(self.path, self.expected))

    def test_of_unknown_networks_are_refused_with_the_nearest_name(self):
        code, out, err = self.command("build", "resnet81", "--out", self.out)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("did you mean 'resnet18'?", err)
        self.assertIn("vit_b_16", err)
        self.assertFalse(self.out.exists())

    def test_for_torch_have_either_their_own_classes_or_pretrained_weights(self):
        code, _, err = self.command("export", "resnet18", "--format", "pt", "--classes", "10", "--weights", "DEFAULT")
        self.assertEqual(code, 2)
        self.assertIn("pretrained networks have 1000 classes", err)

    def test_are_listed_with_their_size_once_built(self):
        write(built(self.NAME), self.path)
        _, text, _ = self.command("list", "--json", "--out", self.out)
        sizes = {row["name"]: row["file_bytes"] for row in json.loads(text)["models"]}
        self.assertEqual(sizes[self.NAME], self.path.stat().st_size)
        self.assertIsNone(sizes["resnet18"])
        self.assertIn("11,689,512", self.command("list")[1])


if __name__ == "__main__":
    unittest.main()
