# SPDX-License-Identifier: Apache-2.0
"""The usual tools on kernels of known length: what triton.testing.do_bench, torch.utils.benchmark.Timer and the usual
snippets read, beside the time that the kernel itself saw. Writes JSON for docs/results/h200.md.

    python3 peers.py OUT.json
"""
import json
import statistics
import sys
import time
import warnings

import cupy
import torch
import torch.utils.benchmark
import triton.testing

SOURCE = r"""
extern "C" __global__ void spin(unsigned long long length, unsigned long long* truth) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); while (now < begin + length);
  truth[0] = begin, truth[1] = now;
}
"""

warnings.simplefilter("ignore")  # cupy renames what wraps a stream
kernel = cupy.RawKernel(SOURCE, "spin")
truth = torch.zeros(2, dtype=torch.int64, device="cuda")
pointer = truth.data_ptr()


def spinner(length):
    arguments = (cupy.uint64(length), cupy.uint64(pointer))

    def run():
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            kernel((1,), (1,), arguments)

    return run


def own_time(run):
    times = []
    for _ in range(21):
        run()
        torch.cuda.synchronize()
        begin, end = truth.tolist()
        times.append(end - begin)
    return statistics.median(times)


def naive(run):
    times = []
    for _ in range(60):
        begin = time.perf_counter_ns()
        run()
        times.append(time.perf_counter_ns() - begin)
    torch.cuda.synchronize()
    return statistics.median(times[10:])


def sync(run):
    times = []
    for _ in range(60):
        torch.cuda.synchronize()
        begin = time.perf_counter_ns()
        run()
        torch.cuda.synchronize()
        times.append(time.perf_counter_ns() - begin)
    return statistics.median(times[10:])


def event(run):
    times = []
    for _ in range(60):
        a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        a.record()
        run()
        b.record()
        b.synchronize()
        times.append(a.elapsed_time(b) * 1e6)
    return statistics.median(times[10:])


def do_bench(run):
    return triton.testing.do_bench(run, return_mode="median") * 1e6


def timer(run):
    return torch.utils.benchmark.Timer(stmt="run()", globals={"run": run}).blocked_autorange(min_run_time=0.5).median * 1e9


METHODS = {"naive": naive, "sync": sync, "event": event, "do_bench": do_bench, "Timer": timer}
rows = []
for length in (20_000, 200_000, 2_000_000, 20_000_000):
    run = spinner(length)
    run()
    torch.cuda.synchronize()
    row = {"length_ns": length, "truth_ns": own_time(run)}
    row |= {name: method(run) for name, method in METHODS.items()}
    rows.append(row)
    print({k: round(v) for k, v in row.items()})
with open(sys.argv[1], "w", encoding="utf-8") as out:
    json.dump({"torch": torch.__version__, "triton": triton.__version__, "gpu": torch.cuda.get_device_name(),
               "uuid": f"GPU-{torch.cuda.get_device_properties(0).uuid}", "rows": rows}, out, indent=1)
