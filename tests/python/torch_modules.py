# SPDX-License-Identifier: Apache-2.0
"""Modules and functions of torch on the CPU; skipped where torch is not installed."""
import itertools
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import strobe

FEW = {"warmup": 0, "requests": 30, "progress": False}
try:
    import torch
except (ImportError, OSError):  # also where it is there without the libraries of CUDA (scripts/torch-python)
    if os.environ.get("STROBE_TEST_TORCH"):  # there must be one
        raise
    torch = None

PACKAGE = Path(strobe.__file__).parent


class WithoutTorch(unittest.TestCase):
    def test_torch_is_not_imported(self):
        program = "import sys, strobe; strobe.measure(sorted, [1], requests=5, warmup=0); print('torch' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=os.environ, check=True)
        self.assertEqual(done.stdout.strip(), "False")

    def test_facts_say_nothing_of_torch(self):
        facts = strobe.measure(sorted, [1, 2], **FEW).to_dict()["model"]["facts"]
        self.assertEqual({"torch", "training", "autograd"} & set(facts), set())


@unittest.skipUnless(torch, "torch cannot be imported")
class Torch(unittest.TestCase):
    def setUp(self):
        self.x = torch.randn(8, 64)
        self.layer = torch.nn.Linear(64, 64).eval()

    def measure(self, target, *args):
        r = strobe.measure(target, *args, **FEW)
        return r.to_dict()["model"]["facts"], [f.id for f in r.findings]

    def test_a_module_runs_under_inference_mode_entered_once(self):
        seen = []

        class Module(torch.nn.Module):
            def forward(module, x):
                seen.append(torch.is_inference_mode_enabled())
                return self.layer(x)

        facts, findings = self.measure(Module().eval(), self.x)
        self.assertEqual(set(seen), {True})
        self.assertFalse(torch.is_inference_mode_enabled())
        self.assertEqual((facts["inference_mode"], facts["training"], facts["torch"]), (True, False, torch.__version__))
        self.assertEqual({"training-mode", "autograd-on"} & set(findings), set())

    def test_a_module_that_trains_is_found(self):
        facts, findings = self.measure(torch.nn.Dropout().train(), self.x)
        self.assertTrue(facts["training"])
        self.assertIn("training-mode", findings)

    def test_a_function_runs_as_it_is(self):
        facts, findings = self.measure(lambda: {"y": self.layer(self.x)})
        self.assertTrue(facts["autograd"])
        self.assertIn("autograd-on", findings)

        def without():
            with torch.inference_mode():
                return self.layer(self.x)
        facts, findings = self.measure(without)
        self.assertFalse(facts["autograd"])
        self.assertNotIn("autograd-on", findings)

    def outputs_of(self, *results):
        """What is seen of a function that returns these in turns."""
        r = strobe.measure(itertools.cycle(results).__next__, warmup=0, requests=5, progress=False)
        return r.to_dict()["observations"].get("outputs")

    def test_outputs_that_cannot_be_compared_are_no_observation(self):
        x = torch.eye(4)
        for first, second in ((x, x[:1]), (x, x.half()), (x, x.to_sparse()), (x, (x, x))):
            with self.subTest(second):
                self.assertIsNone(self.outputs_of(first, second))
        for result in (x.to_sparse(), torch.quantize_per_tensor(x, 0.1, 0, torch.quint8), torch.empty(4, device="meta")):
            with self.subTest(result.layout):
                self.assertIsNone(self.outputs_of(result))

    def test_outputs_of_all_plain_kinds_are_compared(self):
        x = torch.randn(4, 4)
        for result in (x, x.half(), x.to(torch.complex64), (x > 0), x.long(), x[:0], {"y": x}, (x, x)):
            with self.subTest(result):
                self.assertTrue(self.outputs_of(result)["repeatable"])
        for first, second in ((x, x + 1), (torch.zeros(4), torch.ones(4)), (x > 0, x <= 0)):
            with self.subTest(first):
                self.assertFalse(self.outputs_of(first, second)["repeatable"])

    def test_modules_are_compared_under_inference_mode_too(self):
        seen = []
        hook = self.layer.register_forward_hook(lambda *_: seen.append(torch.is_inference_mode_enabled()))
        strobe.compare({"a": self.layer, "b": self.layer}, self.x, pairs=1, progress=False)
        strobe.compare({"a": self.layer, "b": lambda x: x}, self.x, pairs=1, progress=False)
        hook.remove()
        self.assertIn(True, seen)
        self.assertFalse(seen[-1])

    def test_the_timer_of_torch_and_ours_take_the_same_call(self):
        from torch.utils.benchmark import Timer
        from strobe import compat
        call = {"stmt": "layer(x)", "globals": {"layer": self.layer, "x": self.x}, "num_threads": 1, "label": "linear"}
        theirs, ours = (T(**call).blocked_autorange(min_run_time=0.2) for T in (Timer, compat.Timer))
        self.assertGreater(ours.median, 0.2 * theirs.median)
        self.assertLess(ours.median, 5 * theirs.median)
        self.assertEqual(ours.title, theirs.title)

    def test_do_bench_without_a_gpu_says_so(self):
        from strobe import compat
        if torch.cuda.is_available():
            self.skipTest("there is a GPU")
        with self.assertRaisesRegex(strobe.Error, "torch sees none here"):
            compat.do_bench(lambda: self.layer(self.x))

    @unittest.skipUnless((PACKAGE / "lib/strobe/strobe_torch.so").exists(), "no plugin for torch is installed here")
    def test_model_files_run_on_the_environments_own_torch(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder, "linear.pt")
            torch.jit.trace(self.layer, self.x).save(model)
            few = {"shape": {"input": "8x64"}, "device": "cpu", **FEW}
            for launches in (1, 2):  # in this process, which has imported torch, and in workers
                with self.subTest(launches):
                    found = strobe.run(model, launches=launches, **few).to_dict()["model"]
                    self.assertEqual((found["runtime"], found["runtime_version"]), ("torch", torch.__version__.split("+")[0]))

    def test_the_best_batch_of_a_module(self):
        r = strobe.throughput(lambda batch: torch.randn(batch, 64), self.layer, batches=[1, 8], effort="quick", progress=False)
        self.assertEqual([c["outcome"] for c in r.cases], ["fits", "fits"])


if __name__ == "__main__":
    unittest.main()
