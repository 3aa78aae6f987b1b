# SPDX-License-Identifier: Apache-2.0
"""Strobe against an independent loop: the same model, shape and runtime, one thread, timed by Python.

    python tests/compare_with_python.py [--rounds 5] [--requests 60] [--model NAME_OR_FILE]

The two take turns, each in a fresh process, so that what the machine does meanwhile hits both alike. Minima are the
least disturbed figures that both have, and the ratio of the pooled minima is the result: exit 1 when it is further than
3 % from 1. Not part of the test suite: a busy machine can spoil it. STROBE_PROGRAM names the program.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("STROBE_PROGRAM") or str(REPOSITORY / "build/release/bin/strobe")
WARMUP = 10
TOLERANCE = 0.03


def python_loop(model, shape, requests):
    """Latencies in ns, with the inputs bound as Strobe binds them; prints one JSON object."""
    import numpy
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    random = numpy.random.default_rng(1)
    bindings = []
    for _ in range(2):   # two sets of inputs in turn, as Strobe does
        binding = session.io_binding()
        values = random.standard_normal(shape, dtype=numpy.float32)
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(values))
        for output in session.get_outputs():
            binding.bind_output(output.name, "cpu")
        bindings.append(binding)
    times = []
    for i in range(WARMUP + requests):
        binding = bindings[i % 2]
        begin = time.perf_counter_ns()
        session.run_with_iobinding(binding)
        times.append(time.perf_counter_ns() - begin)
    times = times[WARMUP:]
    print(json.dumps({"median": statistics.median(times), "min": min(times), "version": onnxruntime.__version__}))


def measure_by_python(model, shape, requests):
    command = [sys.executable, __file__, "--loop", model, "--shape", "x".join(map(str, shape)),
               "--requests", str(requests)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure_by_strobe(model, requests):
    command = [PROGRAM, "run", model, "--device", "cpu", "--threads", "1", "--requests", str(requests),
               "--warmup", str(WARMUP), "--json", "-"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode not in (0, 1):
        sys.exit(result.stderr.strip())
    record = json.loads(result.stdout)
    latency = record["metrics"]["latency"]
    return {"median": latency["median"]["value"], "min": latency["min"], "version": record["model"]["runtime_version"],
            "shape": record["model"]["inputs"][0]["shape"]}


def file_of(model):
    if not model.startswith("zoo:"):
        return model
    return subprocess.run([PROGRAM, "zoo", "path", model], check=True, capture_output=True, text=True).stdout.strip()


def compare(model, rounds, requests):
    file = file_of(model)
    ours, theirs = [], []
    print(f"{model}, one thread, {requests} requests a round; times in ms\n")
    print("round   strobe median  python median   ratio   strobe min  python min   ratio")
    for i in range(rounds):
        s = measure_by_strobe(model, requests)
        p = measure_by_python(file, s["shape"], requests)
        if s["version"] != p["version"]:
            sys.exit(f"Strobe runs ONNX Runtime {s['version']}, Python {p['version']}: not comparable.")
        ours.append(s), theirs.append(p)
        print(f"{i + 1:>5}  {s['median'] / 1e6:>14.3f} {p['median'] / 1e6:>14.3f} {s['median'] / p['median']:>7.4f}"
              f"  {s['min'] / 1e6:>11.3f} {p['min'] / 1e6:>11.3f} {s['min'] / p['min']:>7.4f}", flush=True)
    lowest, their_lowest = min(x["min"] for x in ours), min(x["min"] for x in theirs)
    ratio = lowest / their_lowest
    middle = statistics.median(x["median"] for x in ours) / statistics.median(x["median"] for x in theirs)
    close = abs(ratio - 1) <= TOLERANCE
    print(f"\nonnxruntime {ours[0]['version']}: pooled minima {lowest / 1e6:.3f} and {their_lowest / 1e6:.3f} ms,"
          f" ratio {ratio:.4f} (within {TOLERANCE:.0%}: {'yes' if close else 'no'}); of the medians, {middle:.4f}")
    return 0 if close else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="zoo:resnet18")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=60)
    parser.add_argument("--loop", help=argparse.SUPPRESS)
    parser.add_argument("--shape", help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.loop:
        return python_loop(o.loop, [int(d) for d in o.shape.split("x")], o.requests)
    return compare(o.model, o.rounds, o.requests)


if __name__ == "__main__":
    sys.exit(main())
