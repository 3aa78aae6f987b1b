# SPDX-License-Identifier: Apache-2.0
"""The verbs of the command line from Python: models, also in fresh processes."""
import threading
import time
import unittest

import strobe

SIM = "sim:kernels=20x5us,launch=4us,sync=6us"


class Models(unittest.TestCase):
    def test_run_launches_fresh_processes(self):
        r = strobe.run(SIM, warmup=0, requests=30, launches=3, progress=False)
        self.assertEqual(len(r.launches), 3)
        self.assertAlmostEqual(r.metrics["latency"].value, 110_000, delta=1)

    def test_a_model_carries_its_options(self):
        model = strobe.Model("sim:kernels=20x5us", seed=3)
        self.assertEqual(repr(model), "Model('sim:kernels=20x5us', seed=3)")
        with self.assertRaisesRegex(strobe.Error, "--batch"):
            strobe.run(strobe.Model("sim:tiny", batch=2), launches=1)
        with self.assertRaisesRegex(strobe.Error, "--batch"):
            strobe.run("sim:tiny", batch=2, launches=1)

    def test_methods_reads_the_methods_that_are_named(self):
        r = strobe.methods(SIM, methods=["sync", "gated"], launches=1, progress=False)
        readings = {c["name"]: c["metrics"]["reading"]["median"]["value"] for c in r.cases}
        self.assertEqual(readings, {"sync": 110_000, "gated": 100_000})

    def test_throughput_searches_in_workers(self):
        r = strobe.throughput("work:spin=200us", device="cpu", effort="quick", no_largest=True, progress=False)
        self.assertLess(r.metrics["throughput"].value, 5_000)
        self.assertGreater(r.metrics["throughput"].value, 50)
        with self.assertRaisesRegex(strobe.Error, "--batches"):
            strobe.throughput("a.onnx", batch=2)

    def test_compare_of_models(self):
        r = strobe.compare({"few": SIM, "many": "sim:kernels=40x5us,launch=4us,sync=6us"}, pairs=8, progress=False)
        self.assertEqual(r.comparisons[0]["outcome"], "slower")
        names = [c["name"] for c in strobe.compare([SIM, strobe.Model("sim:kernels=40x5us")], pairs=8, progress=False).cases]
        self.assertEqual(names, [SIM, "sim:kernels=40x5us"])

    def test_other_threads_go_on_meanwhile(self):
        ticks, end = [], threading.Event()

        def tick():
            while not end.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.01)

        thread = threading.Thread(target=tick)
        thread.start()
        strobe.run("work:spin=1ms", device="cpu", launches=1, requests=300, warmup=0, progress=False)
        end.set()
        thread.join()
        self.assertGreater(len(ticks), 20)


if __name__ == "__main__":
    unittest.main()
