# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks and compares what they say with the budgets. Exit: 1 when one is broken.

    python bench/budgets.py PROGRAM FOLDER-OF-BENCHMARKS
"""
import json
import subprocess
import sys
from pathlib import Path

import randn_bench
import startup_bench

HARNESS_BUDGET = 100e-9  # a sample, beyond two clock reads
STATS_BUDGET = 0.5       # a million samples


def benchmarks(program, *options):
    done = subprocess.run([program, "--benchmark_format=json", *options], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)["benchmarks"]


def harness(folder):
    [cost] = benchmarks(folder / "harness_bench", "--benchmark_filter=^harness/")
    yield "two clock reads", cost["two_reads"] * 1e-9, None
    yield "three clock reads", cost["three_reads"] * 1e-9, None
    yield "a sample of work:null", cost["sample"] * 1e-9, None
    yield "a sample of work:null, page faults of the trace included", cost["new_memory"] * 1e-9, None
    yield "what work:null reads as", cost["reading"] * 1e-9, None
    yield "a sample beyond two clock reads", cost["beyond_two_reads"] * 1e-9, HARNESS_BUDGET


def stats(folder):
    best = {}
    for b in benchmarks(folder / "stats_bench", "--benchmark_repetitions=3", "--benchmark_min_time=0.01"):
        if b["run_type"] == "iteration":
            noise = b["run_name"].split("/")[1]
            best[noise] = min(best.get(noise, b["cpu_time"]), b["cpu_time"])  # one thread: the same, less the neighbours
    for noise, milliseconds in best.items():
        yield f"statistics of 1,000,000 samples, {noise.replace('_', ' ')}", milliseconds * 1e-3, STATS_BUDGET


def time_text(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= 0.9995 * scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def main(program, folder):
    broken = 0
    print(f"{'what':<62} {'measured':>9} {'budget':>8} {'used':>6}")
    for rows in (harness(Path(folder)), stats(Path(folder)), startup_bench.results(program),
                 randn_bench.results(program)):
        for what, seconds, budget in rows:
            if isinstance(seconds, str):
                print(f"{what:<62} not measured: {seconds}")
                continue
            used = f"{100 * seconds / budget:.0f} %" if budget else ""
            over = bool(budget) and seconds > budget
            broken += over
            limit = time_text(budget) if budget else ""
            print(f"{what:<62} {time_text(seconds):>9} {limit:>8} {used:>6}{'  OVER' if over else ''}", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
