# SPDX-License-Identifier: Apache-2.0
"""Other tools' calls with our measurement behind them: change the import, keep the calls and the units.

    from strobe.compat import Timer          # torch.utils.benchmark
    from strobe.compat import timeit         # timeit.timeit
    from strobe.compat import do_bench       # triton.testing

What is doubtful about a number is a `DoubtWarning`; its `record` says more.
"""
from ._do_bench import do_bench
from ._doubts import DoubtWarning
from ._timeit import repeat, timeit
from ._timer import Measurement, Timer

__all__ = ["DoubtWarning", "Measurement", "Timer", "do_bench", "repeat", "timeit"]
