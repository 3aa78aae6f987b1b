# SPDX-License-Identifier: Apache-2.0
"""What is particular to modules of torch. torch is never imported here: where it was not, there are no modules."""
from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import Any, ContextManager, Iterator


def is_module(target: Any) -> bool:
    # Somebody's import of torch may have failed half-way.
    module = getattr(getattr(sys.modules.get("torch"), "nn", None), "Module", None)
    return isinstance(module, type) and isinstance(target, module)


def torch_mode(*targets: Any) -> "ContextManager[Any]":
    """Modules are for inference: entered once before the first request, not in each. Where functions are among the
    targets, all run as they are, because both sides of a comparison must."""
    if targets and all(is_module(target) for target in targets):
        mode: "ContextManager[Any]" = sys.modules["torch"].inference_mode()
        return mode
    return nullcontext()


def parts_of(result: Any) -> "Iterator[Any]":
    if isinstance(result, dict):
        yield from result.values()
    elif isinstance(result, (tuple, list)):
        yield from result
    else:
        yield result


def torch_facts(target: Any, result: Any) -> "dict[str, Any]":
    """For the record's model, of the target and its last result."""
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "Tensor"):
        return {}
    tensors = [part for part in parts_of(result) if isinstance(part, torch.Tensor)]
    if not tensors and not is_module(target):
        return {}
    facts: "dict[str, Any]" = {"torch": str(torch.__version__), "threads": torch.get_num_threads()}
    if is_module(target):
        facts.update(inference_mode=True, training=bool(target.training))
    else:
        facts["autograd"] = any(tensor.requires_grad for tensor in tensors)
    return facts
