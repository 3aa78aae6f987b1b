# SPDX-License-Identifier: Apache-2.0
"""How long the GPU is busy in a request of a TorchScript file, by torch.profiler: the union of its kernels and copies,
beside what `strobe profile` says of the same file. Writes JSON.

    python3 torch_busy.py MODEL.pt SHAPE OUT.json      SHAPE: 32x3x224x224
"""
import json
import statistics
import sys

import torch
from torch.profiler import ProfilerActivity, profile, record_function

WARM_UP, REQUESTS = 30, 50


def union(intervals):
    total, until = 0, float("-inf")
    for begin, end in sorted(intervals):
        total += max(0, end - max(begin, until))
        until = max(until, end)
    return total


def device_work(events, kinds=("kernel", "gpu_memcpy", "gpu_memset")):
    for e in events:
        if e.get("cat") in kinds:
            yield e["ts"], e["ts"] + e["dur"]


def main(path, shape, out):
    model = torch.jit.load(path, map_location="cuda").eval()
    x = torch.randn(*map(int, shape.split("x")), device="cuda")
    with torch.inference_mode():
        for _ in range(WARM_UP):
            model(x)
        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as p:
            for _ in range(REQUESTS):
                with record_function("request"):
                    model(x)
                    torch.cuda.synchronize()
    p.export_chrome_trace(out + ".trace")
    with open(out + ".trace", encoding="utf-8") as f:
        events = [e for e in json.load(f)["traceEvents"] if e.get("ph") == "X"]
    work = sorted(device_work(events))
    busy, kernels = [], []
    for r in (e for e in events if e.get("name") == "request" and e.get("cat") == "user_annotation"):
        inside = [w for w in work if r["ts"] <= w[0] < r["ts"] + r["dur"]]
        busy.append(1e3 * union(inside))
        kernels.append(len(inside))
    with open(out, "w", encoding="utf-8") as f:
        json.dump({"busy_ns": statistics.median(busy), "activities": statistics.median(kernels), "requests": len(busy)}, f)


if __name__ == "__main__":
    main(*sys.argv[1:])
