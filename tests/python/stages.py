# SPDX-License-Identifier: Apache-2.0
"""stage inside an application, and stream: times of known length, and what must not be counted."""
import asyncio
import gc
import threading
import time
import unittest

import strobe


def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass

def near(case, value, truth):
    """Never less; on a busy machine more."""
    case.assertGreaterEqual(value, 0.99 * truth)
    case.assertLess(value, 2.5 * truth)


class Stages(unittest.TestCase):
    def setUp(self):
        strobe.stages(clear=True)

    def test_stages_are_read_as_long_as_they_are(self):
        for _ in range(60):
            with strobe.stage("long"):
                spin(1e-3)
            with strobe.stage("short"):
                spin(2e-4)
        stages = strobe.stages()
        self.assertEqual(stages.counts, {"long": 60, "short": 60})
        near(self, stages["long"].value, 1e6)
        near(self, stages["short"].value, 2e5)
        self.assertLessEqual(stages["long"].low, stages["long"].value)
        self.assertIn("60 times", repr(stages))

    def test_a_function_may_be_a_stage(self):
        @strobe.stage("work")
        def work(x, *, y):
            """Its own text."""
            return x + y

        self.assertEqual([work(1, y=2) for _ in range(3)], [3, 3, 3])
        self.assertEqual((work.__name__, work.__doc__), ("work", "Its own text."))
        self.assertEqual(strobe.stages().counts["work"], 3)

    def test_a_function_gives_the_stage_its_name(self):
        @strobe.stage
        def bare(x):
            return x + 1

        class Net:
            @strobe.stage
            def forward(self, x):
                return 2 * x

        self.assertEqual((bare(1), Net().forward(4), bare.__name__), (2, 8, "bare"))
        self.assertEqual(strobe.stages().counts, {"bare": 1, "Net.forward": 1})
        with self.assertRaisesRegex(TypeError, "not int"):
            strobe.stage(5)

    def test_an_async_function_is_timed_to_its_end(self):
        @strobe.stage("waits")
        async def waits():
            await asyncio.sleep(0.02)
            return 5

        self.assertEqual(asyncio.run(waits()), 5)
        self.assertGreater(strobe.stages()["waits"].value, 0.019e9)

    def test_a_generator_is_refused(self):
        with self.assertRaisesRegex(TypeError, "between its items"):
            @strobe.stage("no")
            def items():
                yield 1

    def test_what_raises_is_not_counted_and_passes_through(self):
        raised = ValueError()
        with self.assertRaises(ValueError) as caught:
            with strobe.stage("fails"):
                raise raised
        self.assertIs(caught.exception, raised)
        self.assertNotIn("fails", strobe.stages())

    def test_stages_may_be_nested_recursive_and_of_several_threads(self):
        @strobe.stage("depth")
        def depth(n):
            return n and depth(n - 1)

        def work():
            for _ in range(50):
                with strobe.stage("outer"), strobe.stage("inner"):
                    depth(3)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(strobe.stages().counts, {"outer": 200, "inner": 200, "depth": 800})

    def test_clear_forgets(self):
        with strobe.stage("once"):
            pass
        self.assertIn("once", strobe.stages(clear=True))
        self.assertEqual(dict(strobe.stages()), {})
        self.assertEqual(repr(strobe.stages()), "no stage has ended yet")

    def test_memory_is_bounded(self):
        from strobe import _stages
        for _ in range(_stages.MOST + 10):
            with strobe.stage("many"):
                pass
        self.assertEqual(len(_stages.readings_of("many").host), _stages.MOST)


class Stream(unittest.TestCase):
    def test_each_part_is_read_as_long_as_it_is(self):
        def tokens(n):
            spin(2e-3)
            for i in range(n):
                if i:
                    spin(5e-4)
                yield i

        r = strobe.stream(tokens, 10, requests=20, progress=False)
        self.assertEqual(set(r.items), {10})
        near(self, r.first.value, 2e6)
        near(self, r.between.value, 5e5)
        near(self, r.total.value, 6.5e6)
        self.assertAlmostEqual(r.items_per_second.value * r.total.value, 10e9, delta=0.5e9)
        self.assertLessEqual(r.items_per_second.low, r.items_per_second.value)
        self.assertIn("20 requests of 10 items", repr(r))
        self.assertIn("first item", repr(r))

    def test_async_items_are_read_in_one_event_loop(self):
        loops = set()

        async def tokens(n):
            loops.add(asyncio.get_running_loop())
            spin(2e-3)
            for i in range(n):
                if i:
                    await asyncio.sleep(0)
                    spin(5e-4)
                yield i

        async def answer(n):
            await asyncio.sleep(0)
            return tokens(n)

        for work in (tokens, answer, lambda n: tokens(n)):
            with self.subTest(work):
                r = strobe.stream(work, 10, requests=10, progress=False)
                self.assertEqual(r.items, [10] * 10)
                near(self, r.first.value, 2e6)
                near(self, r.between.value, 5e5)
                near(self, r.total.value, 6.5e6)
        self.assertEqual(len(loops), 3)

    def test_async_items_in_a_running_loop_are_refused_with_a_way_out(self):
        async def tokens():
            yield 1

        async def notebook():
            with self.assertRaisesRegex(strobe.Error, "runs in this thread already") as caught:
                strobe.stream(tokens, progress=False)
            self.assertIn("asyncio.to_thread(strobe.stream", caught.exception.advice)
            return await asyncio.to_thread(strobe.stream, tokens, requests=3, progress=False)

        self.assertEqual(asyncio.run(notebook()).items, [1] * 3)

    def test_async_items_that_raise_pass_through_and_leave_no_loop(self):
        async def fails():
            yield 1
            raise ValueError

        with self.assertRaises(ValueError):
            strobe.stream(fails, progress=False)
        with self.assertRaises(RuntimeError):
            asyncio.get_running_loop()

    def test_any_iterable_is_taken(self):
        r = strobe.stream(lambda: [1], requests=3, warmup=0, progress=False)
        self.assertIsNone(r.between.value)
        self.assertIn("one item", repr(r))

    def test_what_raises_in_the_middle_passes_through(self):
        raised = ValueError()

        def fails():
            yield 1
            raise raised

        with self.assertRaises(ValueError) as caught:
            strobe.stream(fails, progress=False)
        self.assertIs(caught.exception, raised)
        self.assertTrue(gc.isenabled())

    def test_nothing_to_measure_is_refused(self):
        with self.assertRaisesRegex(strobe.Error, "no items"):
            strobe.stream(lambda: [], progress=False)
        with self.assertRaisesRegex(TypeError, "'request'. Did you mean 'requests'"):
            strobe.stream(lambda: [1], request=3)
        with self.assertRaisesRegex(TypeError, "callable, not list"):
            strobe.stream([1, 2])

    def test_max_time_ends_it(self):
        begin = time.monotonic()
        r = strobe.stream(lambda: map(spin, [0.05] * 2), requests=1000, max_time="500ms", progress=False)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertGreater(len(r.items), 2)


if __name__ == "__main__":
    unittest.main()
