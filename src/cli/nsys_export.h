// SPDX-License-Identifier: Apache-2.0
// What Nsight Systems wrote of a run: kernels by name, and by the range of ours in which the host handed them over.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace strobe::cli {

struct NsysRow {
  std::string name;
  std::uint64_t calls = 0;
  nanoseconds time{};

  bool operator==(const NsysRow&) const = default;
};

struct NsysExport {
  std::vector<NsysRow> kernels;  // the longest first
  std::vector<NsysRow> ranges;   // kernels by the innermost range of the domain `strobe`; empty: there are none
  std::uint64_t requests = 0;    // ranges of this name

  bool operator==(const NsysExport&) const = default;
};

// Is it a file of nsys, by its suffix or its first letters? Records of ours are objects of JSON.
bool is_nsys_export(const std::filesystem::path&);

// `nsys export --type sqlite`, or `nsys stats --report cuda_gpu_kern_sum --format json`, which has no ranges. Throws
// Error where the file has no kernels.
NsysExport read_nsys_export(const std::filesystem::path&);

NsysExport read_nsys_stats(std::string_view json);

std::string text_of(const NsysExport&);

}  // namespace strobe::cli
