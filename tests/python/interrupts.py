# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, in a process that gets a real signal."""
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest

import strobe


def interrupted(program, after="ready", signals=1, between=0.5, wait=0.5):
    """What a program prints that gets SIGINT `wait` seconds after it has printed `after`."""
    # Whoever starts the tests in the background ignores SIGINT, and children inherit that.
    child = subprocess.Popen([sys.executable, "-u", "-c", textwrap.dedent(program)], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        line = child.stdout.readline()
        if after not in line:
            raise AssertionError(line + child.stderr.read())
        time.sleep(wait)
        for _ in range(signals):
            child.send_signal(signal.SIGINT)
            time.sleep(between)
        out, err = child.communicate(timeout=60)
    finally:
        child.kill()
        child.wait()
    return child.returncode, out, err


class Interrupts(unittest.TestCase):
    def test_what_was_measured_comes_back(self):
        code, out, err = interrupted("""
            import strobe
            print("ready")
            r = strobe.measure(sorted, list(range(1000)), warmup=0, requests=10_000_000)
            print(r.status, r.metrics["latency"].n > 100, r.metrics["latency"].value > 1000)
            """)
        self.assertEqual((code, out.split(), err), (0, ["interrupted", "True", "True"], ""))

    def test_a_request_that_runs_is_not_cut_off(self):
        code, out, err = interrupted("""
            import strobe, time
            print("ready")
            r = strobe.measure(time.sleep, 0.4, requests=100, warmup=0)
            print(r.status, r.metrics["latency"].value > 0.39e9, r.metrics["latency"].n < 20)
            """, wait=2)
        self.assertEqual((code, out.split(), err), (0, ["interrupted", "True", "True"], ""))

    def test_the_second_one_does_not_wait(self):
        begin = time.monotonic()
        code, out, err = interrupted("""
            import gc, signal, strobe, time
            print("ready")
            try:
                strobe.measure(time.sleep, 60, requests=5, warmup=0)
            except KeyboardInterrupt:
                print("raised", gc.isenabled(), signal.getsignal(signal.SIGINT) is signal.default_int_handler)
            """, signals=2)
        self.assertEqual((code, out.split(), err), (0, ["raised", "True", "True"], ""))
        self.assertLess(time.monotonic() - begin, 30)

    def test_without_a_result_it_is_raised(self):
        code, out, err = interrupted("""
            import strobe, time
            print("ready")
            try:
                strobe.measure(time.sleep, 1.5, requests=5, warmup=100)
            except KeyboardInterrupt:
                print("raised")
            """, wait=0.3)
        self.assertEqual((code, out.split(), err), (0, ["raised"], ""))

    def test_an_applications_own_handler_stays(self):
        code, out, err = interrupted("""
            import signal, strobe
            class Mine(Exception): pass
            def handler(*_): raise Mine
            signal.signal(signal.SIGINT, handler)
            print("ready")
            try:
                strobe.measure(sorted, list(range(1000)), effort="sustained")
            except Mine:
                print("mine", signal.getsignal(signal.SIGINT) is handler)
            """)
        self.assertEqual((code, out.split(), err), (0, ["mine", "True"], ""))

    def test_workers_of_a_model_are_ended(self):
        code, out, err = interrupted("""
            import strobe
            print("ready")
            r = strobe.run("work:spin=1ms", device="cpu", launches=20, progress=False)
            print(r.status, r.metrics["latency"].value > 0.9e6)
            """, wait=9)
        self.assertEqual((code, out.split(), err), (0, ["interrupted", "True"], ""))

    def test_stop_ends_a_measurement(self):
        begin = time.monotonic()
        r = strobe.measure(sorted, list(range(1000)), effort="sustained", progress=False,
                           stop=lambda: time.monotonic() - begin > 1)
        self.assertEqual(r.status, "interrupted")
        self.assertLess(time.monotonic() - begin, 20)

    def test_a_thread_that_measures_leaves_signals_alone(self):
        handlers = []
        before = signal.getsignal(signal.SIGINT)
        thread = threading.Thread(target=strobe.measure, args=(lambda: handlers.append(signal.getsignal(signal.SIGINT)),),
                                  kwargs={"requests": 10, "warmup": 0, "progress": False})
        thread.start()
        thread.join(60)
        self.assertEqual(set(handlers), {before})


if __name__ == "__main__":
    unittest.main()
