// SPDX-License-Identifier: Apache-2.0
// The proof that a gate is safe, on a CUDA device with a fake driver and the real watchdog.
#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "measure/gate_safety.h"
#include "testing/fake_cuda.h"
#include "testing/joined_work.h"
#include "workload/callable.h"

namespace strobe::cuda {
namespace {

using testing::fake_driver;

// The hazards that end in the same way: a wait inside the model, an allocation or a copy that waits, lazy loading that
// needs the context to be idle, a full queue.
TEST(CudaGateSafety, FindsAWorkloadThatWaitsForItsOwnWork) {
  CudaDevice device(fake_driver(), "0");
  auto own = device.stream();
  Stream& stream = *own;
  Callable waits([&] { stream.synchronize(); }, std::move(own), 1);
  std::size_t request = 0;
  const GateObservation gate = prove_gate(waits, 1us, request);
  EXPECT_FALSE(gate.used);
  EXPECT_EQ(gate.voided, 1u);
}

TEST(CudaGateSafety, FindsAWorkloadThatFreesMemory) {
  CudaDevice device(fake_driver(), "0");
  Callable frees([&] { device.buffer(16, Place::device); }, device.stream(), 1);
  std::size_t request = 0;
  EXPECT_FALSE(prove_gate(frees, 1us, request).used);
}

TEST(CudaGateSafety, FindsAWorkloadThatWaitsForASecondStreamBehindItsOwn) {
  CudaDevice device(fake_driver(), "0");
  std::size_t request = 0;
  EXPECT_FALSE(prove_gate(*testing::joined_work(device), 1us, request).used);
}

TEST(CudaGateSafety, AllowsAWorkloadThatOnlyLaunches) {
  CudaDevice device(fake_driver(), "0");
  Callable launches([&] { device.kernels().empty(nullptr); }, device.stream(), 1);
  std::size_t request = 0;
  EXPECT_TRUE(prove_gate(launches, 1us, request).used);
}

}  // namespace
}  // namespace strobe::cuda
