# SPDX-License-Identifier: Apache-2.0
"""Strobe against OpenVINO's own benchmark_app: the same wheel, models, precision and load, in turns.

    python bench/openvino_bench.py PROGRAM [--models resnet18 …] [--turns 5] [--seconds 5] [--threads 1]

For each model the latency of one request at a time (`run`, `-api sync`), and the rate of asynchronous requests
(`throughput`, `-api async`). Each turn is a fresh process of both, one right after the other, so that what the machine does meanwhile
hits both alike. Of latencies the pooled minimum is the least disturbed number that both have, of rates the highest turn.
benchmark_app comes with the package `openvino`, in the environment of the Python that runs this.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

STREAMS, REQUESTS = 2, 4  # of the asynchronous load
PRECISION = "INFERENCE_PRECISION_HINT=f32"


def output_of(command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if done.returncode not in (0, 1):  # 1: measured, and not to be trusted on this machine
        raise RuntimeError(done.stderr.strip() or done.stdout.strip())
    return done.stdout


def strobe(program, verb, model, o, *more):
    command = [program, verb, f"zoo:{model}", "--runtime", "openvino", "--device", "cpu", "--set", PRECISION, "--threads", o.threads,
               "--launches", 1, *more, "--json", "-"]
    return json.loads(output_of(command))["metrics"]


def strobe_latency(program, model, o):
    latency = strobe(program, "run", model, o, "--max-time", f"{o.seconds}s", "--input-sets", 1)["latency"]
    return {"median": latency["median"]["value"] / 1e6, "min": latency["min"] / 1e6}


def strobe_rate(program, model, o):
    load = ("--streams", STREAMS, "--in-flight", REQUESTS // STREAMS, "--batches", 1, "--no-largest", "--effort", "standard")
    metrics = strobe(program, "throughput", model, o, *load)
    return {"rate": metrics["throughput"]["value"], "median": metrics["latency_loaded"]["median"]["value"] / 1e6}


def benchmark_app(program, model, o, *more):
    path = output_of([program, "zoo", "path", model]).strip()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(sys.executable).with_name("benchmark_app")
        output_of([sys.executable, script, "-m", path, "-d", "CPU", "-shape", o.shape, "-infer_precision", "f32", "-t", o.seconds,
                   "-report_type", "no_counters", "-report_folder", folder, "-json_stats", "-nthreads", o.threads, "-hint", "none", *more])
        (report,) = Path(folder).glob("*.json")
        return json.loads(report.read_text())["execution_results"]


def app_latency(program, model, o):
    seen = benchmark_app(program, model, o, "-api", "sync", "-nstreams", 1)
    return {"median": float(seen["latency (ms)"]), "min": float(seen["min latency"])}  # its rate is of the whole loop


def app_rate(program, model, o):
    seen = benchmark_app(program, model, o, "-api", "async", "-nstreams", STREAMS, "-nireq", REQUESTS)
    return {"rate": float(seen["throughput"]), "median": float(seen["latency (ms)"])}


def in_turns(program, model, o, ours, theirs):
    """Of each turn what both read; who begins changes."""
    turns = []
    for i in range(o.turns):
        order = [("strobe", ours), ("app", theirs)][:: 1 if i % 2 == 0 else -1]
        turns.append({name: read(program, model, o) for name, read in order})
        print(f"{model} {json.dumps(turns[-1])}", file=sys.stderr)
    return turns


def row(model, what, turns, key, best, digits):
    mine, other = ([t[side][key] for t in turns] for side in ("strobe", "app"))
    ratios = [a / b for a, b in zip(mine, other)]
    return (f"| {model}, {what} | {best(mine):.{digits}f} | {best(other):.{digits}f} | {best(mine) / best(other):.3f} "
            f"| {statistics.median(ratios):.3f} | {min(ratios):.3f} to {max(ratios):.3f} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda p: Path(p).absolute())
    parser.add_argument("--models", nargs="+", default=["mobilenet_v3_small", "resnet18"])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--shape", default="[1,3,224,224]")
    parser.add_argument("--only", choices=("latency", "rate"))
    o = parser.parse_args()
    print("| | strobe | benchmark_app | ratio | median ratio of a turn | least and most |\n|---|---|---|---|---|---|")
    for model in o.models:
        if o.only != "rate":
            turns = in_turns(o.program, model, o, strobe_latency, app_latency)
            print(row(model, "latency, least, ms", turns, "min", min, 3))
            print(row(model, "latency, median, ms", turns, "median", min, 3))
        if o.only != "latency":
            turns = in_turns(o.program, model, o, strobe_rate, app_rate)
            print(row(model, "rate, /s", turns, "rate", max, 1))
            print(row(model, "latency under load, median, ms", turns, "median", min, 3))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
