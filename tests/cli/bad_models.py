# SPDX-License-Identifier: Apache-2.0
"""Files that are not models, tensors that do not fit, values that cannot be had."""

import time
import unittest

from .program import CANNOT, USAGE, ProgramTest

try:
    import numpy as np
    import onnx

    from . import models
    MISSING = None
except ModuleNotFoundError as error:
    MISSING = f"the Python package {error.name} is not installed"

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0\x1f\x15\xc4\x89"
FEW = ("--requests", "2", "--warmup", "1")   # where a run that should be refused is not
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d" * 32 + b"\nsize 46823\n"


@unittest.skipIf(MISSING, MISSING)
class BadModel(ProgramTest):
    def write(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def test_there_is_no_file(self):
        self.refused(CANNOT, ["nothing.onnx"], "nothing.onnx", "no such file")

    def test_the_file_is_empty(self):
        self.refused(CANNOT, [self.write("e.onnx", b"")], "e.onnx", "empty")

    def test_the_file_is_cut_off(self):
        whole = models.embedding(self.folder / "whole.onnx").read_bytes()
        for length in (1, 10, len(whole) // 2, len(whole) - 1):
            with self.subTest(f"{length} bytes of {len(whole)}"):
                self.refused(CANNOT, [self.write("cut.onnx", whole[:length])], "cut.onnx", "not a whole ONNX file")

    def test_the_file_is_something_else(self):
        contents = {"picture": PNG, "text": b"This is not a model.\n" * 20, "zeros": bytes(4096), "JSON": b'{"a": 1}'}
        for name, data in contents.items():
            with self.subTest(name):
                self.refused(CANNOT, [self.write("other.onnx", data)], "other.onnx", "ONNX file")

    def test_the_file_is_a_git_lfs_pointer(self):
        self.refused(CANNOT, [self.write("lfs.onnx", LFS)], "lfs.onnx", "Git LFS pointer")

    def test_the_suffix_says_nothing(self):
        self.refused(USAGE, [self.write("m.xyz", b"x")], "m.xyz", "'.xyz'", ".onnx", "--runtime")
        self.refused(USAGE, [self.write("model", b"x")], "no suffix", "--runtime")

    def test_it_is_a_folder(self):
        (self.folder / "d.onnx").mkdir()
        self.refused(CANNOT, ["d.onnx"], "d.onnx", "folder")
        self.refused(CANNOT, ["."], "folder")

    def test_it_may_not_be_read(self):
        models.relu(self.folder / "m.onnx")
        (self.folder / "m.onnx").chmod(0)
        try:
            (self.folder / "m.onnx").read_bytes()
        except PermissionError:
            self.refused(CANNOT, ["m.onnx"], "m.onnx", "permission")
        else:
            self.skipTest("this user may read everything")

    def test_an_operator_is_unknown(self):
        models.unknown_operator(self.folder / "m.onnx")
        self.refused(CANNOT, ["m.onnx"], "m.onnx", "FlashFoo")

    def test_an_input_is_not_made_of_numbers(self):
        models.text_input(self.folder / "m.onnx")
        self.refused(CANNOT, ["m.onnx"], "input 'x'", "not a number")
        models.sequence_input(self.folder / "m.onnx")
        self.refused(CANNOT, ["m.onnx"], "input 'x'", "not a dense tensor")

    def test_links_lead_nowhere(self):
        (self.folder / "m.onnx").symlink_to("n.onnx")
        self.refused(CANNOT, ["m.onnx"], "m.onnx", "a link to 'n.onnx', which is not there")
        (self.folder / "n.onnx").symlink_to("m.onnx")
        self.refused(CANNOT, ["m.onnx"], "m.onnx", "symbolic links")

    def test_a_long_complaint_of_the_runtime_ends_with_a_word(self):
        model = models.unknown_operator(self.folder / "m.onnx")
        words = " ".join(f"word{i}" for i in range(100, 200))
        graph = onnx.load(model)
        graph.graph.node[1].op_type = words
        onnx.save(graph, model)
        said = self.refused(CANNOT, ["m.onnx"], "m.onnx", "word100")
        self.assertRegex(said, r"word\d\d\d …\.\n")

    def test_the_weights_beside_it_are_missing(self):
        models.external(self.folder / "m.onnx", "weights.bin")
        (self.folder / "weights.bin").unlink()
        self.refused(CANNOT, ["m.onnx"], "m.onnx", "weights.bin")

    def test_the_runtime_is_unknown(self):
        models.relu(self.folder / "m.onnx")
        self.refused(USAGE, ["m.onnx", "--runtime", "nosuch"], "nosuch", "onnxruntime")
        self.refused(USAGE, ["m.onnx", "--runtime", "onxruntime"], "did you mean 'onnxruntime'?")

    def test_the_device_is_not_there(self):
        models.relu(self.folder / "m.onnx")
        self.refused(USAGE, ["m.onnx", "--device", "nonsense"], "nonsense", "cpu")
        self.refused(CANNOT, ["m.onnx", "--device", "cuda:99"], "cuda")

    def test_operations_are_given_where_nobody_shows_them(self):
        models.relu(self.folder / "m.onnx")
        self.refused(USAGE, ["m.onnx", "--device", "cpu", "--flops", "1e9"], "--flops", "a GPU's best, and this is cpu")

    def test_a_setting_is_unknown_or_has_no_such_value(self):
        models.relu(self.folder / "m.onnx")
        self.refused(USAGE, ["m.onnx", "--set", "intra_op_num_thread=1"], "did you mean 'intra_op_num_threads'?")
        self.refused(USAGE, ["m.onnx", "--set", "graph_optimization_level=fast"], "disabled, basic, extended, all")
        self.refused(USAGE, ["m.onnx", "--set", "intra_op_num_threads=-1"], "intra_op_num_threads")
        self.refused(USAGE, ["m.onnx", "--set", "enable_mem_pattern=perhaps"], "neither on nor off")
        self.refused(USAGE, ["m.onnx", "--set", "nothing"], "'='")

    def test_a_file_cannot_be_converted(self):
        models.relu(self.folder / "m.onnx")
        self.refused(USAGE, ["m.onnx", "--dtype", "fp16"], "--dtype", "onnxruntime", "fixes the types")
        self.refused(USAGE, ["m.onnx", "--layout", "channels_last"], "--layout", "onnxruntime", "fixes the layout")


@unittest.skipIf(MISSING, MISSING)
class BadTensor(ProgramTest):
    def setUp(self):
        super().setUp()
        models.relu(self.folder / "m.onnx", ("batch", 3, "height"))
        np.save(self.folder / "x.npy", np.ones((1, 3, 8), np.float32))

    def test_no_input_has_that_name(self):
        models.dynamic(self.folder / "ids.onnx", "input_ids")
        for option in (("--shape", "input_id=1x8"), ("--input", "input_id=x.npy"), ("--input-range", "input_id=0..9")):
            with self.subTest(option):
                self.refused(USAGE, ["ids.onnx", *option], option[0], "'input_id'", "did you mean 'input_ids'?")

    def test_the_rank_is_wrong(self):
        self.refused(USAGE, ["m.onnx", "--shape", "x=1x8"], "2 dimensions", "wants 3", "batch", "height")
        self.refused(USAGE, ["m.onnx", "--shape", "x=scalar"], "0 dimensions")

    def test_a_fixed_dimension_is_another(self):
        self.refused(USAGE, ["m.onnx", "--shape", "x=1x4x8"], "dimension 1 is 4", "batch", "height")

    def test_the_type_is_another(self):
        self.refused(USAGE, ["m.onnx", "--shape", "x=1x3x8:i64"], "i64", "f32")
        self.refused(USAGE, ["m.onnx", "--shape", "x=1x3x8:f99"], "f99")
        self.refused(USAGE, ["m.onnx", "--shape", "x=1x3x8:"], "colon")

    def test_a_dimension_is_not_one(self):
        for shape in ("0x3x8", "-1x3x8", "1x3x-8", "1xx8", "1x3x", "x", "", "1x3xheight", "1.5x3x8", "1 x3x8",
                      "9223372036854775808x3x8", "4611686018427387904x3x8", "3037000500x3x3037000500"):
            with self.subTest(shape):
                self.refused(USAGE, ["m.onnx", f"--shape=x={shape}"], "--shape", shape)

    def test_the_shape_has_no_name(self):
        self.refused(USAGE, ["m.onnx", "--shape", "1x3x8"], "1x3x8", "name=")
        self.refused(USAGE, ["m.onnx", "--shape", "=1x3x8"], "=1x3x8")

    def test_a_range_is_not_one(self):
        for text in ("x=5..1", "x=1..1", "x=a..b", "x=1", "x=..", "x=0..nan", "x=0..1e999", "=0..1", "x=0...5..1"):
            with self.subTest(text):
                self.refused(USAGE, ["m.onnx", "--shape", "x=1x3x8", "--input-range", text], "--input-range")

    def test_a_range_does_not_fit_the_type(self):
        models.cast(self.folder / "u8.onnx", "u8")
        for text in ("x=0..1000", "x=-5..5", "x=0..1e30"):
            with self.subTest(text):
                self.refused(USAGE, ["u8.onnx", "--input-range", text, *FEW], "u8")


@unittest.skipIf(MISSING, MISSING)
class BadValues(ProgramTest):
    """--input x=FILE"""

    def setUp(self):
        super().setUp()
        models.relu(self.folder / "m.onnx", ("batch", 3, 8))

    def save(self, array, **more):
        np.save(self.folder / "x.npy", array, **more)

    def test_there_is_no_file(self):
        self.refused(CANNOT, ["m.onnx", "--input", "x=none.npy"], "none.npy", "no such file")
        self.refused(CANNOT, ["m.onnx", "--input", "x=."], "folder")

    def test_the_file_is_not_npy(self):
        for data in (b"", b"\x93NUM", b"text, not numbers", b"PK\x03\x04" + bytes(100)):
            with self.subTest(data):
                (self.folder / "x.npy").write_bytes(data)
                self.refused(CANNOT, ["m.onnx", "--input", "x=x.npy"], "x.npy", "not a .npy file")

    def test_the_file_is_cut_off(self):
        self.save(np.ones((1, 3, 8), np.float32))
        whole = (self.folder / "x.npy").read_bytes()
        for length in (12, 60, 128, len(whole) - 1):
            with self.subTest(length):
                (self.folder / "x.npy").write_bytes(whole[:length])
                self.refused(CANNOT, ["m.onnx", "--input", "x=x.npy"], "x.npy", "cut off")

    def test_the_type_is_another(self):
        self.save(np.ones((1, 3, 8), np.float64))
        self.refused(USAGE, ["m.onnx", "--input", "x=x.npy"], "x.npy", "f64", "f32")

    def test_the_elements_are_not_numbers(self):
        shape = (1, 3, 8)
        arrays = {"big-endian": np.ones(shape, ">f4"), "complex": np.ones(shape, np.complex64),
                  "text": np.full(shape, "a"), "records": np.zeros(shape, [("a", "<f4")]),
                  "objects": np.full(shape, None)}
        for name, array in arrays.items():
            with self.subTest(name):
                self.save(array, allow_pickle=True)
                self.refused(CANNOT, ["m.onnx", "--input", "x=x.npy"], "x.npy")

    def test_the_shape_is_another(self):
        self.save(np.ones((1, 4, 8), np.float32))
        self.refused(USAGE, ["m.onnx", "--input", "x=x.npy"], "x.npy", "dimension 1 is 4")
        self.save(np.ones(8, np.float32))
        self.refused(USAGE, ["m.onnx", "--input", "x=x.npy"], "x.npy", "1 dimension,")

    def test_the_batch_is_another(self):
        self.save(np.ones((2, 3, 8), np.float32))
        self.refused(USAGE, ["m.onnx", "--input", "x=x.npy", "--batch", "4"], "x.npy", "--batch 4", "2 items")

    def test_a_shape_beside_it_disagrees(self):
        self.save(np.ones((2, 3, 8), np.float32))
        self.refused(USAGE, ["m.onnx", "--input", "x=x.npy", "--shape", "x=4x3x8", *FEW], "x.npy", "--shape")

    def test_a_range_beside_it_makes_no_sense(self):
        self.save(np.ones((2, 3, 8), np.float32))
        self.refused(USAGE, ["m.onnx", "--input", "x=x.npy", "--input-range", "x=0..1", *FEW], "x.npy",
                     "--input-range")

    def test_the_order_is_fortran(self):
        self.save(np.asfortranarray(np.arange(48, dtype=np.float32).reshape(2, 3, 8)))
        self.refused(CANNOT, ["m.onnx", "--input", "x=x.npy"], "x.npy", "Fortran order")

    def test_it_is_empty(self):
        self.save(np.ones((0, 3, 8), np.float32))
        result = self.strobe("run", "m.onnx", "--input", "x=x.npy", *FEW)
        self.assertIn(result.returncode, (0, USAGE, CANNOT), result.stderr)


@unittest.skipIf(MISSING, MISSING)
class TooLarge(ProgramTest):
    """Refused by counting, before the operating system has to step in."""

    def quickly(self, arguments, *phrases):
        begin = time.monotonic()
        self.refused(CANNOT, arguments, *phrases)
        self.assertLess(time.monotonic() - begin, 20)

    def test_a_batch_needs_more_memory_than_there_is(self):
        self.needs_zoo("mobilenet_v3_small")
        self.quickly(["zoo:mobilenet_v3_small", "--batch", "100000000"], "GiB", "smaller batch")

    def test_a_shape_needs_more_memory_than_there_is(self):
        models.relu(self.folder / "m.onnx", ("batch", 3, "height"))
        self.quickly(["m.onnx", "--shape", "x=1x3x100000000000"], "GiB", "smaller batch or shape")
        self.quickly(["m.onnx", "--shape", "x=1x3x380000000000000000"], "smaller batch or shape")

    def test_an_output_needs_more_memory_than_there_is(self):
        models.outer(self.folder / "m.onnx")
        self.quickly(["m.onnx", "--shape", "x=4000000"], "m.onnx", "smaller")

    def test_a_value_asks_for_more_memory_than_there_is(self):
        models.grows(self.folder / "m.onnx")
        np.save(self.folder / "n.npy", np.array([10**14], np.int64))
        self.quickly(["m.onnx", "--input", "shape=n.npy"], "m.onnx", "smaller")

    def test_a_file_claims_more_values_than_it_holds(self):
        models.relu(self.folder / "m.onnx")
        for shape in ("(1, 3, 9223372036854775807)", "(4294967296, 4294967296, 8)", "(100000000, 3, 8)", "(-1, 3, 8)"):
            with self.subTest(shape):
                header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
                head = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
                (self.folder / "x.npy").write_bytes(head)
                self.quickly(["m.onnx", "--input", "x=x.npy"], "x.npy")
