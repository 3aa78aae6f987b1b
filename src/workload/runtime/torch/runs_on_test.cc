// SPDX-License-Identifier: Apache-2.0
// The plugin's answer to the question where it can run, on machines with and without CUDA's libraries.
#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/inline_device.h"
#include "testing/wrapped_cpu.h"
#include "workload/runtime/plugins.h"

namespace strobe {
namespace {

// The CPU under another name: only what it is called matters here.
class CalledOtherwise final : public testing::WrappedCpu {
 public:
  explicit CalledOtherwise(std::string kind) : kind_(std::move(kind)) {}

  DeviceInfo info() const override {
    DeviceInfo info = WrappedCpu::info();
    info.kind = kind_;
    return info;
  }

 private:
  std::string kind_;
};

TEST(TorchRunsOn, TheCpuAlways) {
  EXPECT_TRUE(load_runtime("torch")->runs_on(InlineDevice()));
}

TEST(TorchRunsOn, NoDeviceItHasNeverHeardOf) {
  const Capability can = load_runtime("torch")->runs_on(CalledOtherwise("abacus"));
  EXPECT_FALSE(can);
  EXPECT_NE(can.why_not.find("does not know"), std::string::npos) << can.why_not;
}

TEST(TorchRunsOn, CudaOrSaysWhatIsMissing) {
  const Capability can = load_runtime("torch")->runs_on(CalledOtherwise("cuda"));
  if (can) GTEST_SKIP() << "torch can use a GPU here";
  EXPECT_TRUE(can.why_not.find("cannot be opened") != std::string::npos ||
              can.why_not.find("finds no GPU") != std::string::npos)
      << can.why_not;
}

}  // namespace
}  // namespace strobe
