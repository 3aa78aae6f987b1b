# SPDX-License-Identifier: Apache-2.0
"""Where callables work, by a torch and a cupy that only claim to have GPUs: streams that are found, named and moved, and
stages whose events nobody records."""
import functools
import sys
import threading
import unittest
from unittest import mock

import strobe
from strobe import _at_hand, _find, _place, _stages, _torch, _work
from tests.python.fakes.gpu_libraries import Event, Module, Stream, Tensor, WithTorch, fake_cupy

FEW = {"warmup": 0, "requests": 5, "progress": False}


def facts_of(record):
    return record.to_dict()["model"]["facts"]


class AtHand(unittest.TestCase):
    def held(self, value, wanted):
        return bool(_at_hand.search(lambda found: found is wanted, value))

    def test_a_function_holds_its_closure_its_defaults_and_the_names_that_it_uses(self):
        wanted = object()

        def closure():
            return wanted
        self.assertTrue(self.held(closure, wanted))
        self.assertTrue(self.held(lambda x=wanted: x, wanted))
        self.assertTrue(self.held(lambda *, x=wanted: x, wanted))
        self.assertTrue(self.held(functools.partial(print, [wanted]), wanted))
        self.assertTrue(self.held([1, {"a": (wanted,)}], wanted))
        self.assertFalse(self.held(lambda: None, wanted))
        self.assertTrue(self.held(uses_a_module, sys))

    def test_a_name_without_a_value_is_passed_over(self):
        def outer():
            def inner():
                return later
            r = strobe.measure(lambda: [inner] * 100, **FEW)
            later = 1
            return r, later
        self.assertGreaterEqual(outer()[0].metrics["latency"].n, 5)

        def empty_cell():
            return never
        if False:
            never = 1
        self.assertFalse(self.held(empty_cell, 5))

    def test_looking_runs_no_code_of_the_users(self):
        ran = []

        class Lazy(dict):
            def values(self):
                ran.append("values")
                return super().values()

            def __iter__(self):
                ran.append("iter")
                return super().__iter__()

        class Proxy:
            def __getattr__(self, name):
                ran.append(name)
                raise RuntimeError

            @property
            def __class__(self):
                ran.append("class")
                return dict

        class Rows(list):
            def __iter__(self):
                ran.append("rows")
                return super().__iter__()

        wanted = object()
        self.assertTrue(self.held([Proxy(), Rows([1]), Lazy(a=wanted)], wanted))
        self.assertEqual(ran, [])

    def test_no_more_than_enough_is_looked_at(self):
        asked = []
        _at_hand.search(asked.append, [list(range(100_000))] * 3, list(range(100_000, 200_000)))
        self.assertLessEqual(len(asked), _at_hand.MOST + 10)


def uses_a_module():
    return sys.path


class Threads(unittest.TestCase):
    def test_a_thread_that_has_ended_is_passed_over(self):
        dummies = []
        import _thread
        done = threading.Event()

        def foreign():
            dummies.append(threading.current_thread())  # a _DummyThread: nobody tells when it ends
            done.set()
        _thread.start_new_thread(foreign, ())
        done.wait(10)
        while _work.cpu_seconds(dummies[0].native_id) is not None:
            pass  # it is on its way out
        with mock.patch("time.pthread_getcpuclockid", side_effect=AssertionError):
            self.assertEqual(_work.OtherThreads().worked(), (0, 0))

    def test_other_threads_are_counted_from_the_first_request_that_counts(self):
        go_on = True

        def count():
            while go_on:
                sum(range(1000))
        thread = threading.Thread(target=count)
        thread.start()
        try:
            facts = facts_of(strobe.measure(threading.Event().wait, 0.05, **FEW))  # one round has them all
        finally:
            go_on = False
            thread.join()
        self.assertEqual(facts["other_threads"], 1)
        self.assertGreater(facts["other_threads_ns"], 2e6)


class Given(WithTorch):
    def test_a_device_of_torch_is_a_device(self):
        self.assertEqual(_place.given_place({"device": self.torch.device("cuda")}).device, "cuda:0")
        self.assertEqual(_place.given_place({"device": self.torch.device("cuda", 1)}).device, "cuda:1")
        self.assertEqual(_place.given_place({"device": self.torch.device("cpu")}), _place.CPU)

    def test_what_is_none_is_refused(self):
        for options, words in (({"device": 5}, "device must be"), ({"stream": "x"}, "stream must be a stream"),
                               ({"stream": 1.5}, "not float"), ({"stream": True}, "not bool")):
            with self.subTest(options), self.assertRaisesRegex(TypeError, words):
                strobe.measure(len, [], **options, **FEW)

    def test_a_device_without_a_stream_means_the_current_one_there(self):
        self.assertEqual(_place.given_place({"device": "cuda"}), _place.Place("cuda:0", 0, "torch", "cuda:0"))
        self.assertEqual(_place.given_place({"device": "cuda:1"}), _place.Place("cuda:1", 7, "torch", "cuda:0"))
        self.assertEqual(_place.given_place({"device": "cuda:5"}), _place.Place("cuda:5"))

    def test_torch_begins_to_use_the_gpu_where_it_is_to_be_measured(self):
        self.torch.cuda.started = False
        self.assertIsNone(_place.torch_place())
        self.assertEqual(_place.given_place({"device": "cuda"}).whose, "torch")
        self.assertTrue(self.torch.cuda.started)

    def test_a_named_stream_is_the_librarys(self):
        place = _place.given_place({"stream": Stream(1, 99)})
        self.assertEqual((place.device, place.stream, place.whose, place.named), ("cuda:1", 99, "torch", True))
        _place.check_unmoved(place)  # the callable may enter it itself
        held = _place.given_place({"stream": 99, "device": "cuda:0"}, lambda: None, (Tensor(index=0),))
        self.assertEqual((held.stream, held.whose), (99, "torch"))
        self.assertEqual(_place.given_place({"stream": 99}, len).whose, "")

    def test_facts_name_the_stream(self):
        def stream_of(place):
            return _work.Work(len, (), place).facts(None)["stream"]
        self.assertEqual(stream_of(_place.given_place({"stream": Stream(1, 99)})), "the one that was named")
        self.assertEqual(stream_of(_place.given_place({"device": "cuda:1"})), "torch's current one")
        self.assertEqual(stream_of(_place.given_place({"device": "cuda:0"})), "the legacy default stream")


class Found(WithTorch):
    def test_work_is_found_on_the_device_where_its_values_lie(self):
        for held in (Tensor(index=1), Module(Tensor(index=1))):
            with self.subTest(held):
                place = _find.find({}, lambda: held, ()).place
                self.assertEqual((place.device, place.stream, place.home), ("cuda:1", 7, "cuda:0"))

    def test_where_nothing_tells_a_call_does(self):
        found = _find.find({}, lambda: Tensor(index=0), ())
        self.assertEqual((found.place.device, found.first is None), ("cuda:0", False))
        self.assertEqual(_find.find({}, lambda: 5, ()).place, _place.CPU)
        self.torch.cuda.streams[0].done = False
        self.assertEqual(_find.find({}, lambda: 5, ()).place.device, "cuda:0")

    def test_a_stream_or_device_that_moves_is_an_error(self):
        place = _find.find({}, len, (Tensor(index=0),)).place
        _place.check_unmoved(place)
        self.torch.cuda.streams[0] = Stream(0, 123)
        with self.assertRaisesRegex(strobe.Error, "current stream is another one") as caught:
            _place.check_unmoved(place)
        self.assertEqual(caught.exception.code, "changed")
        self.torch.cuda.device = 1
        with self.assertRaisesRegex(strobe.Error, "current device is another one"):
            _place.check_unmoved(place)

    def test_cupy_works_on_its_current_stream(self):
        cupy = fake_cupy()
        with mock.patch.dict(sys.modules, {"cupy": cupy}):
            place = _find.find({}, lambda: cupy.ndarray, ()).place
            self.assertEqual(place, _place.CPU)  # the class is no array
            place = _place.gpu_place([cupy.ndarray()])
            self.assertEqual((place.device, place.stream, place.whose, place.home), ("cuda:1", 41, "cupy", "cuda:0"))
            _place.check_unmoved(place)


class Items(WithTorch):
    def test_items_on_a_gpu_are_waited_for_on_the_current_stream_of_their_device(self):
        strobe.stream(lambda: [Tensor(index=1)] * 3, requests=2, warmup=1, progress=False)
        self.assertEqual([s.waits for s in self.torch.cuda.streams], [0, 6])

    def test_items_on_the_cpu_are_not(self):
        strobe.stream(lambda: [1.0, 2.0], requests=2, warmup=1, progress=False)
        self.assertEqual([s.waits for s in self.torch.cuda.streams], [0, 0])

    def test_so_are_those_of_cupy(self):
        cupy, waited = fake_cupy(), []
        cupy.cuda.get_current_stream = lambda: mock.Mock(synchronize=lambda: waited.append(cupy.cuda.Device.now))
        with mock.patch.dict(sys.modules, {"cupy": cupy}):
            strobe.stream(lambda: [cupy.ndarray()], requests=2, warmup=1, progress=False)
        self.assertEqual(waited, [1, 1])


class Facts(WithTorch):
    def test_a_flag_that_cannot_be_read_is_asked_of_its_successor(self):
        flags = _torch.flags()
        self.assertEqual((flags["tf32_matmul"], flags["tf32_cudnn"], flags["cudnn_benchmark"]), (True, True, False))
        del type(self.torch.backends.cudnn).deterministic
        self.addCleanup(setattr, type(self.torch.backends.cudnn), "deterministic", False)
        self.assertNotIn("deterministic", _torch.flags())

    def test_no_fact_costs_the_result(self):
        self.torch.get_num_threads = None
        facts = facts_of(strobe.measure(lambda: Tensor(5.0), device="cpu", **FEW))
        self.assertNotIn("threads", facts)
        self.assertIn("python", facts)

    def test_outputs_of_other_shapes_are_no_observation(self):
        shapes = iter(range(10_000_000))
        r = strobe.measure(lambda: Tensor(shape=(next(shapes),)), device="cpu", **FEW)
        self.assertNotIn("outputs", r.to_dict()["observations"])

    def test_outputs_that_differ_from_call_to_call_are_a_note(self):
        values = iter(range(1, 10_000_000))
        r = strobe.measure(lambda: Tensor(next(values)), device="cpu", **FEW)
        mismatch = next(f for f in r.findings if f.id == "output-mismatch")
        self.assertEqual(mismatch.severity, "note")
        self.assertIn("dropout", mismatch.advice)


class Modules(WithTorch):
    def test_a_module_whose_arguments_are_bound_is_one(self):
        module = Module()
        facts = facts_of(strobe.measure(functools.partial(module, 5), device="cpu", **FEW))
        self.assertEqual((module.modes, facts["inference_mode"], facts["training"]), ({True}, True, False))

    def test_loads_run_under_inference_mode_and_are_made_outside_of_it(self):
        made, modes = [], []

        def make():
            modes.append(self.torch.is_inference_mode_enabled())
            made.append(Module())
            return functools.partial(made[-1], 5)
        r = strobe.measure_fresh(make, launches=2, device="cpu", **FEW)
        self.assertEqual(modes, [False, False])
        self.assertEqual([m.modes for m in made], [{True}, {True}])
        self.assertEqual(self.torch.mode, [])
        self.assertEqual((facts_of(r)["inference_mode"], facts_of(r)["torch"]), (True, "2.9"))

    def test_facts_make_findings_of_loads_and_are_told_of_sides(self):
        def trains():
            module = Module()
            module.training = True
            return functools.partial(module, 5)
        self.assertIn("training-mode", [f.id for f in strobe.measure_fresh(trains, launches=2, device="cpu", **FEW).findings])
        r = strobe.compare({"a": trains(), "b": trains()}, device="cpu", pairs=1, progress=False)
        self.assertEqual([c["model"]["facts"]["training"] for c in r.cases], [True, True])
        self.assertGreater(r.cases[0]["device"]["calibration"]["python_call_ns"], 1)

    def test_steps_that_are_modules_run_under_inference_mode(self):
        a, b = Module(), Module()
        few = {"rounds": 1, "iterations": 2, "device": "cpu", "progress": False}
        strobe.pipeline([("a", functools.partial(a, 1)), ("b", functools.partial(b, 1))], **few)
        self.assertEqual((a.modes, b.modes), ({True}, {True}))
        c = Module()
        strobe.pipeline([("c", functools.partial(c, 1)), ("sort", lambda: sorted([3, 1]))], **few)
        self.assertEqual(c.modes, {False})


class Graphs(unittest.TestCase):
    """On a simulated device: only there a callable can be asked for its graph without a GPU."""

    def measure(self):
        return strobe.measure(sorted, [3, 1, 2], device="sim:sync=10us", graph=True, **FEW)

    def test_why_there_is_none_is_said(self):
        self.assertIn("only work of torch", self.measure().metrics["replay_time"].unknown)

    def test_an_interrupt_is_no_answer(self):
        with mock.patch.object(_work, "capture_graph", side_effect=KeyboardInterrupt):
            self.assertRaises(KeyboardInterrupt, self.measure)


class Stages(WithTorch):
    def setUp(self):
        super().setUp()
        strobe.stages(clear=True)
        _stages._events.clear()
        Event.reached, Event.made = True, 0

    def use(self, name="s"):
        with strobe.stage(name):
            pass

    def test_the_device_is_timed_by_events_that_are_used_again(self):
        for _ in range(10):
            self.use()
        self.assertEqual(strobe.stages().device["s"].value, 0.25e6)
        self.assertLessEqual(Event.made, 4)

    def test_devices_have_events_of_their_own(self):
        self.use()
        self.torch.cuda.device = 1
        self.use()
        self.use()
        self.assertEqual(strobe.stages().counts, {"s": 3})
        self.assertEqual(set(_stages._events), {0, 1})

    def test_a_stage_that_ends_on_another_device_is_timed_on_the_host_alone(self):
        with strobe.stage("s"):
            self.torch.cuda.device = 1
        self.assertEqual((strobe.stages().counts, strobe.stages().device), ({"s": 1}, {}))

    def test_whatever_fails_in_torch_is_no_affair_of_the_applications(self):
        def fail(*_, **__):
            raise RuntimeError("CUDA error: device-side assert triggered")
        for name in ("is_initialized", "is_current_stream_capturing", "current_device", "Event"):
            with self.subTest(name), mock.patch.object(self.torch.cuda, name, fail, create=True):
                self.use(name)
                self.assertEqual(strobe.stages().counts[name], 1)
        for name in ("query", "elapsed_time", "record"):
            with self.subTest(name), mock.patch.object(Event, name, fail):
                self.use(name)
                self.use(name)
                self.assertEqual(strobe.stages().counts[name], 2)
        del self.torch.cuda
        self.use("half imported")
        self.assertEqual(strobe.stages().counts["half imported"], 1)

    def test_what_is_captured_or_compiled_is_not_timed(self):
        self.torch.cuda.capturing = True
        self.use()
        self.torch.cuda.capturing = False
        self.torch.compiler = mock.Mock(is_compiling=lambda: True)
        self.use()
        self.assertEqual(strobe.stages().skipped, {"s": 2})
        self.assertEqual(strobe.stages().counts, {})

    def test_clear_forgets_marks_that_the_device_has_not_come_to(self):
        Event.reached = False
        self.use()
        strobe.stages(clear=True)
        Event.reached = True
        self.use()
        self.assertEqual(strobe.stages().device["s"].n, 1)


if __name__ == "__main__":
    unittest.main()
