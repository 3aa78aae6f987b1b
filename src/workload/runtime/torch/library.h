// SPDX-License-Identifier: Apache-2.0
// Torch's shared libraries, found and opened before anything that is linked to them. Torch keeps its binary interface
// within a minor version only, so any other is refused here, in a sentence, and not by the dynamic linker.
#pragma once

namespace strobe::torch_plugin {

// Opens libtorch_cpu.so: from the folder in STROBE_TORCH, else from LD_LIBRARY_PATH, else from where it was when the
// plugin was built, else the system's. Throws Error when there is none, or one of another minor version.
void open_library();

}  // namespace strobe::torch_plugin
