// SPDX-License-Identifier: Apache-2.0
// Torch's shared libraries, found and opened before anything that is linked to them. Torch keeps its binary interface
// within a minor version only, so any other is refused here, in a sentence, and not by the dynamic linker.
#pragma once

namespace strobe::torch_plugin {

// Opens libtorch_cpu.so: the one that is open already, else from the folder in STROBE_TORCH, from LD_LIBRARY_PATH, from
// the Python package in our environment, from where it was when the plugin was built, or the system's. Throws Error
// when there is none, or one of another minor version.
void open_library();

}  // namespace strobe::torch_plugin
