# SPDX-License-Identifier: Apache-2.0
"""Nothing that Strobe runs uses the network, or writes where nobody asked it to."""

import ctypes
import platform
import signal
import struct
import unittest

from .program import MEASURED, ProgramTest, environment

SYS_SOCKET, ARCHITECTURE = 41, 0xC000003E  # of x86-64
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
KILL_PROCESS, ALLOW = 0x80000000, 0x7FFF0000
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
AF_INET, AF_INET6 = 2, 10

# For seccomp: whoever opens a socket of the internet is killed, with all its threads.
FILTER = (
    (LOAD, 0, 0, 4),                          # the architecture
    (JUMP_IF_EQUAL, 0, 5, ARCHITECTURE),
    (LOAD, 0, 0, 0),                          # the system call
    (JUMP_IF_EQUAL, 0, 3, SYS_SOCKET),
    (LOAD, 0, 0, 16),                         # its first argument
    (JUMP_IF_EQUAL, 2, 0, AF_INET),
    (JUMP_IF_EQUAL, 1, 0, AF_INET6),
    (RETURN, 0, 0, ALLOW),
    (RETURN, 0, 0, KILL_PROCESS),
)


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def forbid_the_network():
    """In a child, before it becomes the program; its own children inherit it."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in FILTER)
    program = Program(len(FILTER), code)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or \
            libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program)):
        raise OSError(ctypes.get_errno(), "cannot filter system calls")


@unittest.skipUnless(platform.machine() == "x86_64", "the filter is written for x86-64")
class NoNetwork(ProgramTest):
    # The runtime's telemetry wakes some 9 s after it was started.
    LONG = ("--min-time", "13s", "--max-time", "13s")

    def watched(self, *arguments, program=None):
        for name in ("home", "tmp"):
            (self.folder / name).mkdir(exist_ok=True)
        places = environment(HOME=self.folder / "home", TMPDIR=self.folder / "tmp", XDG_CACHE_HOME=None)
        more = {"program": program} if program else {}
        return self.strobe(*arguments, env=places, preexec_fn=forbid_the_network, **more)

    def test_the_filter_sees_a_socket(self):
        script = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)"
        self.assertEqual(self.watched("-c", script, program="/usr/bin/python3").returncode, -signal.SIGSYS)
        self.assertEqual(self.watched("-c", "print(1)", program="/usr/bin/python3").returncode, 0)

    def test_a_run_uses_no_network_and_leaves_no_file(self):
        self.needs_zoo("mobilenet_v3_small")
        result = self.watched("run", "zoo:mobilenet_v3_small", *self.LONG)
        self.assertEqual(result.returncode, MEASURED, f"-{signal.SIGSYS.value}: it used the network. {result.stderr}")
        self.assertEqual(self.files(), ["home", "tmp"])

    def test_workers_leave_no_file_either(self):
        self.needs_zoo("mobilenet_v3_small")
        result = self.watched("compare", "zoo:mobilenet_v3_small", "--noise-floor", "--pairs", "2")
        self.assertEqual(result.returncode, MEASURED, result.stderr)
        self.assertEqual(self.files(), ["home", "tmp"])
