# SPDX-License-Identifier: Apache-2.0
"""docs/python.ipynb: its cells run from top to bottom, and show what they are there to show."""
import importlib.util
import unittest
from pathlib import Path

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "python.ipynb"
TOOLS = ("nbclient", "nbformat", "ipykernel", "numpy")


@unittest.skipUnless(all(importlib.util.find_spec(tool) for tool in TOOLS), f"one of {', '.join(TOOLS)} is not installed")
class Notebook(unittest.TestCase):
    def test_its_cells_run(self):
        import nbclient
        import nbformat
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        nbformat.validate(notebook)
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        self.assertEqual([cell.outputs for cell in cells], [[] for _ in cells])  # those of one machine say nothing
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
        shown = "\n".join(str(output) for cell in cells for output in cell.outputs)
        self.assertIn("text/html", shown)
        self.assertIn("of this one launch", shown)
        self.assertIn("verdict", shown)


if __name__ == "__main__":
    unittest.main()
