# SPDX-License-Identifier: Apache-2.0
"""What jax returns is waited for, on the CPU; skipped where jax is not installed."""
import functools
import time
import unittest

import strobe
from strobe import _find, _jax

FEW = {"warmup": 2, "requests": 10, "progress": False}
try:
    import jax
    import jax.numpy as jnp
    import numpy
except ImportError:
    jax = None


def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


@unittest.skipUnless(jax, "jax is not installed")
class Jax(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.x = numpy.random.default_rng(1).standard_normal((700, 700), dtype=numpy.float32)

        def products(x):
            for _ in range(10):
                x = jnp.tanh(x @ x)
            return x
        cls.f = staticmethod(jax.jit(products))
        jax.block_until_ready(cls.f(cls.x))
        times = []
        for _ in range(5):
            begin = time.perf_counter()
            jax.block_until_ready(cls.f(cls.x))
            times.append(time.perf_counter() - begin)
        cls.truth = min(times) * 1e9

    def whole(self, ns):
        """Not the time of handing it over."""
        self.assertGreater(ns, 0.8 * self.truth)

    def test_a_compiled_function_of_an_array_of_numpys_is_timed_to_its_end(self):
        self.whole(strobe.measure(self.f, self.x, **FEW).metrics["latency"].value)

    def test_so_are_functions_that_call_one(self):
        f, x = self.f, self.x
        for target in (lambda: f(x), functools.partial(f, x), lambda: {"y": [f(x)]}, lambda: jnp.dot(f(x), 1.0)):
            with self.subTest(target):
                self.whole(strobe.measure(target, **FEW).metrics["latency"].value)

    def test_a_call_tells_where_nothing_at_hand_does(self):
        deep = [[[[[self.f]]]]]
        call = functools.partial(lambda held, x: held[0][0][0][0][0](x), deep, self.x)
        self.assertFalse(_jax.has_jax(call))
        self.assertIsNotNone(_find.find({}, call, ()).first)
        self.whole(strobe.measure(call, **FEW).metrics["latency"].value)

    def test_loads_sides_steps_and_items_are_waited_for(self):
        f, x = self.f, self.x
        fresh = strobe.measure_fresh(lambda: lambda: f(x), launches=2, **FEW)
        self.whole(fresh.metrics["latency"].value)
        sides = strobe.compare({"once": lambda: f(x), "twice": lambda: f(f(x))}, pairs=1, progress=False)
        self.whole(sides.cases[0]["metrics"]["latency"]["median"]["value"])
        r = strobe.pipeline([("products", lambda: f(x)), ("host", lambda: spin(1e-4))], rounds=2, iterations=5,
                            progress=False)
        staged = next(c for c in r.cases if c.get("stages"))
        self.whole(next(s for s in staged["stages"] if s["name"] == "products")["metrics"]["reading"]["median"]["value"])

        def items():
            y = x
            for _ in range(3):
                y = f(y)
                yield y
        self.whole(strobe.stream(items, requests=5, progress=False).between.value)

    def test_what_is_not_of_jax_is_called_as_it_is(self):
        self.assertIs(_find.find({}, sorted, ([3, 1],)).call, sorted)

        def product(x):
            return x @ x
        self.assertIs(_find.find({}, product, (self.x,)).call, product)


if __name__ == "__main__":
    unittest.main()
