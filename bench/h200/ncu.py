# SPDX-License-Identifier: Apache-2.0
"""Does ncu see the kernels of the requests that count, and no others? Exit 0 where it does.

    python3 ncu.py STROBE RECORD OUT      RECORD: of `strobe run zoo:resnet18`, which counted the kernels of one request
"""
import csv
import json
import subprocess
import sys
from pathlib import Path

REQUESTS = 3


def kernels_seen(strobe, log):
    subprocess.run(["ncu", "--profile-from-start", "off", "--section", "LaunchStats", "--csv", "--log-file", log, strobe, "run",
                    "zoo:resnet18", "--device", "cuda", "--pass", "latency", "--requests", str(REQUESTS), "--no-progress"],
                   check=True, stdout=subprocess.DEVNULL)
    lines = [line for line in Path(log).read_text().splitlines() if line.startswith('"')]
    return len({row["ID"] for row in csv.DictReader(lines)})


def main(strobe, record, out):
    wanted = REQUESTS * json.loads(Path(record).read_text())["observations"]["kernels_per_request"]
    seen = kernels_seen(strobe, f"{out}.csv")
    Path(out).write_text(f"ncu saw {seen} kernels of {REQUESTS} requests; {wanted:.0f} are in as many by the driver's count\n")
    return 0 if seen == wanted else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
