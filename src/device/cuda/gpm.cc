// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/gpm.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace strobe::cuda {
namespace {

struct GpmMetric {
  nvmlGpmMetricId_t id;
  double scale;
};

// In the order of kGpmColumns. NVML tells shares in per cent, and PCIe from the GPU's side: what it receives goes in.
constexpr std::array<GpmMetric, kGpmColumns.size()> kGpmMetrics{{{NVML_GPM_METRIC_SM_UTIL, 0.01},
                                                                 {NVML_GPM_METRIC_SM_OCCUPANCY, 0.01},
                                                                 {NVML_GPM_METRIC_ANY_TENSOR_UTIL, 0.01},
                                                                 {NVML_GPM_METRIC_DRAM_BW_UTIL, 0.01},
                                                                 {NVML_GPM_METRIC_PCIE_RX_PER_SEC, 1},
                                                                 {NVML_GPM_METRIC_PCIE_TX_PER_SEC, 1}}};

// NVML wants more than 100 ms between two samples; the sampler wakes every 100 ms, more or less.
constexpr nanoseconds kBetweenSamples = 150ms;

nanoseconds gpm_now() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

bool has_all(const GpmCalls& c) {
  return c.support && c.alloc && c.free && c.sample && c.metrics;
}

}  // namespace

std::shared_ptr<GpmSampler> GpmSampler::open(const GpmCalls& calls, nvmlDevice_t device,
                                             std::optional<unsigned> instance, std::string& why_not) {
  why_not = "this driver has no GPM samples";
  if (!has_all(calls) || (instance && !calls.mig_sample)) return nullptr;
  nvmlGpmSupport_t support{};
  support.version = NVML_GPM_SUPPORT_VERSION;
  why_not = "this GPU has no GPM samples: Hopper and later have";
  if (calls.support(device, &support) != NVML_SUCCESS || !support.isSupportedDevice) return nullptr;
  auto sampler = std::shared_ptr<GpmSampler>(new GpmSampler(calls, device, instance));
  why_not = "NVML gives no GPM sample here: does a profiler or DCGM hold the counters?";
  if (!sampler->before_ || !sampler->after_ || !sampler->take(sampler->before_)) return nullptr;
  sampler->taken_ = gpm_now();
  why_not.clear();
  return sampler;
}

GpmSampler::GpmSampler(const GpmCalls& calls, nvmlDevice_t device, std::optional<unsigned> instance)
    : calls_(calls), device_(device), instance_(instance) {
  last_.fill(std::numeric_limits<double>::quiet_NaN());
  if (calls_.alloc(&before_) != NVML_SUCCESS) before_ = nullptr;
  if (calls_.alloc(&after_) != NVML_SUCCESS) after_ = nullptr;
}

GpmSampler::~GpmSampler() {
  if (before_) calls_.free(before_);
  if (after_) calls_.free(after_);
}

bool GpmSampler::take(nvmlGpmSample_t to) {
  const nvmlReturn_t r = instance_ ? calls_.mig_sample(device_, *instance_, to) : calls_.sample(device_, to);
  return r == NVML_SUCCESS;
}

void GpmSampler::compare() {
  last_.fill(std::numeric_limits<double>::quiet_NaN());
  question_.version = NVML_GPM_METRICS_GET_VERSION;
  question_.numMetrics = kGpmMetrics.size();
  question_.sample1 = before_;
  question_.sample2 = after_;
  for (std::size_t i = 0; i < kGpmMetrics.size(); ++i) question_.metrics[i].metricId = kGpmMetrics[i].id;
  if (calls_.metrics(&question_) != NVML_SUCCESS) return;
  for (std::size_t i = 0; i < kGpmMetrics.size(); ++i) {
    if (question_.metrics[i].nvmlReturn != NVML_SUCCESS) continue;
    last_[i] = question_.metrics[i].value * kGpmMetrics[i].scale;
    sums_[i] += last_[i];
    ++known_[i];
  }
}

void GpmSampler::read(nanoseconds now, std::span<double> row) {
  if (!taken_ || now - *taken_ >= kBetweenSamples) {
    const nanoseconds begin = gpm_now();
    if (take(after_)) {
      compare();
      std::swap(before_, after_);
      taken_ = now;
    }
    cost_ += gpm_now() - begin;
    ++samples_;
  }
  std::copy(last_.begin(), last_.end(), row.begin());
}

void GpmSampler::tell(Scalars& facts) const {
  if (samples_ == 0) return;
  for (std::size_t i = 0; i < kGpmColumns.size(); ++i) {
    if (known_[i] > 0) facts[kGpmColumns[i]] = sums_[i] / static_cast<double>(known_[i]);
  }
  facts["gpm_samples"] = samples_;
  facts["gpm_sample_ns"] = to_double(cost_) / static_cast<double>(samples_);
}

}  // namespace strobe::cuda
