# SPDX-License-Identifier: Apache-2.0
"""Runs a command that must be refused and says how: exit code, seconds, peak of host memory, memory left on the GPU."""
import resource
import subprocess
import sys
import time

began = time.monotonic()
result = subprocess.run(sys.argv[1:], capture_output=True, text=True)
seconds = time.monotonic() - began
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
used = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader"], capture_output=True, text=True)
print(result.stderr.strip())
print(f"exit {result.returncode} after {seconds:.1f} s, host peak {peak:.0f} MiB, GPU memory in use afterwards {used.stdout.strip()}")
