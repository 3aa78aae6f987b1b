# SPDX-License-Identifier: Apache-2.0
"""throughput of callables: batches of known length, memory that ends, and what is refused. Each trial takes seconds."""
import time
import unittest

import strobe

FEW = {"effort": "quick", "progress": False}
FIXED, EACH = 2e-3, 0.5e-3  # seconds of a call, and of each item in it


def work(batch, items=()):
    time.sleep(FIXED + EACH * batch)


def rate(batch):
    return batch / (FIXED + EACH * batch)


class Search(unittest.TestCase):
    def test_rates_are_those_of_calls_of_known_length_until_memory_ends(self):
        tried = []

        def make(batch):
            tried.append(batch)
            if batch > 100:
                raise MemoryError(f"no room for {batch}")
            return batch, [0] * batch

        r = strobe.throughput(make, work, batches=[1, 64, 128, 256], **FEW)
        self.assertEqual([c["outcome"] for c in r.cases], ["fits", "fits", "out-of-memory", "out-of-memory"])
        self.assertEqual(max(tried), 128)
        for case in r.cases[:2]:
            batch, found = case["settings"]["batch"], case["metrics"]["throughput"]
            self.assertLess(found["value"], 1.01 * rate(batch))
            self.assertGreater(found["value"], 0.6 * rate(batch))  # a busy neighbour
            self.assertIn("low", found)
        fields = r.to_dict()
        self.assertEqual((r.verb, r.launches, fields["model"]["name"]), ("throughput", [], "work"))
        self.assertEqual(fields["answer"]["best_batch"], 64)
        for words in ("one launch", "batch 64", "best batch", "out-of-memory: no room for 128", "out-of-memory: a batch of 128 did not fit"):
            self.assertIn(words, r.text())
        self.assertIn("of this one launch", repr(r))
        self.assertIn("batch 64", r.html())

    def test_a_first_batch_that_does_not_fit_is_an_error(self):
        def exhausts(batch):
            raise MemoryError("no room at all")

        with self.assertRaisesRegex(strobe.Error, "cannot run a single request: no room at all"):
            strobe.throughput(lambda batch: batch, exhausts, batches=[8], **FEW)

    def test_the_machine_is_not_taken_to_its_end(self):
        r = strobe.throughput(lambda batch: bytearray(batch << 20), lambda data: time.sleep(0.001), memory=40 << 20,
                              batches=[1, 256], **FEW)
        self.assertEqual([c["outcome"] for c in r.cases], ["fits", "out-of-memory"])
        self.assertEqual(len(bytearray(256 << 20)), 256 << 20)  # the limit has gone with the search

    def test_stop_leaves_the_batches_so_far(self):
        heard = []
        r = strobe.throughput(lambda batch: batch, work, batches=[1, 2, 3], effort="quick", progress=heard.append,
                              stop=lambda: bool(heard) and heard[-1].phase == "batch 2")
        self.assertEqual((r.status, len(r.cases)), ("interrupted", 1))


class Refusals(unittest.TestCase):
    def test_what_the_callable_raises_comes_out(self):
        raised = KeyError("x")

        def fails(batch):
            raise raised

        with self.assertRaises(KeyError) as caught:
            strobe.throughput(lambda batch: batch, fails, **FEW)
        self.assertIs(caught.exception, raised)

    def test_options_of_models_are_refused(self):
        for option, value in (("streams", [2]), ("launches", 3), ("no_largest", True)):
            with self.subTest(option), self.assertRaisesRegex(strobe.Error, f"'{option}'.*belongs to models"):
                strobe.throughput(lambda batch: batch, work, **{option: value}, **FEW)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'requests'"):
            strobe.throughput(lambda batch: batch, work, requests=5)
        with self.assertRaisesRegex(TypeError, "takes a callable, not NoneType"):
            strobe.throughput(work)
        with self.assertRaisesRegex(TypeError, "takes a callable, not str"):
            strobe.throughput("a.onnx", work)


if __name__ == "__main__":
    unittest.main()
