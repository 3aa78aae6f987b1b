# SPDX-License-Identifier: Apache-2.0
"""`cpu: {randn}` of a pipeline against numpy, whose work it stands for: the best of several turns, in seconds.

    python bench/randn_bench.py PROGRAM
"""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SHAPE = (1, 3, 512, 512)
TURNS = 3
NEAR = 0.15  # as a share of numpy's time, either way

STAGES = f"stages:\n  - cpu: {{randn: {{shape: {'x'.join(map(str, SHAPE))}, scale: 2.0, offset: 1.0}}}}\n"


def of_strobe(program, file):
    command = [program, "pipeline", file, "--device", "cpu", "--max-time", "3s", "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip())
    cases = json.loads(done.stdout)["cases"]
    return min(s["metrics"]["reading"]["min"] for c in cases for s in c.get("stages", [])) * 1e-9


def of_numpy():
    import numpy as np

    def once():
        begin = time.perf_counter()
        np.random.randn(*SHAPE) * 2.0 + 1.0
        return time.perf_counter() - begin

    return min(once() for _ in range(100))


def results(program):
    """(what, seconds or the reason why there are none, budget in seconds)."""
    what = "randn of a pipeline, 1×3×512×512 (budget: 1.15 of numpy.random.randn * 2 + 1)"
    try:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "randn.yaml")
            file.write_text(STAGES)
            turns = [(of_strobe(program, file), of_numpy()) for _ in range(TURNS)]
    except (ImportError, RuntimeError) as why:
        return [(what, str(why), None)]
    ours, theirs = (min(times) for times in zip(*turns))
    return [(what, ours, (1 + NEAR) * theirs)]


if __name__ == "__main__":
    for what, seconds, budget in results(*sys.argv[1:]):
        ratio = "" if isinstance(seconds, str) else f", {(1 + NEAR) * seconds / budget:.2f} of numpy's"
        print(f"{what}: {seconds if isinstance(seconds, str) else f'{1000 * seconds:.2f} ms'}{ratio}")
