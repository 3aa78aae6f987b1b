# SPDX-License-Identifier: Apache-2.0
"""The training step of docs/python.md as four stages: in plain Python, and in torch where it is installed."""
import random
import unittest

import strobe

try:
    import torch
except (ImportError, OSError):
    torch = None

NAMES = ["forward", "loss", "backward", "step"]
FEW = {"rounds": 4, "iterations": 20, "progress": False}


class Line:
    """y = a x + b, fitted to points of y = 3 x - 1 by its own gradients."""

    def __init__(self):
        points = random.Random(1)
        self.x = [points.uniform(-1, 1) for _ in range(200)]
        self.truth = [3 * x - 1 for x in self.x]
        self.a = self.b = 0.0
        self.losses = []

    def forward(self):
        self.y = [self.a * x + self.b for x in self.x]

    def loss(self):
        self.off = [y - truth for y, truth in zip(self.y, self.truth)]
        self.losses.append(sum(off * off for off in self.off) / len(self.off))

    def backward(self):
        self.of_a = 2 * sum(off * x for off, x in zip(self.off, self.x)) / len(self.off)
        self.of_b = 2 * sum(self.off) / len(self.off)

    def step(self):
        self.a -= 0.1 * self.of_a
        self.b -= 0.1 * self.of_b


def stages_of(record):
    (event,) = [c for c in record.cases if c["name"] == "event"]
    return {s["name"]: s["metrics"]["reading"]["median"]["value"] for s in event["stages"]}


class TrainingStep(unittest.TestCase):
    def check(self, record, losses):
        stages = stages_of(record)
        self.assertEqual(list(stages), NAMES)
        self.assertTrue(all(t > 0 for t in stages.values()), stages)
        # They are the iteration, but for the calls between them; a busy machine makes single ones longer.
        self.assertLess(sum(stages.values()), 1.5 * record.metrics["latency"].value)
        self.assertLess(losses[-1], 0.1 * losses[0])

    def test_in_plain_python_is_timed_while_it_learns(self):
        line = Line()
        steps = [("forward", line.forward), ("loss", line.loss), ("backward", line.backward), ("step", line.step)]
        self.check(strobe.pipeline(steps, name="a line", **FEW), line.losses)
        self.assertAlmostEqual(line.a, 3, delta=0.5)

    @unittest.skipUnless(torch, "torch cannot be imported")
    def test_in_torch_is_timed_while_it_learns(self):
        torch.manual_seed(1)
        net = torch.nn.Linear(16, 1)
        x = torch.randn(64, 16)
        truth = x @ torch.randn(16, 1)
        optimiser = torch.optim.SGD(net.parameters(), lr=0.1)
        now, losses = {}, []

        def forward():
            now["y"] = net(x)

        def loss():
            now["loss"] = torch.nn.functional.mse_loss(now["y"], truth)

        def backward():
            optimiser.zero_grad()
            now["loss"].backward()

        def step():
            optimiser.step()
            losses.append(now["loss"].item())

        steps = [("forward", forward), ("loss", loss), ("backward", backward), ("step", step)]
        self.check(strobe.pipeline(steps, **FEW), losses)


if __name__ == "__main__":
    unittest.main()
