# SPDX-License-Identifier: Apache-2.0
"""What Perfetto and chrome://tracing need of a trace that they draw as it was meant."""
import json
import math

# A microsecond has a thousand steps; sums of two doubles may be off by less.
SLACK = 1e-6


def tracks(path):
    """The trace by process: {process: {track: [(name, begin, end), …]}} of spans, and {process: {counter: [values]}}."""
    trace = json.loads(path.read_text(encoding="utf-8"))
    processes, threads, spans, counters = {}, {}, {}, {}
    for e in trace["traceEvents"]:
        pid = e["pid"]
        if e["ph"] == "M" and e["name"] == "process_name":
            require(pid not in processes, "a process is named twice", e)
            processes[pid] = e["args"]["name"]
        elif e["ph"] == "M" and e["name"] == "thread_name":
            require((pid, e["tid"]) not in threads, "a track is named twice", e)
            threads[pid, e["tid"]] = e["args"]["name"]
        elif e["ph"] == "X":
            require((pid, e["tid"]) in threads, "a span is on a track without a name", e)
            spans.setdefault((pid, e["tid"]), []).append(e)
        elif e["ph"] == "C":
            counters.setdefault(pid, {}).setdefault(e["name"], []).append((e["ts"], e["args"]["value"]))
        else:
            raise AssertionError(f"an event of an unknown kind: {e}")
    require({pid for pid, _ in [*threads, *spans]} <= set(processes), "a process has no name", processes)
    return processes, threads, spans, counters


def require(holds, what, where):
    if not holds:
        raise AssertionError(f"{what}: {where}")


def check(path):
    """Names, ids, order and nesting; returns the names of tracks and of counters of each process."""
    processes, threads, spans, counters = tracks(path)
    for pid in processes:
        names = [name for (p, _), name in threads.items() if p == pid]
        require(len(set(names)) == len(names), "two tracks have one name", names)
    for key, events in spans.items():
        check_track(events, threads[key])
    for by_name in counters.values():
        for name, values in by_name.items():
            require(all(a[0] <= b[0] for a, b in zip(values, values[1:])), "a counter goes back in time", name)
            require(all(math.isfinite(v) for _, v in values), "a counter is no number", name)
    return {processes[pid]: (sorted(n for (p, _), n in threads.items() if p == pid), sorted(counters.get(pid, {})))
            for pid in processes}


def check_track(events, name):
    open_ends, last = [], -math.inf
    for e in events:
        begin, end = e["ts"], e["ts"] + e["dur"]
        require(e["dur"] >= 0 and math.isfinite(end), "a span ends before it begins", e)
        require(begin >= last, f"spans of '{name}' are not in order", e)
        last = begin
        while open_ends and open_ends[-1] <= begin + SLACK:
            open_ends.pop()
        require(not open_ends or end <= open_ends[-1] + SLACK, f"spans of '{name}' overlap without nesting", e)
        open_ends.append(end)
        require(isinstance(e.get("args", {}).get("iteration", 0), int), "an iteration is no number", e)
