#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the number of a launch varies by: between processes, between loads in one process, between rounds of one load.

    bench/skill/variance.py run CASES FOLDER --launches 5 --loads 3 --seconds 1 --program build/release/bench/variance_study
    bench/skill/variance.py table FOLDER

CASES has a line a case: its name, and the words MODEL DEVICE [THREADS] of variance_study. A process is FOLDER/NAME.N.jsonl; it
goes on where it stopped, and cases take turns."""

import itertools
import json
import math
import statistics
import subprocess
from pathlib import Path

import verbs


def run(o):
    folder = Path(o.folder)
    folder.mkdir(parents=True, exist_ok=True)
    for n, (name, model, device, *threads) in itertools.product(range(1, o.launches + 1), verbs.lines_of(o.cases)):
        file = folder / f"{name}.{n}.jsonl"
        if file.exists():
            continue
        made = subprocess.run([o.program, model, device, str(o.loads), str(o.seconds), *threads], text=True,
                              capture_output=True, check=False)
        if made.returncode == 0:
            file.write_text(made.stdout)
        else:
            print(f"{file.name}: {made.stderr.strip()[:300]}", flush=True)


def mean_square(groups):
    """Within groups of logarithms, and the degrees of freedom."""
    free = sum(len(g) - 1 for g in groups)
    return sum((x - statistics.fmean(g)) ** 2 for g in groups for x in g) / free if free else 0.0


def components(launches):
    """Standard deviations of one value that rounds, loads and launches add, from launches of loads of rounds; each is
    what its level shows beyond what the one below explains."""
    logs = [[[math.log(x) for x in rounds] for rounds in loads] for loads in launches]
    k = statistics.fmean(len(r) for loads in logs for r in loads)
    m = statistics.fmean(len(loads) for loads in logs)
    of_rounds = mean_square([r for loads in logs for r in loads])
    of_loads = mean_square([[statistics.fmean(r) for r in loads] for loads in logs])
    of_launches = mean_square([[statistics.fmean(statistics.fmean(r) for r in loads) for loads in logs]])
    loads_add = max(0.0, of_loads - of_rounds / k)
    launches_add = max(0.0, of_launches - of_loads / m)
    return math.sqrt(of_rounds), math.sqrt(of_rounds / k), math.sqrt(loads_add), math.sqrt(launches_add)


def table(o):
    found = {}
    for file in sorted(Path(o.folder).glob("*.jsonl")):
        name = file.name.rsplit(".", 2)[0]
        by_metric = {}
        for line in file.read_text().splitlines():
            load = json.loads(line)
            if len(load["rounds"]) >= 2:
                by_metric.setdefault(load["metric"], []).append(load["rounds"])
        for metric, loads in by_metric.items():
            found.setdefault((name, metric), []).append(loads)
    print("| case | metric | launches × loads × rounds | median | a round | all rounds of a load | a load adds | a launch adds |")
    print("|---|---|---|---|---|---|---|---|")
    for (name, metric), launches in found.items():
        rounds = [r for loads in launches for r in loads]
        median = statistics.median(statistics.median(r) for r in rounds)
        shape = f"{len(launches)} × {len(launches[0])} × {round(statistics.fmean(map(len, rounds)))}"
        parts = " | ".join(f"{100 * x:.2f} %" for x in components(launches))
        print(f"| {name} | {metric} | {shape} | {median / 1e3:.4g} µs | {parts} |")


if __name__ == "__main__":
    verbs.main(__doc__, run, table, "build/release/bench/variance_study", launches=5, loads=3, seconds=1.0)
