# SPDX-License-Identifier: Apache-2.0
"""Ranges that tests/nvtx_tool.cc saw, as trees."""
from dataclasses import dataclass, field


@dataclass
class Range:
    name: str
    number: int | None
    within: list = field(default_factory=list)   # ranges inside it
    process: int = 0

    def named(self, name):
        """All ranges of this name in it, however deep."""
        return [r for x in self.within for r in [*([x] if x.name == name else []), *x.named(name)]]


def read(path):
    """A range for the whole, in which are all others; the domains; and what was left open."""
    whole, domains, open_ranges = Range("", None), set(), {}
    for line in path.read_text().splitlines():
        process, thread, act, domain, *more = line.split("\t")
        stack = open_ranges.setdefault((process, thread), [whole])
        domains.add(domain)
        if act == "pop":
            assert len(stack) > 1, "a range ended that had not begun"
            stack.pop()
            continue
        r = Range(more[0], None if more[1] == "-" else int(more[1]), process=int(process))
        stack[-1].within.append(r)
        stack.append(r)
    return whole, domains, [r.name for stack in open_ranges.values() for r in stack[1:]]
