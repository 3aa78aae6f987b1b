#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often the next run's number lies inside today's interval, and whether the word beside it was right.

    bench/skill/skill.py run CASES FOLDER --times 4 --program build/release/bin/strobe    # one record a run; goes on where it stopped
    bench/skill/skill.py table FOLDER                                                   # the table, as Markdown

CASES has a line a case: its name, and the words behind `strobe run`. A record is FOLDER/NAME.N.json."""

import itertools
import json
import subprocess
import time
from pathlib import Path

import verbs

METRICS = ("device_time", "replay_time", "latency", "throughput")
AGREE = 0.01  # runs within this of each other agree


def run(o):
    """Cases take turns, so that the runs of one lie minutes apart."""
    folder = Path(o.folder)
    folder.mkdir(parents=True, exist_ok=True)
    for n, (name, *words) in itertools.product(range(1, o.times + 1), verbs.lines_of(o.cases)):
        file = folder / f"{name}.{n}.json"
        if file.exists():
            continue
        begun = time.time()
        made = subprocess.run([o.program, "run", *words, "--json", file, "--quiet"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        print(f"{file.name}: exit {made.returncode}, {time.time() - begun:.1f} s {made.stderr.strip()[:200]}", flush=True)


def figure(record, metric):
    m = record["metrics"].get(metric, {})
    e = m.get("median", m)
    if e.get("low") is None or e.get("high") is None or "verdict" not in m:
        return None
    return e["value"], e["low"], e["high"], m["verdict"]["word"], m["verdict"].get("half_width")


def records(folder):
    by_case = {}
    for file in sorted(Path(folder).glob("*.json")):
        name = file.name.rsplit(".", 2)[0]
        record = json.loads(file.read_text())
        if record["status"] != "interrupted":
            by_case.setdefault(name, []).append(record)
    return by_case


def percent(x):
    return f"{100 * x:.1f} %"


def table(o):
    rows, inside, pairs = [], {}, {}
    false_repeats = [0, 0]
    false_varies = [0, 0]
    for name, runs in records(o.folder).items():
        for metric in METRICS:
            figures = [f for f in (figure(r, metric) for r in runs) if f]
            if len(figures) < 2:
                continue
            values = [f[0] for f in figures]
            spread = max(values) / min(values) - 1
            held = [low <= other[0] <= high for (i, (_, low, high, _, _)) in enumerate(figures)
                    for j, other in enumerate(figures) if i != j]
            inside[metric] = inside.get(metric, 0) + sum(held)
            pairs[metric] = pairs.get(metric, 0) + len(held)
            words = [f[3] for f in figures]
            for i, f in enumerate(figures):
                others = [o2[0] for j, o2 in enumerate(figures) if j != i]
                if f[3] == "repeats":
                    false_repeats[1] += 1
                    false_repeats[0] += any(not f[1] <= x <= f[2] for x in others)
                elif f[3] == "varies" and metric in ("device_time", "throughput", "replay_time"):
                    false_varies[1] += 1
                    false_varies[0] += spread <= AGREE
            width = sorted(f[4] or 0 for f in figures)[len(figures) // 2]
            rows.append(f"| {name} | {metric} | {percent(spread)} | ±{percent(width)} | {sum(held)} of {len(held)} | "
                        f"{words.count('repeats')} repeats, {words.count('varies')} varies |")
    print("| case | metric | runs lie apart by | typical half width | next run inside | words |\n|---|---|---|---|---|---|")
    print("\n".join(rows))
    print()
    for metric, n in pairs.items():
        print(f"- {metric}: the next run lies inside in {inside[metric]} of {n} cases ({percent(inside[metric] / n)})")
    print(f"- *repeats*, and another run lay outside: {false_repeats[0]} of {false_repeats[1]}")
    print(f"- *varies*, although all runs agree within 1 %: {false_varies[0]} of {false_varies[1]}")
    seconds = [r["duration_ns"] / 1e9 for runs in records(o.folder).values() for r in runs]
    if seconds:
        print(f"- a command took {min(seconds):.0f} to {max(seconds):.0f} s")


if __name__ == "__main__":
    verbs.main(__doc__, run, table, "build/release/bin/strobe", times=4)
