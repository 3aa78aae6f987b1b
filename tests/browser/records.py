# SPDX-License-Identifier: Apache-2.0
"""Records of studies that no verb makes yet, and one full of markup, made from a real one."""

import copy

EVIL = "<script>window.fooled = 1</script></script>\"onload=\"window.fooled = 1\" '<img src=x onerror=window.fooled=1>"


def metric(value, unit="ns", share=0.01):
    estimate = {"value": value, "low": value * (1 - share), "high": value * (1 + share)}
    return {"unit": unit, "n": 100, "n_eff": 60} | ({"median": estimate} if unit == "ns" else estimate)


def study(run, verb, **fields):
    return copy.deepcopy(run) | {"verb": verb, "metrics": {}, "findings": [], "verdict": "trusted"} | fields


def compare(run):
    ratio = {"value": 0.711, "low": 0.702, "high": 0.72}
    return study(run, "compare",
                 cases=[{"name": n, "metrics": {"latency": metric(v)}} for n, v in (("a.onnx", 33.9e6), ("b.onnx", 24.1e6))],
                 comparisons=[{"a": "a.onnx", "b": "b.onnx", "metric": "latency", "ratio": ratio, "outcome": "faster",
                               "pairs": 40},
                              {"a": "a.onnx", "b": "a-file-with-a-name-that-is-rather-long.onnx", "metric": "latency",
                               "ratio": {"value": 1.02, "low": 0.95, "high": None}, "outcome": "cannot-tell", "pairs": 9,
                               "needs": 900}])


def throughput(run):
    cases = []
    for streams in (1, 2):
        for batch in (1, 2, 4, 8, 16, 32):
            rate = 2400 * streams ** 0.2 * batch / (batch + 9)
            cases.append({"name": f"batch {batch}, {streams} streams", "outcome": "fits",
                          "settings": {"batch": batch, "streams": streams, "in_flight": 4},
                          "metrics": {"throughput": metric(rate, "items/s"), "latency_loaded": metric(4e9 * batch / rate),
                                      "memory": metric((300 + 60 * batch) * 2 ** 20, "bytes", 0)}})
    cases.append({"name": "batch 64, 1 streams", "outcome": "out-of-memory", "error": "out of memory: 12 GiB wanted",
                  "settings": {"batch": 64, "streams": 1, "in_flight": 4}})
    again = copy.deepcopy(next(c for c in cases if c["name"] == "batch 16, 2 streams"))
    again["metrics"]["throughput"] = metric(0.6 * again["metrics"]["throughput"]["value"], "items/s")
    cases.append(again)
    return study(run, "throughput", cases=cases, answer={"best_batch": 16, "best_streams": 2, "largest_batch": 32})


def pipeline(run):
    stages = [{"name": n, "metrics": {"latency": metric(v)}} for n, v in (("decode", 2.1e6), ("detect", 3.6e6))]
    spans = [{"lane": lane, "name": name, "begin_ns": 4e6 * i + begin, "end_ns": 4e6 * i + begin + long}
             for i in range(5) for lane, name, begin, long in (("host", "decode", 0, 2.1e6), ("cuda:0", "detect", 2.1e6, 3.6e6))]
    return study(run, "pipeline", timeline=spans, metrics={"latency": metric(5.8e6), "throughput": metric(250, "items/s")},
                 pipeline={"overlap": {
                     "in_flight": 2, "bound": "lane", "bottleneck": "cuda:0", "timeline_ns": 2e7,
                     "lanes": [{"lane": "cuda:0", "work": 0.97, "occupied": 0.99, "stage": "detect"},
                               {"lane": "host", "work": 0.56, "stage": "decode"}],
                     "timeline": [span | {"iteration": i // 2} for i, span in enumerate(spans)]}},
                 cases=[{"name": "together", "about": "marks only", "stages": stages, "metrics": {"period": metric(4e6)}}])


def thousands(run):
    """A profile whose typical request has as many kernels as a large model."""
    spans = [{"lane": "kernels", "name": f"kernel {i % 40}", "begin_ns": 3e3 * i, "end_ns": 3e3 * i + 2e3 + i % 7 * 100}
             for i in range(3500)]
    return study(run, "profile", timeline=spans, metrics={"latency": metric(1.05e7)}, profile={"requests": 3})


def launches(run):
    return copy.deepcopy(run) | {"launches": [
        {"name": f"launch {i}", "metrics": {"latency": metric(6e6 + 1e5 * i)}} for i in range(1, 6)]}


def loads(run):
    r = launches(run) | {"one_process": True}
    for i, case in enumerate(r["launches"], start=1):
        case["name"] = f"load {i}"
    return r


def idle(run):
    busy = run["metrics"]["latency"]["median"]["value"]

    def after(pause, factor, **fields):
        return {"pause_ns": pause, "metrics": {"latency": metric(factor * busy)}, "difference": factor - 1} | fields

    return copy.deepcopy(run) | {
        "idle": [after(1e6, 1), after(1e7, 1.19, before={"pstate": 8, "device_mhz": 345}, after={"pstate": 0, "device_mhz": 1980}),
                 after(1e9, 1.57), after(1e7, 1.1, random=True)],
        "timeline": [{"lane": "host", "name": "submit", "begin_ns": 0, "end_ns": 4.4e6},
                     {"lane": "host", "name": "wait", "begin_ns": 4.4e6, "end_ns": 5.8e6},
                     {"lane": "device", "name": "wait", "begin_ns": 0, "end_ns": 0.3e6},
                     {"lane": "device", "name": "work", "begin_ns": 0.3e6, "end_ns": 5.7e6}]}


def energy(run):
    def level(value, unit):
        return {"unit": unit, "n": 1000, "n_eff": 5, "value": value, "low": 0.99 * value, "high": 1.01 * value}

    windows = [{"launch": 1 + i // 2, "length_ns": 5.05e9, "joules": 3400 + 7 * i, "requests": 5000} for i in range(6)]
    return copy.deepcopy(run) | {
        "metrics": run["metrics"] | {"energy": level(0.681, "J"), "energy_net": level(0.6, "J"), "items_per_joule": level(1.47, "items/J"),
                                     "power": level(674, "W"), "idle_power": level(80, "W")},
        "energy": {"source": "NVML", "scope": "the whole board, without the host", "windows": windows, "step_ns": 1e8, "error": 0.001}}


def evil(run):
    r = pipeline(run)
    r["model"] |= {"name": EVIL, "path": EVIL}
    r["device"]["name"] = EVIL
    r["settings"][EVIL] = EVIL
    r["findings"] = [{"id": EVIL, "about": "machine", "severity": "invalid", "message": EVIL, "advice": EVIL}]
    r["cases"][0] |= {"name": EVIL, "about": EVIL}
    r["timeline"][0] |= {"lane": EVIL, "name": EVIL}
    r["metrics"][EVIL] = run["metrics"]["latency"]
    r["metrics"]["replay_time"] = {"unknown": EVIL}
    return r


MADE = {f.__name__: f for f in (compare, throughput, pipeline, launches, loads, idle, energy, thousands, evil)}
