// SPDX-License-Identifier: Apache-2.0
// What the parts of a GPU do, over time: NVML's GPM samples, from Hopper on, which need no profiler's rights. A value
// is the mean between two samples. What a sample costs is measured: whoever shows the values shows that, too.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <nvml.h>
#include <optional>
#include <span>
#include <string>

#include <strobe/record.h>

#include "base/units.h"

namespace strobe::cuda {

// NVML's functions, as they are called here; all but `mig_sample` are needed.
struct GpmCalls {
  decltype(&nvmlGpmQueryDeviceSupport) support = nullptr;
  decltype(&nvmlGpmSampleAlloc) alloc = nullptr;
  decltype(&nvmlGpmSampleFree) free = nullptr;
  decltype(&nvmlGpmSampleGet) sample = nullptr;
  decltype(&nvmlGpmMigSampleGet) mig_sample = nullptr;
  decltype(&nvmlGpmMetricsGet) metrics = nullptr;
};

// Shares of the time or of the highest rate; PCIe in MiB a second.
inline constexpr std::array kGpmColumns{"sm_active",      "sm_occupancy",  "tensor_active",
                                        "dram_bandwidth", "pcie_in_mib_s", "pcie_out_mib_s"};

class GpmSampler {
 public:
  // `instance`: of a divided board. None, and why, where the GPU or the driver has no samples.
  static std::shared_ptr<GpmSampler> open(const GpmCalls&, nvmlDevice_t, std::optional<unsigned> instance,
                                          std::string& why_not);
  ~GpmSampler();
  GpmSampler(const GpmSampler&) = delete;
  GpmSampler& operator=(const GpmSampler&) = delete;

  // One value for each column: the mean since the sample before; NaN where it is unknown. Samples closer together than
  // NVML allows repeat the last values.
  void read(nanoseconds now, std::span<double> row);
  // The means, from how many samples, and what one of them took of the thread that samples.
  void tell(Scalars&) const;

 private:
  GpmSampler(const GpmCalls&, nvmlDevice_t, std::optional<unsigned> instance);
  bool take(nvmlGpmSample_t);
  void compare();

  GpmCalls calls_;
  nvmlDevice_t device_;
  std::optional<unsigned> instance_;
  nvmlGpmSample_t before_ = nullptr, after_ = nullptr;
  std::optional<nanoseconds> taken_;  // when `before_` was
  std::array<double, kGpmColumns.size()> last_{}, sums_{};
  std::array<std::int64_t, kGpmColumns.size()> known_{};
  nvmlGpmMetricsGet_t question_{};
  nanoseconds cost_{};
  std::int64_t samples_ = 0;
};

}  // namespace strobe::cuda
