# SPDX-License-Identifier: Apache-2.0
"""A machine without an NVIDIA driver: the program says what is missing, and does without."""

import ctypes
import unittest

from .program import CANNOT, ProgramTest


def has_driver():
    try:
        return bool(ctypes.CDLL("libcuda.so.1"))
    except OSError:
        return False


@unittest.skipIf(has_driver(), "there is an NVIDIA driver")
class NoDriver(ProgramTest):
    MISSING = "there is no NVIDIA driver here (libcuda.so.1 was not found)"

    def test_the_doctor_says_what_cuda_lacks(self):
        line = next(x for x in self.text("doctor").splitlines() if x.split()[:1] == ["cuda"])
        self.assertRegex(line, "absent +there is no NVIDIA driver here")
        self.assertIn(self.MISSING, line)

    def test_a_run_on_cuda_is_refused_with_what_to_do(self):
        for device in ("cuda", "cuda:1"):
            self.refused(CANNOT, ["work:spin=10us", "--device", device], f"cannot use CUDA: {self.MISSING}",
                         "Install NVIDIA's driver, or use --device cpu.")

    def test_the_selftest_is_refused_in_the_same_way(self):
        self.complains(CANNOT, ["selftest", "--device", "cuda"], self.MISSING)
