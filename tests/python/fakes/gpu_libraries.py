# SPDX-License-Identifier: Apache-2.0
"""A torch and a cupy that have a GPU and do nothing on it: what the package asks of them, and no more."""
import contextlib
import sys
import types
import unittest
from unittest import mock


class Tensor:
    """Of one value. `tensor.device` as of torch."""

    layout = "strided"
    is_quantized = False
    requires_grad = False

    def __init__(self, value=0.0, index=None, shape=(1,)):
        self.value = value
        self.shape = shape
        self.is_cuda = index is not None
        self.device = types.SimpleNamespace(index=index, type="cpu" if index is None else "cuda")
        self.dtype = "float32"

    def detach(self):
        return self

    double = clone = abs = max = detach

    def is_complex(self):
        return False

    def is_floating_point(self):
        return True

    def isfinite(self):
        return self

    def all(self):
        return True

    def numel(self):
        return 1

    def __sub__(self, other):
        if self.shape != other.shape:
            raise RuntimeError("The size of tensor a must match the size of tensor b")
        return Tensor(abs(self.value - other.value))

    def __float__(self):
        return float(self.value)


class Module:
    def __init__(self, *held):
        self.held = held
        self.training = False

    def parameters(self):
        return iter(self.held)

    def buffers(self):
        return iter(())

    def __call__(self, *_):
        self.modes = getattr(self, "modes", set()) | {sys.modules["torch"].is_inference_mode_enabled()}
        return Tensor(1.0)


class Stream:
    def __init__(self, index, address, done=True):
        self.device_index, self.cuda_stream, self.done = index, address, done
        self.waits = 0

    def query(self):
        return self.done

    def synchronize(self):
        self.waits += 1


class Event:
    """Reached once the device has come to it."""

    reached = True
    made = 0

    def __init__(self, enable_timing=False):
        Event.made += 1
        self.device = None

    def record(self):
        now = sys.modules["torch"].cuda.current_device()
        if self.device not in (None, now):
            raise RuntimeError("Event device does not match recording stream's device")
        self.device = now

    def query(self):
        return Event.reached

    def elapsed_time(self, other):
        if self.device != other.device:
            raise RuntimeError("events of two devices")
        return 0.25  # milliseconds


class Cuda(types.SimpleNamespace):
    """Two devices, each with a current stream."""

    Event = Event
    Stream = Stream

    def __init__(self):
        super().__init__(started=True, capturing=False, device=0, streams=[Stream(0, 0), Stream(1, 7)])

    def is_available(self):
        return True

    def is_initialized(self):
        return self.started

    def init(self):
        self.started = True

    def current_device(self):
        return self.device

    def current_stream(self, index=None):
        return self.streams[self.device if index is None else index]

    def is_current_stream_capturing(self):
        return self.capturing

    def memory_stats(self, device):
        raise RuntimeError(f"nobody counts on {device}")


class Settings:
    """As of torch 2.9 after somebody has set fp32_precision."""

    fp32_precision = "tf32"
    benchmark = False
    deterministic = False

    @property
    def allow_tf32(self):
        raise RuntimeError("mix of the legacy and the new settings")


def fake_torch():
    torch = types.ModuleType("torch")
    torch.__version__ = "2.9"
    torch.nn = types.SimpleNamespace(Module=Module)
    torch.Tensor = Tensor
    torch.strided = "strided"
    torch.float16, torch.bfloat16 = "float16", "bfloat16"
    torch.device = type("device", (), {"__init__": lambda self, kind, index=None: self.__dict__.update(
        type=kind, index=index), "__str__": lambda self: self.type if self.index is None else f"{self.type}:{self.index}"})
    torch.cuda = Cuda()
    torch.get_num_threads = lambda: 1
    torch.mode = []

    @contextlib.contextmanager
    def inference_mode():
        torch.mode.append(True)
        yield
        torch.mode.pop()

    torch.inference_mode = inference_mode
    torch.is_inference_mode_enabled = lambda: bool(torch.mode)
    torch.backends = types.SimpleNamespace(cudnn=Settings(), cuda=types.SimpleNamespace(matmul=Settings()))
    return torch


def fake_cupy():
    class Device:
        now = 0

        def __init__(self, index=None):
            self.id = Device.now if index is None else index

        def __enter__(self):
            self.before, Device.now = Device.now, self.id
            return self

        def __exit__(self, *_):
            Device.now = self.before

    cupy = types.ModuleType("cupy")
    cupy.__version__ = "13"
    cupy.ndarray = type("ndarray", (), {"device": Device(1)})
    cupy.cuda = types.SimpleNamespace(Device=Device, get_current_stream=lambda: types.SimpleNamespace(ptr=40 + Device.now))
    return cupy


class WithTorch(unittest.TestCase):
    """`self.torch` is what somebody has imported."""

    def setUp(self):
        self.torch = fake_torch()
        # All of the real one's, too: its parts must not be found.
        hidden = {name: None for name in sys.modules if name == "torch" or name.startswith("torch.")}
        patch = mock.patch.dict(sys.modules, {**hidden, "torch": self.torch})
        patch.start()
        self.addCleanup(patch.stop)
