# SPDX-License-Identifier: Apache-2.0
"""Does a number come back? The same networks in fresh processes, one after the other: what triton.testing.do_bench and
torch.utils.benchmark.Timer read at their defaults, beside what the device needs and what a CUDA graph of the same needs.

    python3 repeat.py OUT.json [PROCESSES]      six processes by default, about 20 s each
    python3 repeat.py --one                     one process: a line of JSON, times in microseconds

"device" is a pair of events around one call that was queued whole before the device might start: a kernel that sleeps
holds the stream meanwhile. "graph" is the same for a captured graph. Both are medians of 50 calls.
"""
import json
import statistics
import subprocess
import sys
import time

NETWORKS = (("squeezenet1_1", 1), ("efficientnet_b0", 1), ("convnext_tiny", 16), ("resnet18", 32))
CALLS = 50
SLEEP_CYCLES = 40_000_000  # about 20 ms: longer than any of these networks takes to hand over


def held(torch, run):
    """Time of one call on the device, with the whole call queued behind a kernel that sleeps."""
    times = []
    for _ in range(CALLS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(SLEEP_CYCLES)
        begin.record()
        run()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return statistics.median(times)


def captured(torch, run):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            run()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    return graph


def one():
    import torch
    import torch.utils.benchmark
    import torchvision
    import triton.testing

    rows = {}
    for name, batch in NETWORKS:
        torch.manual_seed(0)
        model = getattr(torchvision.models, name)(weights=None).eval().cuda()
        x = torch.randn(batch, 3, 224, 224, device="cuda")
        with torch.inference_mode():
            run = lambda: model(x)
            for _ in range(10):
                run()
            torch.cuda.synchronize()
            began = time.monotonic()
            row = {"do_bench": triton.testing.do_bench(run, return_mode="median") * 1e3}
            between = time.monotonic()
            timer = torch.utils.benchmark.Timer("run()", globals={"run": run})
            row["Timer"] = timer.blocked_autorange(min_run_time=1).median * 1e6
            row["seconds"] = [between - began, time.monotonic() - between]
            row["device"] = held(torch, run)
            row["graph"] = held(torch, captured(torch, run).replay)
        rows[f"{name} batch {batch}"] = row
    print(json.dumps({"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "triton": triton.__version__, "rows": rows}))


def main(out, processes=6):
    runs = []
    for _ in range(int(processes)):
        done = subprocess.run([sys.executable, "-W", "ignore", __file__, "--one"], capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout.splitlines()[-1]))
        with open(out, "w", encoding="utf-8") as file:
            json.dump(runs, file, indent=1)
    for case in runs[0]["rows"]:
        for method in ("do_bench", "Timer", "device", "graph"):
            times = [r["rows"][case][method] for r in runs]
            print(f"{case:26} {method:9}", *(f"{t:8.1f}" for t in times), f"  {max(times) / min(times):.3f} x apart")


if __name__ == "__main__":
    one() if sys.argv[1:] == ["--one"] else main(*sys.argv[1:])
