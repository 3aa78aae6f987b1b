"""The program from outside: what it prints, what it writes, how it refuses, how it stops.

STROBE_PROGRAM names the program (build/release/bin/strobe otherwise), STROBE_ZOO a folder with resnet18.onnx and
mobilenet_v3_small.onnx. STROBE_REWRITE_GOLDEN=1 writes tests/cli/golden/*.txt anew.

    python tests/cli_test.py [-v] [NAME]
"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cli.audit_verb import AuditRecord, AuditTimes  # noqa: E402, F401
from cli.bad_models import BadModel, BadTensor, BadValues, TooLarge  # noqa: E402, F401
from cli.bad_options import BadOption, BadSource  # noqa: E402, F401
from cli.bad_outputs import UnwritableOutput  # noqa: E402, F401
from cli.compare_verb import CompareModels, RealModels, StoredRecords  # noqa: E402, F401
from cli.forged_names import ForgedNames  # noqa: E402, F401
from cli.interrupts import Interrupt  # noqa: E402, F401
from cli.libraries import Libraries  # noqa: E402, F401
from cli.no_driver import NoDriver  # noqa: E402, F401
from cli.no_network import NoNetwork  # noqa: E402, F401
from cli.onnx_models import OnnxModel, RealNetworks  # noqa: E402, F401
from cli.own_files import ChangingModel, InputsSurvive  # noqa: E402, F401
from cli.report_verb import Exports, Report  # noqa: E402, F401
from cli.pipeline_verb import Pipeline  # noqa: E402, F401
from cli.results import BuiltInWork, Outputs, Samples, SimulatedRun  # noqa: E402, F401
from cli.sweep import Sweep  # noqa: E402, F401
from cli.terminal import Terminal  # noqa: E402, F401
from cli.throughput_verb import Throughput  # noqa: E402, F401
from cli.zoo_verb import Zoo  # noqa: E402, F401

if __name__ == "__main__":
    unittest.main()
