# SPDX-License-Identifier: Apache-2.0
"""The picture of the README from the file that repeat.py writes: a dot a process, a row a method.

    python3 repeat_picture.py docs/results/h200/repeat.json "squeezenet1_1 batch 1" docs/repeat.svg
"""
import json
import math
import sys

ROWS = (("do_bench", "triton do_bench"), ("Timer", "torch Timer"), ("device", "device time, queued ahead"),
        ("graph", "the same as a CUDA graph"))
WIDTH, LEFT, RIGHT, TOP, STEP = 760, 210, 130, 34, 44


def axis(times):
    low, high = min(times) / 1.15, max(times) * 1.1
    span = WIDTH - LEFT - RIGHT
    return low, high, lambda t: LEFT + span * math.log(t / low) / math.log(high / low)


def ticks(low, high):
    steps = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 50)
    return [s for s in steps if low <= 1000 * s <= high]


def picture(case, runs):
    rows = {method: [r["rows"][case][method] for r in runs] for method, _ in ROWS}
    low, high, x = axis([t for times in rows.values() for t in times])
    height = TOP + STEP * len(ROWS) + 34
    label = f"{case}, six processes in a row on one {runs[0]['gpu']}: milliseconds"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}"',
           '     font-family="system-ui, sans-serif" font-size="14">',
           f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
           f'<text x="12" y="20" fill="#333">{label}</text>']
    bottom = TOP + STEP * len(ROWS)
    for tick in ticks(low, high):
        at = x(1000 * tick)
        out.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{bottom}" stroke="#ddd"/>')
        out.append(f'<text x="{at:.1f}" y="{bottom + 18}" text-anchor="middle" fill="#555">{tick:g}</text>')
    for i, (method, title) in enumerate(ROWS):
        y = TOP + STEP * (i + 0.5)
        times = rows[method]
        apart = max(times) / min(times) - 1
        words = f"{1 + apart:.1f}× apart" if apart > 0.2 else f"{100 * apart:.1f} % apart"
        out.append(f'<text x="{LEFT - 12}" y="{y + 5}" text-anchor="end" fill="#111">{title}</text>')
        out.append(f'<line x1="{x(min(times)):.1f}" x2="{x(max(times)):.1f}" y1="{y}" y2="{y}" stroke="#888" stroke-width="2"/>')
        out += [f'<circle cx="{x(t):.1f}" cy="{y}" r="5.5" fill="{"#0b62a4" if i > 1 else "#b3541e"}" fill-opacity="0.75"/>' for t in times]
        out.append(f'<text x="{WIDTH - RIGHT + 12}" y="{y + 5}" fill="#111">{words}</text>')
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    source, case, target = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        text = picture(case, json.load(file))
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)
