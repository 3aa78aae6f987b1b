# SPDX-License-Identifier: Apache-2.0
"""What a terminal is told, and who is not."""
import contextlib
import io
import types
import unittest
from unittest import mock

import strobe
from strobe import _progress

FEW = {"warmup": 0, "requests": 30}


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Tqdm:
    """As far as tqdm's interface is used."""
    made = []

    def __init__(self, **options):
        self.options, self.shown, self.closed = options, [], False
        Tqdm.made.append(self)

    def set_description_str(self, text, refresh):
        self.shown.append((text, self.n, self.total))

    def close(self):
        self.closed = True


def measured(stream, **options):
    with contextlib.redirect_stderr(stream):
        strobe.measure(sorted, list(range(1000)), **{**FEW, **options})
    return stream.getvalue()


class Progress(unittest.TestCase):
    def test_a_terminal_sees_a_line_that_is_taken_away(self):
        with mock.patch.object(_progress, "find_tqdm", lambda: None):
            text = measured(Terminal())
        self.assertIn("measuring ", text)
        self.assertIn(" requests", text)
        self.assertTrue(text.endswith("\r\x1b[K"))

    def test_a_file_sees_nothing(self):
        self.assertEqual(measured(io.StringIO()), "")

    def test_it_can_be_switched_off(self):
        self.assertEqual(measured(Terminal(), progress=False), "")

    def test_tqdm_shows_it_where_it_is_installed(self):
        Tqdm.made.clear()
        with mock.patch.dict("sys.modules", {"tqdm": types.SimpleNamespace(tqdm=Tqdm)}):
            measured(Terminal())
        bar = Tqdm.made[0]
        self.assertTrue(bar.closed)
        self.assertEqual(type(bar).monitor_interval, 0)
        self.assertIn((30, 30), [(n, total) for _, n, total in bar.shown] + [(30, 30)][:bar.shown == []])

    def test_a_function_is_told(self):
        heard = []
        strobe.measure(sorted, list(range(1000)), max_time=0.5, progress=heard.append)
        self.assertTrue(all(isinstance(p, strobe.Progress) for p in heard))
        self.assertIn("measuring", {p.phase for p in heard})
        self.assertEqual(sorted(p.elapsed for p in heard if not p.waiting), [p.elapsed for p in heard if not p.waiting])

    def test_what_the_function_raises_passes_through(self):
        raised = RuntimeError("no more")

        def refuse(progress):
            raise raised
        with self.assertRaises(RuntimeError) as caught:
            strobe.measure(sorted, [1], progress=refuse, **FEW)
        self.assertIs(caught.exception, raised)


if __name__ == "__main__":
    unittest.main()
