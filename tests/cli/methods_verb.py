# SPDX-License-Identifier: Apache-2.0
"""strobe methods: rows that are chosen by their axes, listings as they stand, and what is printed of them."""
import json

from . import golden
from .program import MEASURED, USAGE, ProgramTest

QUEUE = "sim:launch=1us,kernels=20x5us,mark=1us,sync=6us,queue=200"
HOST_BOUND = "sim:launch=5us,kernels=20x1us,mark=1us,sync=6us,first=9ms,flush=20us"
BUSY = "clock=device,wait=none,scope=block,queue=full"

GOLDEN = {
    "methods": ("sim:launch=5us,kernels=20x1us,mark=1us,sync=6us,first=9ms,copy_in=60us",),
    "methods-queue-full": (QUEUE, "--methods", "naive,sync,gated", "--requests", "100"),
    "methods-chosen": (HOST_BOUND, "--methods", "first-call", "--method", BUSY,
                       "--method", "wait=device,scope=block,queue=full", "--method", "queue=gated"),
    "like-events": (HOST_BOUND, "--like", "events-300"),
    "like-do_bench": (HOST_BOUND, "--like", "do_bench"),
    "like-trtexec": (QUEUE, "--like", "trtexec"),
    "like-refused": (HOST_BOUND, "--like", "events"),
}


class Methods(ProgramTest):
    def methods(self, *arguments, launches=1):
        return json.loads(self.text("methods", *arguments, "--launches", launches, "--json", "-"))

    def test_text_is_as_in_the_golden_files(self):
        for name, arguments in GOLDEN.items():
            with self.subTest(name):
                golden.check(self, name, self.text("methods", *arguments, "--launches", "1", code=MEASURED))

    def test_a_block_on_a_busy_queue_reads_its_formula_in_every_launch(self):
        record = self.methods(HOST_BOUND, "--method", BUSY, "--requests", "50", launches=3)
        (case,) = record["cases"]
        self.assertEqual((case["group"], case["claims"], len(record["launches"])), ("chosen", "period", 3))
        # 10 requests of 20 launches and a mark, less what is left in front of the first mark: (200 x 5 + 1) / 10.
        self.assertAlmostEqual(case["metrics"]["reading"]["median"]["value"], 100_100, delta=1)

    def test_launches_see_fast_streams_and_slow_ones(self):
        record = self.methods("sim:launch=1us,kernels=40x2us,pause=1us,slow_streams=1.5@0.5", "--methods", "gated",
                              "--requests", "50", launches=5)
        (gated,) = record["cases"]
        levels = [(l["value"], l["launches"], l["stream"]) for l in gated["metrics"]["reading"]["levels"]]
        self.assertEqual(levels, [(120_000, 3, "fast"), (140_000, 2, "slow")])
        self.assertEqual(record["observations"]["stream"]["level"], "fast")

    def test_a_listing_is_handed_on_to_every_launch(self):
        record = self.methods(HOST_BOUND, "--like", "clock-cold", launches=3)
        (case,) = record["cases"]
        self.assertEqual((record["settings"]["like"], case["prints"]), ("clock-cold", "0.190 ms"))
        self.assertEqual(case["metrics"]["reading"]["n"], 300)

    def test_every_listing_in_turn_prints_what_it_prints_alone(self):
        record = self.methods(HOST_BOUND, "--like", "all", "--requests", "5")
        prints = {c["name"]: c.get("prints", "") for c in record["cases"]}
        self.assertEqual((record["settings"]["like"], len(prints)), ("all", 20))
        self.assertEqual(prints["clock-cold"], "0.190 ms")  # cold: nothing ran before it in its process
        self.assertEqual(prints["events-300"], "mean 0.101 ms, std 0.000 ms, 9901.0 FPS")
        self.assertEqual(prints["events"], "")
        text = self.text("methods", HOST_BOUND, "--like", "all", "--requests", "5")
        for phrase in ("20 listings, each alone in fresh processes", "do_bench", "device time 20.0 µs"):
            self.assertIn(phrase, text)

    def test_listings_are_left_out_whole_where_the_time_is_up(self):
        record = json.loads(self.text("methods", "work:sleep=5ms", "--like", "all", "--launches", "1", "--requests", "5",
                                      "--max-time", "1s", "--json", "-"))
        self.assertEqual(record["status"], "not-converged")
        self.assertLess(len(record["cases"]), 20)
        self.assertEqual(record["status_reason"], f"{len(record['cases'])} of 20 listings were run")
        self.assertEqual(record["cases"][0]["metrics"]["reading"]["n"], 100)  # the first is whole

    def test_the_first_call_is_held_against_the_first_request(self):
        record = self.methods(HOST_BOUND, "--methods", "first-call", launches=3)
        (case,) = record["cases"]
        self.assertEqual((case["claims"], case["statistic"]), ("first_request", "once"))
        self.assertAlmostEqual(case["difference"], 9_100_000 / record["startup"]["first_ns"] - 1)

    def test_a_full_queue_is_in_the_record(self):
        (naive,) = self.methods(QUEUE, "--methods", "naive", "--requests", "100")["cases"]
        self.assertEqual((naive["queue"]["after"], naive["queue"]["free_ns"], naive["queue"]["full_ns"]),
                         (12, 20_000, 100_000))
        self.assertIn("queue-full", [f["id"] for f in naive["findings"]])

    def test_what_it_would_ignore_or_does_not_know_is_refused(self):
        for arguments, said in ((("--warmup", "0", "--requests", "1"), "is the method first-call (--methods first-call)"),
                                (("--like", "list"), "The listings are clock, clock-cold"),
                                (("--like", "do-bench"), "Did you mean 'do_bench'?"),
                                (("--like", "clock", "--methods", "naive"), "cannot use --like with --methods"),
                                (("--like", "clock", "--idle", "10ms"), "cannot use --like with --methods"),
                                (("--like", "clock", "--method", "wait=none"), "cannot use --like with --methods"),
                                (("--like", "clock", "--warmup", "9"), "its own warm-up"),
                                (("--method", "clok=device"), "Did you mean 'clock'?"),
                                (("--method", "wait=never"), "Take one of none, event, stream, device"),
                                (("--method", "device"), "it has no '='"),
                                (("--method", "wait=none", "--method", "wait=none"), "given twice")):
            with self.subTest(arguments):
                done = self.strobe("methods", "sim:tiny", *arguments)
                self.assertEqual(done.returncode, USAGE, done.stderr)
                self.assertIn(said, done.stderr)
