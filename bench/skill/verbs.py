# SPDX-License-Identifier: Apache-2.0
"""What the scripts of this folder have in common: files of cases, and the verbs `run` and `table`."""

import argparse
import shlex
from pathlib import Path


def lines_of(file):
    """The words of each line that is a case."""
    return [shlex.split(x) for x in Path(file).read_text(encoding="utf-8").splitlines() if x.strip() and x[0] != "#"]


def main(description, run, table, program, **options):
    """`options` of `run`, by name, with their defaults."""
    p = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = p.add_subparsers(required=True)
    r = verbs.add_parser("run")
    r.add_argument("cases")
    r.add_argument("folder")
    for name, default in options.items():
        r.add_argument(f"--{name}", type=type(default), default=default)
    r.add_argument("--program", default=program)
    r.set_defaults(act=run)
    t = verbs.add_parser("table")
    t.add_argument("folder")
    t.set_defaults(act=table)
    o = p.parse_args()
    o.act(o)
