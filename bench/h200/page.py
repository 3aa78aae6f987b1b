# SPDX-License-Identifier: Apache-2.0
"""Writes docs/results/h200.md from the records in docs/results/h200: no number in its tables is typed by hand.

    python3 bench/h200/page.py
"""
import json
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
RECORDS = REPOSITORY / "docs/results/h200"
NETWORKS = ("resnet18", "resnet50", "mobilenet_v3_small")
# Older records have a phrase that the program no longer writes.
REPHRASED = {"once more, because the best of many is lucky": "confirmation run"}
lines = []


def say(*text):
    lines.extend(text or ("",))


def record(case):
    path = RECORDS / f"{case}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def command(case):
    return (RECORDS / f"{case}.cmd").read_text(encoding="utf-8").splitlines()[0]


# Records of strobe/1 are still among the results: what they call otherwise is looked up here.
def one_value(metric):
    return metric.get("median", metric)


def trial(case):
    return case.get("trial") or case.get("answer", {})


def check_of(case):
    return case.get("check") or case["settings"]


def gpu_facts(case):
    if "device" not in case:
        return case["settings"]
    calibration = {f"calibration.{key}": value for key, value in case["device"]["calibration"].items()}
    return {"version": case["version"]} | case["device"]["facts"] | calibration


def median(r, metric, digits=0):
    m = (r or {}).get("metrics", {}).get(metric, {})
    return f"{m['median']['value'] / 1e3:,.{digits}f}" if "median" in m else "–"


def interval(r, metric):
    m = (r or {}).get("metrics", {}).get(metric, {}).get("median", {})
    limits = [m.get(side) for side in ("low", "high")]
    if limits == [None, None]:
        return median(r, metric)
    low, high = ("–" if x is None else f"{x / 1e3:,.0f}" for x in limits)  # not bounded on that side
    return f"{m['value'] / 1e3:,.0f} [{low}, {high}]"


def rate(metrics, name):
    value = one_value(metrics.get(name, {})).get("value")
    return f"{value:,.0f}" if value else "–"


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
    facts = gpu_facts(gpu)
    say("# Results on an NVIDIA H200", "",
        f"{facts['version']}, driver {facts['driver']}, CUDA {facts['cuda']}, {doctor['host']['cores']} cores of a virtual machine"
        f" ({doctor['host']['cpu']}). ONNX Runtime 1.31.1 (CUDA provider), torch 2.11.0. All times in µs unless another unit is given.", "",
        "Every number comes from a record in [h200/](h200). `bench/h200/run` makes the records (one per case; it skips those that exist),",
        "`bench/h200/page.py` writes this page. `CASE.cmd` holds the command of a case.", "",
        "The machine was started several times for this: results of different cases may come from different boards of the same kind.", "")
    say("## What the clocks cost (`strobe doctor`)", "")
    names = {"mark_tick_ns": "resolution of an event", "mark_ns": "host, recording an event", "launch_ns": "host, launching an empty kernel",
             "graph_launch_ns": "host, launching a graph of 10 nodes", "mark_pair_ns": "two events with nothing between, queued",
             "kernel_pair_ns": "events around an empty kernel, queued", "kernel_pair_idle_ns": "the same on an idle stream",
             "mark_pair_idle_ns": "two events with nothing between, on an idle stream",
             "sync_after_work_ns": "host, noticing that 20 µs of work are done", "sync_blocking_ns": "the same when it sleeps while it waits",
             "elapsed_ns": "host, reading the time between two events", "graph_launch_1_ns": "host, launching a graph of 1 node",
             "graph_launch_100_ns": "of 100 nodes", "graph_launch_1000_ns": "of 1,000 nodes", "nvml_ns": "host, an NVML call",
             "flush_ns": "flushing the L2 cache"}
    table(("what", "ns"), [(text, f"{facts['calibration.' + key]:,.0f}") for key, text in names.items() if "calibration." + key in facts])
    say(f"{facts['calibration.queue_depth']:.0f} launches fit behind a closed gate. A copy within the GPU's memory moves {facts['calibration.copy_gbps']:,.0f} GB/s (read and written).",
        f"A copy from pinned host memory moves {facts['calibration.copy_in_gbps']:.1f} GB/s, a copy to it {facts['calibration.copy_out_gbps']:.1f}.", "")


def selftest():
    r, peers = record("selftest"), record("peers")
    say("## Kernels of known length", "", "    strobe selftest --device cuda", "",
        "A spinning kernel stores when it begins and ends by the GPU's own timer: the true length. The error of each method:", "")
    lengths = ("20.0 µs", "200 µs", "2.00 ms", "20.0 ms")
    cases = {c["name"]: c for c in r["cases"]}
    rows = []
    ways = ("naive", "sync", "event", "event-queued", "block-host", "block", "gated", "gated-spin", "graph", "graph-event")
    for way in (w for w in ways if f"{w}, {lengths[0]}" in cases):
        row = [f"`{way}`"]
        for length in lengths:
            row.append(cases[f"{way}, {length}"]["about"].split(":")[0])
        rows.append(row)
    for tool in ("naive", "sync", "event", "do_bench", "Timer"):
        name = {"do_bench": "`triton.testing.do_bench`", "Timer": "`torch.utils.benchmark.Timer`"}.get(tool, f"{tool}, in Python")
        rows.append([name] + [f"{(p[tool] - p['truth_ns']) / 1e3:+,.2f} µs" for p in peers["rows"]])
    table(("method", *lengths), rows)
    say(f"The Python rows are the same kernel launched by cupy on torch's stream (torch {peers['torch']}, triton {peers['triton']}, `bench/h200/peers.py`),"
        f" {'on the same board in the same run' if peers.get('uuid') == r['device']['facts']['uuid'] else 'on another board'}: there the host needs",
        "about 20 µs per launch. `do_bench` hides the launch behind its cache flush; `Timer` reads a block of launches.", "")
    table(("check", "must be", "is", ""), [(c["name"], check_of(c)["expected"], check_of(c)["got"], "ok" if not c.get("error") else "**not met**")
                                           for c in r["cases"] if "reading" not in c.get("metrics", {})])
    say("The GPU looks for the end of a kernel about every 0.3 µs. A short kernel of one length always ends at the same moment between two looks: at 20 µs alone the constant",
        "was once 0.1 µs larger than at other lengths. So the self-test varies each length by 1 µs in steps of 32 ns.", "",
        "The kernel stores its times in GPU memory, and another stream fetches them. With the times in host memory the constant was 0.3 µs larger and varied by up to 96 ns,",
        "because a kernel ends only when its last store has crossed the bus. Fetched on the same stream, it was 5.5 µs: the first event after a copy is recorded on the copy",
        "engine.", "")


def networks():
    say("## Networks", "",
        "`--effort quick --graph --copies`, float32 with each runtime's default for TF32. *gap* is the share of `span` in which the device waits for the host,",
        "*replayed* the items/s of the captured graph.", "")
    rows = []
    for network in NETWORKS:
        for batch in (1, 32):
            for runtime in ("onnxruntime", "pt", "pt2"):
                r = record(f"quick-{network}-b{batch}-{runtime}")
                if not r:
                    continue
                m = r["metrics"]
                gap = 1 - m["device_time"]["median"]["value"] / m["span"]["median"]["value"] if "median" in m.get("device_time", {}) else None
                rows.append((network, batch, runtime, interval(r, "latency"), median(r, "submit"), median(r, "span"), interval(r, "device_time"),
                             median(r, "replay_time"), interval(r, "replay_latency"), rate(m, "throughput"), rate(m, "replay_throughput"),
                             f"{100 * gap:.0f} %" if gap is not None else "–",
                             median(r, "copy_in", 1), median(r, "copy_out", 1), r["verdict"], findings(r, "warning", "invalid")))
    table(("network", "batch", "runtime", "latency", "submit", "span", "device time", "replay", "replay latency", "items/s", "replayed", "gap", "copy in", "copy out", "verdict", "warnings"), rows)
    say("Launch-bound latencies of this virtual machine switch between two levels (0.56 and 0.82 ms for resnet18 on ONNX Runtime, say). The cause is the host, not the GPU.",
        "The verdict says so; `device time` does not change.", "",
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


def full_queue():
    case = "full-queue-resnet18-1024x2048"
    r = record(case)
    if not r:
        return
    say("## A clock without a wait, and a full queue", "", f"    {command(case)}", "")
    rows = []
    for c in r["cases"]:
        reading, queue = c.get("metrics", {}).get("reading", {}), c.get("queue")
        full = (f"after {queue['after']} requests, about {queue['in_flight']:.0f} of them in flight: submitting took {queue['free_ns'] / 1e3:,.0f} before"
                f" and {queue['full_ns'] / 1e3:,.0f} after") if queue else "–"
        rows.append((f"`{c['name']}`", median(c, "reading"), f"{reading['min'] / 1e3:,.0f}" if "min" in reading else "–", full))
    table(("method", "reads", "minimum", "the queue was full"), rows)


def listings():
    case = "listings-resnet18-b1"
    r = record(case)
    if not r:
        return
    say("## What the usual listings print", "", f"    {command(case)}", "",
        "Each alone, before anything else in its process; [coming-from.md](../coming-from.md#usual-listings) has their loops. References: "
        + ", ".join(f"{m.replace('_', ' ')} {median(r, m)}" for m in ("latency", "device_time", "period")) + ".", "")
    table(("`--like`", "prints", "off by", "taken for", "what it counts"),
          [(f"`{c['name']}`", c.get("prints", "–"), f"{100 * c['difference']:+.1f} %" if "difference" in c else "", c.get("claims", "").replace("_", " "),
            short(c.get("error") or c.get("about", ""))) for c in r["cases"]])


def idle():
    case = "idle-resnet18-b1"
    r = record(case)
    if not r:
        return
    say("## After a pause", "", f"    {command(case)}", "")
    rows = [("none", interval(r, "latency"), "", "")]
    for i in r["idle"]:
        clocks = [i.get(when, {}).get("device_mhz") for when in ("before", "after")]
        rows.append((milliseconds(i["pause_ns"]) + (" (Poisson)" if i.get("random") else ""), interval(i, "latency"),
                     f"{100 * i['difference']:+.0f} %" if "difference" in i else "", " → ".join(f"{x:,.0f}" for x in clocks if x) or "–"))
    table(("pause before the request", "latency", "", "MHz before and after"), rows)


def input_sets():
    case = "input-sets-resnet18-b8"
    r = record(case)
    if not r:
        return
    say("## More inputs than the cache holds", "", f"    {command(case)}", "")
    table(("`--input-sets`", "latency", "device time", "items/s"),
          [(c["settings"]["input-sets"], interval(c, "latency"), interval(c, "device_time"), rate(c["metrics"], "throughput")) for c in r["cases"]])


def caches():
    say("## A cold cache, and the runtime's own copies", "", "resnet18 of batch 1 on ONNX Runtime:", "")
    rows = []
    for case, what in (("quick-resnet18-b1-onnxruntime", "hot cache, tensors on the device"), ("cold-resnet18-b1-onnxruntime", "`--cache cold`: flushed before each request"),
                       ("io-resnet18-b1-onnxruntime", "`--io runtime`: tensors on the host, copied by the runtime")):
        r = record(case)
        rows.append((what, interval(r, "latency"), interval(r, "device_time"), interval(r, "end_to_end"), r["verdict"]))
    table(("", "latency", "device time", "end to end", "verdict"), rows)


def faults():
    say("## Faulty models, found by name", "", "TorchScript modules of `bench/h200/faulty_models.py`; none hangs.", "")
    rows = []
    for name, what in (("hidden_sync", "waits for the device inside"), ("second_stream", "works on a second stream"),
                       ("leaks", "works on a stream that no gate holds"), ("fills_queue", "launches 6,000 kernels"),
                       ("allocates", "allocates in each call"), ("constant", "computes nothing")):
        r = record(f"fault-{name}")
        if r:
            device_time = r["metrics"].get("device_time", {})
            rows.append((what, r["verdict"], findings(r, "invalid", "warning"), findings(r, "note"), device_time.get("unknown") or median(r, "device_time")))
    table(("model", "verdict", "invalid and warnings", "notes and advice", "device time"), rows)
    say("Work on a second stream is found when it outlasts the request. Work that ends before the request's last kernel is not: that needs a tracer.", "")


def memory():
    say("## Out of memory", "")
    for case in ("memory-batch-100000", "memory-batch-300000", "memory-batch-9000"):
        text = (RECORDS / f"{case}.txt").read_text(encoding="utf-8").strip()
        say(f"    $ {command(case)}", *(f"    {line}" for line in text.splitlines()), "")
    say("Two input sets of 100,000 images fit; the first convolution's output does not. 300,000 images are refused before anything is allocated.",
        "At 9,000 a tensor of resnet50 passes 2³¹ elements, which cuDNN refuses before memory runs out.", "")


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


def rate_text(metric):
    m = one_value(metric)
    if "value" not in m:
        return "–"
    span = f" [{m['low']:,.0f}, {m['high']:,.0f}]" if m.get("low") is not None and m.get("high") is not None else ""
    return f"{m['value']:,.0f}{span}"


def milliseconds(ns):
    return f"{ns / 1e6:,.0f} ms" if ns >= 1e8 else f"{ns / 1e6:.3g} ms"


def short(text, most=110):
    text = text.replace("\n", " ")
    return text if len(text) <= most else text[:most] + "…"


def points(r, percentile=None):
    rows = []
    for c in sorted(r["cases"], key=lambda c: (c["settings"]["in_flight"], c["settings"]["batch"])):
        loaded = c.get("metrics", {}).get("latency_loaded", {})
        values = [loaded.get("median", {}).get("value")]
        if percentile:  # few samples cannot tell it
            values.append(next((p.get("value") for p in loaded.get("percentiles", []) if p["p"] == percentile), None))
        memory = one_value(c.get("metrics", {}).get("memory", {})).get("value")
        outcome = "" if c["outcome"] == "fits" else c["outcome"]
        bound = trial(c).get("bound", "")
        if late := trial(c).get("late_share"):
            bound += f", {100 * late:.{0 if late > 0.1 else 1}f} % late"
        about = REPHRASED.get(c.get("about", ""), c.get("about", ""))
        remark = "; ".join(x for x in (outcome, bound, short(c.get("error", "") or about)) if x)
        rows.append((c["settings"]["batch"], c["settings"]["in_flight"], rate_text(c.get("metrics", {}).get("throughput", {})),
                     *(milliseconds(x) if x else "–" for x in values), f"{memory / 2**30:.2f} GiB" if memory else "–", remark))
    return rows


def throughput():
    say("## How much", "", "Strobe searches for the batch size and tries each in a separate process; the largest that fits runs for 30 s.", "")
    rows = []
    for runtime in ("onnxruntime", "pt2"):
        case = f"throughput-resnet50-{runtime}"
        r, loop = record(case), record(f"loop-resnet50-{runtime}")
        a = r["answer"]
        say(f"### resnet50, {runtime}", "", f"    {command(case)}", "")
        table(("batch", "in flight", "items/s", "latency under load", "memory", ""), points(r))
        say(f"Best batch {a['best_batch']} (the smallest within 5 % of the fastest, {a['fastest_batch']}); largest {a['largest_batch']}, {a['largest_state']}, "
            f"{a['reserve_bytes'] / 2**30:.0f} GiB left; {a['fails_at']} does not run: {short(a['fails_because'], 400)}", "")
        best = one_value(next(c for c in r["cases"] if c["settings"]["batch"] == a["best_batch"])["metrics"]["throughput"])["value"]
        rates = sorted(x["items_per_second"] for x in loop)
        rows.append((runtime, a["best_batch"], f"{best:,.0f}", f"{rates[1]:,.0f} ({rates[0]:,.0f} to {rates[-1]:,.0f})", f"{100 * (best / rates[1] - 1):+.2f} %"))
    say("A tensor of 64×112×112 reaches 2³¹ elements at batch 2,675. There both runtimes fail, long before memory runs out.", "",
        "Compared with a loop of 50 lines (`bench/h200/loop_onnxruntime.cc`, `loop_torch.cc`: 200 runs, one wait; the same session options for ONNX Runtime, the loader's defaults for the package), three times:", "")
    table(("runtime", "batch", "strobe, items/s", "loop, items/s", "difference"), rows)


def bounded():
    runtimes = [x for x in ("onnxruntime", "pt2") if record(f"bound-resnet50-{x}")]
    if runtimes:
        say("## How much within 10 ms", "")
    for runtime in runtimes:
        case = f"bound-resnet50-{runtime}"
        r = record(case)
        say(f"### resnet50, {runtime}", "", f"    {command(case)}", "")
        table(("batch", "in flight", "items/s", "under load", "p99", "memory", ""), points(r, 0.99))
        say(f"Answer: {r['answer']['bound']}" + (f", {r['answer']['bound_point']}." if "bound_point" in r["answer"] else "."), "")
        rows = []
        for what, name in (("bound", "the answer"), ("beyond", "the next larger batch that was tried")):
            check = record(f"{case}-{what}")
            if check:
                most = max(c["settings"]["batch"] for c in check["cases"])  # before it there is a probe of the smallest
                rows += [(name, *p) for p in points(check, 0.99) if p[0] == most]
        if rows:
            say("Checked separately:", "")
            table(("what", "batch", "in flight", "items/s", "under load", "p99", "memory", ""), rows)


def stages(case, title):
    r = record(case)
    say(f"### {title}", "", f"    {command(case)}", "")
    cases = {c["name"]: c for c in r["cases"]}
    reading = lambda c, i: cases[c]["stages"][i]["metrics"]["reading"]["median"]["value"]  # noqa: E731
    rows = []
    for i, stage in enumerate(cases["event"]["stages"]):
        m = stage["metrics"]
        own = [m.get(x, {}).get("median", {}).get("value") for x in ("submit", "device_time", "waiting")]
        bound = stage.get("bound") or r.get("answer", {}).get(f"bound.{stage['name']}", "–")
        if own[1] is None and bound == "device":  # its work by itself is unknown: marks read the host's part of it, too
            bound = "–"
        rows.append((stage["name"], *(f"{reading(c, i) / 1e3:,.0f}" for c in ("naive", "sync", "event")),
                     *(f"{x / 1e3:,.0f}" if x is not None else "–" for x in own), bound))
    rows.append(("one iteration", *(median(cases[c], "latency") for c in ("naive", "sync", "event")), "", "", "", ""))
    table(("stage", "naive", "sync", "event", "submit", "device", "waits", "bound by"), rows)
    table(("method", "slows the iteration by", "outcome"),
          [(c["b"], f"{100 * (c['ratio']['value'] - 1):+.2f} % [{100 * (c['ratio']['low'] - 1):+.2f}, {100 * (c['ratio']['high'] - 1):+.2f}]",
            {"equivalent": "within 1 %", "slower": "it slows the pipeline"}.get(c["outcome"], "cannot tell")) for c in r["comparisons"]])
    say(f"Undisturbed: {interval(r, 'latency')} µs. Event marks cost at most {100 * (r.get('pipeline') or r['answer'])['marks_cost_at_most']:.1f} % (upper 95 % limit, {r['comparisons'][0]['pairs']} rounds).", "")


def pipelines():
    say("## Where in a pipeline", "")
    stages("pipeline", "Two networks (batch 32) with work on the CPU between them")


def overlap(name, title):
    case = f"overlap-{name}"
    r, loop = record(case), record(f"{case}-by-hand")
    if not r:
        return
    say(f"### {title}", "", f"    {command(case)}", "")
    rows = []
    for c, key in zip((c for c in r["cases"] if "in_flight" in c["settings"]), ("one_at_a_time_us", "in_flight_us")):
        by_hand = sorted(x[key] for x in loop or [])
        hand = f"{by_hand[len(by_hand) // 2]:,.0f} ({by_hand[0]:,.0f} to {by_hand[-1]:,.0f})" if by_hand else "–"
        rows.append((c["name"], interval(c, "period"), rate(c["metrics"], "throughput"), hand))
    table(("", "period", "iterations/s", "two threads by hand"), rows)
    answer = r["pipeline"]["overlap"]
    bound = f"{answer['bottleneck']} is the bottleneck" if answer.get("bottleneck") else "no lane is full"
    say(f"{bound}: " + ", ".join(f"{lane['lane']} works {100 * lane['work']:.0f} % of the time" for lane in answer["lanes"]) + ".", "")


def overlaps():
    if not record("overlap-balanced"):
        return
    say("## Iterations in flight", "",
        "The host prepares (it spins) while the device works on the iteration before: resnet50 of batch 32 on ONNX Runtime, two in flight. Beside it an",
        "independent program with two threads (`bench/h200/overlap_onnxruntime.cc`), seven times; its median, least and most.", "")
    overlap("balanced", "The host works about as long as the device")
    overlap("short", "The host has far less to do")


def copies():
    say("## Copies", "", "A 1×3×4096×4096 image into a model that computes next to nothing (`bench/h200/small_model.py`).", "")
    r, runtime = record("copies-4096"), record("copies-4096-runtime")
    say(f"    {command('copies-4096')}", "")
    o, best, rows = r["observations"], r["device"]["calibration"], []
    for name in ("copy_in", "copy_in_pageable", "copy_out", "copy_out_pageable"):
        time = r["metrics"][name]["median"]["value"]
        way = "in" if "_in" in name else "out"
        gbps = o[f"copied_{way}_bytes"] / time
        rows.append((f"`{name}`", f"{o[f'copied_{way}_bytes']:,}", interval(r, name), f"{gbps:.3g}", f"{100 * gbps / best[f'copy_{way}_gbps']:.1f} %"))
    table(("", "bytes", "µs", "GB/s", f"of this machine's {best['copy_in_gbps']:.1f} and {best['copy_out_gbps']:.1f}"), rows)
    share = r["metrics"]["copy_in"]["median"]["value"] / r["metrics"]["end_to_end"]["median"]["value"]
    say(f"The model alone takes {median(r, 'latency')} µs. End to end takes {median(r, 'end_to_end')} µs from pinned memory ({100 * share:.0f} % of it the copy in), "
        f"and {median(runtime, 'end_to_end')} µs through the runtime's own tensors on the host (`--io runtime`).", "",
        "How a wait changes the readings when copies dominate:", "")
    stages("copies-pinned", "The same as a pipeline, pinned memory")
    stages("copies-pageable", "From pageable memory")
    say("Without a wait, a pinned copy of 192 MiB seems to take only as long as its submission. From pageable memory the host itself copies, so the reading of the copy in is right by",
        "accident. But the copy out of 32 bytes waits for the model, and the clock counts the model's time as the copy's. With a wait around each stage, each stage alone is read",
        "correctly; the tables show what that costs the iteration.", "")
    rows = []
    for way in ("serial", "overlapped"):
        case = record(f"copies-{way}-resnet50")["cases"][-1]
        rows.append((way, rate_text(case["metrics"]["throughput"]), milliseconds(case["metrics"]["latency_loaded"]["median"]["value"])))
    say("Copies overlapped with the work of other requests, resnet50 of batch 32 on ONNX Runtime with 4 requests in flight:", "")
    table(("copies", "items/s", "latency under load"), rows)
    say(f"Without copies `run` reads {one_value(record('quick-resnet50-b32-onnxruntime')['metrics']['throughput'])['value']:,.0f} items/s.", "")


for part in (heading, selftest, networks, all_methods, full_queue, listings, throughput, bounded, pipelines, overlaps, copies, caches, input_sets, idle, faults,
             memory, budgets):
    part()
(REPOSITORY / "docs/results/h200.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
