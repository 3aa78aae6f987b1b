// SPDX-License-Identifier: Apache-2.0
// Shared libraries in the packages of a Python environment: runtimes beside a Strobe that pip installed, and NVIDIA's
// libraries beside a runtime. A runtime on a GPU leaves the latter to the dynamic linker, which does not look there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace strobe {

// The folder of packages that this library lies in (site-packages/strobe/lib/libstrobe.so); empty: in none.
std::filesystem::path own_packages();
// The same of a library deeper in a package: site-packages/onnxruntime/capi/libonnxruntime.so.1.31.1.
std::filesystem::path packages_of(const std::filesystem::path& library);

// The files of our environment's package `folder` ("onnxruntime/capi") whose names begin so; the newest first.
std::vector<std::filesystem::path> package_libraries(const std::filesystem::path& folder, std::string_view begin);

// Opens what `library` needs of NVIDIA's packages in these environments, each after what it needs itself, and what
// cuDNN asks for later. What is open already stays, and what LD_LIBRARY_PATH has comes from there. Gives the files that
// were opened, in their order.
std::vector<std::filesystem::path> open_nvidia_packages(const std::filesystem::path& library,
                                                        const std::vector<std::filesystem::path>& environments);

}  // namespace strobe
