# SPDX-License-Identifier: Apache-2.0
"""measure, measure_fresh, compare and pipeline of Python callables: what they do to the callable, and what they say."""
import functools
import gc
import math
import sys
import threading
import time
import traceback
import unittest
import weakref

import strobe

FEW = {"warmup": 0, "requests": 30, "progress": False}


def spin(seconds):
    """A callable of known length."""
    def work():
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass
    return work

def near(case, value, truth):
    """Never less; on a busy machine more."""
    case.assertGreaterEqual(value, 0.99 * truth)
    case.assertLess(value, 2.5 * truth)


class Measure(unittest.TestCase):
    def test_a_known_length_is_read(self):
        r = strobe.measure(spin(0.001), **FEW)
        self.assertEqual(r.verb, "measure")
        near(self, r.metrics["latency"].value, 1e6)
        self.assertEqual(r.metrics["latency"].unit, "ns")

    def test_arguments_reach_the_callable_as_they_are(self):
        seen = []
        thing = object()
        strobe.measure(lambda *args: seen.append(args), 1, thing, **FEW)
        self.assertGreaterEqual(len(seen), 30)
        self.assertEqual(set(map(len, seen)), {2})
        self.assertTrue(all(one == 1 and other is thing for one, other in seen))

    def test_any_callable_is_taken(self):
        class Thing:
            def __call__(self, x):
                return [x] * 100

            def method(self, x):
                return [x] * 100

        for target in (Thing(), Thing().method, functools.partial(pow, 3), math.factorial):
            with self.subTest(target):
                self.assertGreaterEqual(strobe.measure(target, 50, **FEW).metrics["latency"].n, 30)

    def test_the_name_is_the_callables(self):
        self.assertIn("factorial", strobe.measure(math.factorial, 500, **FEW).text().splitlines()[0])
        self.assertIn("mine", strobe.measure(math.factorial, 500, name="mine", **FEW).text().splitlines()[0])

    def test_items_are_counted_by_the_throughput(self):
        metrics = strobe.measure(spin(0.001), items=8, **FEW).metrics
        self.assertAlmostEqual(metrics["throughput"].value * metrics["period"].value, 8e9, delta=1e9)

    def test_what_is_no_callable_is_refused(self):
        with self.assertRaisesRegex(TypeError, "callable, not int"):
            strobe.measure(5)

    def test_an_empty_callable_is_found(self):
        r = strobe.measure(lambda: None, requests=200, progress=False)
        empty = next(f for f in r.findings if f.id == "empty-callable")
        self.assertIn("strobe.stream", empty.advice)  # a function with yield only makes a generator
        self.assertEqual(r.verdict, "invalid")

    def test_a_short_callable_is_not_taken_for_an_empty_one(self):
        r = strobe.measure(sorted, list(range(100, 0, -1)), requests=200, progress=False)
        self.assertNotIn("empty-callable", [f.id for f in r.findings])

    def test_an_exception_passes_through_unchanged(self):
        raised = ValueError("mine")
        calls = []

        def fail():
            calls.append(1)
            if len(calls) > 10:
                raise raised

        try:  # assertRaises would clear the traceback
            strobe.measure(fail, **FEW)
        except ValueError as e:
            self.assertIs(e, raised)
            self.assertEqual(traceback.extract_tb(e.__traceback__)[-1].name, "fail")
        self.assertEqual(len(calls), 11)
        self.assertGreaterEqual(strobe.measure(math.factorial, 50, **FEW).metrics["latency"].n, 30)

    def test_other_exceptions_than_errors_pass_too(self):
        def leave():
            raise SystemExit(7)
        with self.assertRaises(SystemExit) as caught:
            strobe.measure(leave, **FEW)
        self.assertEqual(caught.exception.code, 7)

    def test_threads_and_generators_of_the_callable_are_its_own_affair(self):
        def with_thread():
            thread = threading.Thread(target=math.factorial, args=(100,))
            thread.start()
            thread.join()
        self.assertGreaterEqual(strobe.measure(with_thread, **FEW).metrics["latency"].n, 30)
        self.assertGreaterEqual(strobe.measure(lambda: (i for i in range(10)), **FEW).metrics["latency"].n, 30)

    def test_another_thread_may_measure(self):
        records = []
        thread = threading.Thread(target=lambda: records.append(strobe.measure(math.factorial, 500, **FEW)))
        thread.start()
        thread.join(60)
        self.assertGreaterEqual(records[0].metrics["latency"].n, 30)


class Results(unittest.TestCase):
    def test_a_result_lives_until_the_next_one_is_there(self):
        alive, most = weakref.WeakSet(), []

        class Result:
            pass

        def work():
            most.append(len(alive))
            result = Result()
            alive.add(result)
            return result

        strobe.measure(work, **FEW)
        # `y = f(x)`: while f runs, the result before is still there, and no other.
        self.assertEqual(set(most), {0, 1})
        self.assertEqual(most.count(0), 1)
        self.assertEqual(len(alive), 0)

    def test_arguments_and_the_callable_are_let_go(self):
        def work(x):
            return [x] * 10
        thing = object()
        before = sys.getrefcount(thing), sys.getrefcount(work)
        strobe.measure(work, thing, **FEW)
        self.assertEqual((sys.getrefcount(thing), sys.getrefcount(work)), before)


class Garbage(unittest.TestCase):
    def tearDown(self):
        gc.enable()

    def test_nothing_is_collected_within_requests(self):
        self.assertTrue(gc.isenabled())
        states = set()
        strobe.measure(lambda: states.add(gc.isenabled()), **FEW)
        self.assertEqual(states, {False})
        self.assertTrue(gc.isenabled())

    def test_who_had_switched_it_off_finds_it_off(self):
        gc.disable()
        strobe.measure(math.factorial, 100, **FEW)
        self.assertFalse(gc.isenabled())

    def test_it_is_on_again_after_an_exception(self):
        with self.assertRaises(ZeroDivisionError):
            strobe.measure(lambda: 1 / 0, **FEW)
        self.assertTrue(gc.isenabled())

    def test_cycles_do_not_fill_the_memory(self):
        class Node:
            pass

        alive = weakref.WeakSet()
        most = 0

        def leave_cycles():
            nonlocal most
            for _ in range(1000):
                node = Node()
                node.self = node
            alive.add(node)  # one of a thousand
            most = max(most, len(alive))

        r = strobe.measure(leave_cycles, max_time=2, progress=False)
        facts = r.to_dict()["model"]["facts"]
        self.assertGreater(facts["garbage_collections"], 0)
        self.assertGreater(facts["garbage_collection_ns"], 0)
        requests = facts["garbage_collection_ns"] / facts["garbage_collection_ns_per_request"]
        self.assertGreaterEqual(requests, r.metrics["latency"].n)
        self.assertLess(most, r.metrics["latency"].n)


class Cost(unittest.TestCase):
    def test_what_calling_costs_is_recorded(self):
        calibration = strobe.measure(math.factorial, 100, **FEW).to_dict()["device"]["calibration"]
        self.assertGreater(calibration["python_call_ns"], 1)
        self.assertGreater(calibration["empty_request_ns"], 1)
        self.assertAlmostEqual(calibration["harness_ns"],
                               calibration["empty_request_ns"] - calibration["python_call_ns"], places=3)


class Fresh(unittest.TestCase):
    def test_each_load_makes_an_object_and_drops_it_before_the_next(self):
        alive, most = weakref.WeakSet(), []

        class Model:
            def __call__(self):
                return math.factorial(300)

        def make(argument):
            self.assertEqual(argument, 7)
            most.append(len(alive))
            model = Model()
            alive.add(model)
            return model

        r = strobe.measure_fresh(make, 7, launches=3, **FEW)
        self.assertEqual(most, [0, 0, 0])
        self.assertEqual(len(r.launches), 3)
        self.assertTrue(r.to_dict()["one_process"])
        self.assertIn("over loads", r.text())
        self.assertIn("another process may read otherwise", repr(r))

    def test_what_makes_no_callable_is_refused(self):
        with self.assertRaisesRegex(TypeError, "make\\(\\) must return"):
            strobe.measure_fresh(lambda: 5, launches=2, **FEW)

    def test_an_exception_of_the_first_load_passes_through(self):
        raised = RuntimeError("no weights")

        def make():
            raise raised
        with self.assertRaises(RuntimeError) as caught:
            strobe.measure_fresh(make, launches=2, **FEW)
        self.assertIs(caught.exception, raised)


    def test_loads_are_judged_by_what_calling_costs(self):
        r = strobe.measure_fresh(lambda: lambda: None, launches=2, requests=200, progress=False)
        self.assertIn("empty-callable", [f.id for f in r.findings])
        self.assertIn("harness_ns", r.to_dict()["device"]["calibration"])
        self.assertIn("python", r.to_dict()["model"]["facts"])


class Compare(unittest.TestCase):
    def test_sides_say_what_calling_costs(self):
        r = strobe.compare({"a": spin(1e-5), "b": spin(1e-5)}, pairs=1, progress=False)
        for case in r.cases:
            self.assertIn("python", case["model"]["facts"])
            self.assertGreater(case["device"]["calibration"]["empty_request_ns"], 1)

    def test_a_slower_one_is_called_slower(self):
        r = strobe.compare({"once": spin(1e-4), "thrice": spin(3e-4)}, pairs=8, progress=False)
        self.assertEqual([c["name"] for c in r.cases], ["once", "thrice"])
        latency = r.comparisons[0]
        self.assertEqual((latency["metric"], latency["outcome"]), ("latency", "slower"))
        self.assertGreater(latency["ratio"]["value"], 2)

    def test_all_get_the_same_arguments(self):
        seen = {"a": set(), "b": set()}
        strobe.compare({"a": lambda x: seen["a"].add(x), "b": lambda x: seen["b"].add(x)}, 5, pairs=1, progress=False)
        self.assertEqual(seen, {"a": {5}, "b": {5}})

    def test_an_exception_of_one_side_passes_through(self):
        with self.assertRaises(ZeroDivisionError):
            strobe.compare({"a": spin(1e-5), "b": lambda: 1 / 0}, pairs=1, progress=False)
        self.assertTrue(gc.isenabled())

    def test_options_of_one_candidate(self):
        with self.assertRaises(strobe.Error) as caught:
            strobe.compare({"a": spin(1e-5), "b": strobe.Candidate(spin(1e-5), graph=True)}, pairs=1, progress=False)
        self.assertEqual(caught.exception.code, "usage")
        self.assertIn("as a graph", str(caught.exception))
        with self.assertRaisesRegex(TypeError, "belongs to models"):
            strobe.compare({"a": spin(1e-5), "b": spin(1e-5)}, batch=2)


class Pipeline(unittest.TestCase):
    def test_stages_are_read_as_long_as_they_are(self):
        steps = [("long", spin(4e-4)), strobe.Step("short", spin(1e-4), repeat=2)]
        r = strobe.pipeline(steps, rounds=4, iterations=10, progress=False)
        staged = next(c for c in r.cases if c.get("stages"))
        stages = {s["name"]: s["metrics"]["reading"]["median"]["value"] for s in staged["stages"]}
        self.assertEqual(set(stages), {"long", "short"})
        near(self, stages["long"], 4e5)
        near(self, stages["short"], 2e5)

    def test_an_exception_of_a_step_passes_through(self):
        for good_calls in (0, 20):  # in the warm-up, in the rounds
            calls, raised = [], ValueError("mine")

            def fail():
                calls.append(1)
                if len(calls) > good_calls:
                    raise raised

            with self.subTest(good_calls), self.assertRaises(ValueError) as caught:
                strobe.pipeline([("a", fail)], rounds=2, iterations=20, progress=False)
            self.assertIs(caught.exception, raised)

    def test_what_is_no_step_is_refused(self):
        with self.assertRaisesRegex(TypeError, "'a' is no callable, but int"):
            strobe.pipeline([("a", 5)])


if __name__ == "__main__":
    unittest.main()
