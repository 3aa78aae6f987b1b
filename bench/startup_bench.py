# SPDX-License-Identifier: Apache-2.0
"""How long the program takes before it measures anything: best of several launches, in seconds.

    python bench/startup_bench.py PROGRAM
"""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LAUNCHES = 10


def launch(*command):
    """Seconds of one launch, and what it printed."""
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    elapsed = time.perf_counter() - begin
    if done.returncode not in (0, 1):  # 1: measured, but one request is no result
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return elapsed, done.stdout


def version(program):
    return min(launch(program, "--version")[0] for _ in range(LAUNCHES))


def run(program, model, *options):
    """One request, without the time that the runtime needs to load itself and the model."""
    def once():
        elapsed, record = launch(program, "run", model, "--requests", "1", *options, "--json", "-")
        return elapsed - json.loads(record)["startup"]["load_ns"] / 1e9

    return min(once() for _ in range(LAUNCHES // 2))


def write_tiny_model(path):
    from onnx import TensorProto, checker, helper, save

    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 16]) for name in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "tiny", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    checker.check_model(model)
    save(model, path)


def results(program):
    """(what, seconds or the reason why there are none, budget in seconds) of each start-up."""
    def attempt(what, budget, measure):
        try:
            return what, measure(), budget
        except (ImportError, RuntimeError) as why:
            return what, str(why), budget

    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder, "tiny.onnx"))

        def tiny(*options):
            write_tiny_model(model)
            return run(program, model, *options)

        return [
            attempt("strobe --version", 0.05, lambda: version(program)),
            attempt("strobe run work:null --requests 1 --warmup 0", 1, lambda: run(program, "work:null", "--warmup", "0")),
            attempt("strobe run tiny.onnx --requests 1 --warmup 0, without the load", 1, lambda: tiny("--warmup", "0")),
            attempt("strobe run tiny.onnx --requests 1, with 0.5 s of warm-up", 1, tiny),
        ]


if __name__ == "__main__":
    for what, seconds, budget in results(*sys.argv[1:]):
        print(f"{what}: {seconds if isinstance(seconds, str) else f'{1000 * seconds:.1f} ms'} (budget {1000 * budget:.0f} ms)")
