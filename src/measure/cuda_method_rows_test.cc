// SPDX-License-Identifier: Apache-2.0
// Rows that hold the stream, on a CUDA device with a fake driver.
#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "measure/method_rows.h"
#include "testing/busy_board.h"
#include "testing/fake_cuda.h"
#include "workload/callable.h"

namespace strobe::cuda {
namespace {

TEST(CudaMethodRows, DoNotSpinBesideAnotherProcess) {
  CudaDevice device(testing::fake_driver(), "0",
                    [](const Gpu&, std::string&) { return std::make_shared<testing::BusyBoard>(std::vector{101U}); });
  Callable work([&] { device.kernels().empty(nullptr); }, device.stream(), 1);
  Method spins = kDeviceTimePass.method;
  spins.spin_gate = true;
  const MethodRows result =
      time_by_methods(work, {{{kDeviceTimePass.method, "gated", {}, {}}, {spins, "gated-spin", {}, {}}}, 1, 5});
  EXPECT_EQ(result.rows[0].error, "");
  EXPECT_FALSE(result.rows[0].readings.empty());
  EXPECT_NE(result.rows[1].error.find("another process"), std::string::npos);
  EXPECT_TRUE(result.rows[1].readings.empty());
}

}  // namespace
}  // namespace strobe::cuda
