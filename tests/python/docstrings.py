# SPDX-License-Identifier: Apache-2.0
"""The examples in the docstrings run, and print what they say."""
import doctest
import importlib
import pkgutil
import unittest

import strobe


WITHOUT_EXAMPLES = {"strobe._strobe", "strobe.pytest_plugin"}  # the extension; what needs pytest


def modules():
    yield strobe
    for module in pkgutil.walk_packages(strobe.__path__, "strobe."):
        if module.name not in WITHOUT_EXAMPLES:
            yield importlib.import_module(module.name)


class Docstrings(unittest.TestCase):
    def test_their_examples_are_true(self):
        tried = 0
        for module in modules():
            with self.subTest(module.__name__):
                failed, attempted = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
                self.assertEqual(failed, 0)
                tried += attempted
        self.assertGreater(tried, 20)

    def test_everything_public_is_documented(self):
        for name in strobe.__all__:
            if name != "__version__":
                self.assertTrue(getattr(strobe, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
