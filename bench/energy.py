# SPDX-License-Identifier: Apache-2.0
"""Does the counter of energy add up? Over records of `strobe run --energy`:

    python3 bench/energy.py duty RECORD.json...     E = P·t + e·N over windows with different pauses between requests
    python3 bench/energy.py sum A.json B.json AB.json   the energies of A and B against that of both, one after the other
    python3 bench/energy.py repeat R.json S.json    two launches of the same, within their intervals?
    python3 bench/energy.py sim STROBE FOLDER       all of these on the simulated device, whose truth is known
    python3 bench/energy.py torch FOLDER            makes the records for the first three on a GPU, with torch and `strobe`

Prints a line for each, and exits with 1 where one of them does not hold.
"""
import json
import math
import random
import subprocess
import sys
import time
from pathlib import Path

DUTY = ("full", "most", "half", "fifth")  # of the time the device works
SIM = "sim:kernels={},launch={},idle_power=80W,active_power=600W,energy_step=100ms,energy_read=2.4ms,noise=0.002"
SIM_DUTY = {"full": "4us", "most": "1.5ms", "half": "2ms", "fifth": "5ms"}  # a launch, beside a kernel of 1 ms


def load(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def windows(records):
    """Seconds, requests and joules of each."""
    return [(w["length_ns"] * 1e-9, w["requests"], w["joules"]) for r in records for w in r["energy"]["windows"]]


def regression(points):
    """Watts, joules a request and the largest relative residual of E = P·t + e·N, by least squares."""
    tt = sum(t * t for t, _, _ in points)
    tn = sum(t * n for t, n, _ in points)
    nn = sum(n * n for _, n, _ in points)
    te = sum(t * e for t, _, e in points)
    ne = sum(n * e for _, n, e in points)
    determinant = tt * nn - tn * tn
    watts, each = (te * nn - ne * tn) / determinant, (ne * tt - te * tn) / determinant
    return watts, each, max(abs(e - watts * t - each * n) / e for t, n, e in points)


def energy(record):
    """Value and half width."""
    m = record["metrics"]["energy"]
    return m["value"], (m["high"] - m["low"]) / 2


def duty(records, worst=0.02):
    watts, each, residual = regression(windows(records))
    print(f"E = {watts:.1f} W · t + {each:.4g} J · N, {len(windows(records))} windows, residuals within {residual:.2%}")
    return residual <= worst


def adds_up(a, b, both):
    (ea, ha), (eb, hb), (whole, hw) = map(energy, (a, b, both))
    off, allowed = whole - ea - eb, math.sqrt(ha**2 + hb**2 + hw**2)
    print(f"A {ea:.4g} J + B {eb:.4g} J against {whole:.4g} J: off by {off / whole:+.2%}, allowed ±{allowed / whole:.2%}")
    return abs(off) <= allowed


def repeats(a, b):
    (ea, ha), (eb, hb) = energy(a), energy(b)
    print(f"{ea:.4g} J ± {ha / ea:.2%} and {eb:.4g} J ± {hb / eb:.2%}")
    return abs(ea - eb) <= ha + hb


def simulated(strobe, folder, seed=1):
    """Records of the simulated device, in random order."""
    folder = Path(folder)
    cases = {f"duty-{name}": SIM.format("1x1ms", launch) for name, launch in SIM_DUTY.items()}
    cases |= {"a": SIM.format("1x700us", "4us"), "b": SIM.format("4x200us", "4us"),
              "ab": SIM.format("1x700us+4x200us", "4us"), "again": SIM.format("1x700us", "4us") + ",seed=9"}
    order = list(cases)
    random.Random(seed).shuffle(order)
    for name in order:
        subprocess.run([strobe, "run", cases[name], "--energy", "--effort", "quick", "--launches", "1", "--no-progress",
                        "--json", folder / f"{name}.json"], stdout=subprocess.DEVNULL, check=False)
    return {name: load(folder / f"{name}.json") for name in cases}


def check_simulated(strobe, folder):
    records = simulated(strobe, folder)
    cycles = [records[f"duty-{name}"] for name in DUTY]
    watts, each, _ = regression(windows(cycles))
    held = duty(cycles, worst=0.005) and abs(watts - 80) < 1 and abs(each - 0.6) < 0.006
    held &= adds_up(records["a"], records["b"], records["ab"])
    held &= repeats(records["a"], records["again"])
    return held


def torch_records(folder, seed=1):
    """A: matrix products. B: a copy within the device. Each at several duty cycles, and one after the other."""
    import strobe
    import torch

    x = torch.randn(8192, 8192, device="cuda", dtype=torch.float16)
    y = torch.empty(1 << 29, device="cuda", dtype=torch.uint8)

    def products():
        for _ in range(10):
            x @ x

    def copies():
        for _ in range(40):
            y[: 1 << 28].copy_(y[1 << 28:])

    def both():
        products()
        copies()

    def paused(work, share):
        torch.cuda.synchronize()
        began = time.perf_counter()
        work()
        torch.cuda.synchronize()
        rest = (time.perf_counter() - began) * (1 / share - 1)

        def request():
            work()
            torch.cuda.synchronize()
            time.sleep(rest)
        return request

    cases = {"a": products, "b": copies, "ab": both, "again": products, "duty-full": products}
    cases |= {f"duty-{name}": paused(products, share) for name, share in (("most", 0.67), ("half", 0.5), ("fifth", 0.2))}
    order = list(cases)
    random.Random(seed).shuffle(order)
    for name in order:
        record = strobe.measure(cases[name], device="cuda:0", energy=True, effort="glance", name=name)
        Path(folder, f"{name}.json").write_text(record.json(), encoding="utf-8")
        print(name, record.to_dict()["metrics"]["energy"], flush=True)


def main(verb, *paths):
    if verb == "sim":
        return check_simulated(*paths)
    if verb == "torch":
        torch_records(*paths)
        return True
    records = [load(p) for p in paths]
    return {"duty": lambda: duty(records), "sum": lambda: adds_up(*records), "repeat": lambda: repeats(*records)}[verb]()


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
