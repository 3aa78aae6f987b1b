# SPDX-License-Identifier: Apache-2.0
"""What a record of `strobe throughput` answers, as words for a shell.

    python3 answer.py RECORD.json best      the best batch
    python3 answer.py RECORD.json bound     batch and requests in flight within the bound
    python3 answer.py RECORD.json beyond    the next larger batch that was tried with as many in flight
"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    record = json.load(file)
answer, what = record["answer"], sys.argv[2]
if what == "best":
    print(answer["best_batch"])
elif "bound_point" in answer:
    point = next(c["settings"] for c in record["cases"] if c["name"] == answer["bound_point"])
    batch, in_flight = point["batch"], point["in_flight"]
    larger = [c["settings"]["batch"] for c in record["cases"]
              if c["settings"]["in_flight"] == in_flight and c["settings"]["batch"] > batch]
    if what == "bound":
        print(batch, in_flight)
    elif larger:
        print(min(larger), in_flight)
