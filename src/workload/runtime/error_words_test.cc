// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/error_words.h"

#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "testing/fake_cuda.h"

namespace strobe {
namespace {

ErrorCode code(const std::string& cause) {
  return error_by_words("cannot run", cause).code();
}

TEST(ErrorWords, TellMemoryFromABrokenContext) {
  EXPECT_EQ(code("CUDA out of memory. Tried to allocate 20.00 GiB"), ErrorCode::out_of_memory);
  EXPECT_EQ(code("Failed to allocate memory for requested buffer of size 1"), ErrorCode::out_of_memory);
  EXPECT_EQ(code("CUDA error: an illegal memory access was encountered"), ErrorCode::device_lost);
  EXPECT_EQ(code("CUDA failure 700: an illegal memory access was encountered ; GPU=0"), ErrorCode::device_lost);
  EXPECT_EQ(code("CUDA error: device-side assert triggered"), ErrorCode::device_lost);
  EXPECT_EQ(code("CUDA error: unknown error"), ErrorCode::device_lost);
  EXPECT_EQ(code("CUDA failure 999: unknown error ; GPU=0"), ErrorCode::device_lost);
  EXPECT_EQ(code("CUDA error: the MPS client has been terminated by the server"), ErrorCode::device_lost);
  EXPECT_EQ(code("CUDA error: tensor memory not completely freed"), ErrorCode::device_lost);
  EXPECT_EQ(code("the file could not be read: unknown error"), ErrorCode::failed);
  EXPECT_EQ(code("The size of tensor a (3) must match the size of tensor b (4)"), ErrorCode::failed);
}

TEST(ErrorWords, AreSeenThroughWhereTheContextIsBroken) {
  cuda::CudaDevice device(testing::fake_driver(), "0");
  const auto stream = device.stream();
  const Error said(ErrorCode::failed, "cannot run 'x.pt2'", "convolution(…) API call failed");
  EXPECT_EQ(seen_through(said, *stream).code(), ErrorCode::failed);
  testing::fake_cuda().synchronize = CUDA_ERROR_ILLEGAL_ADDRESS;
  const Error seen = seen_through(said, *stream);
  EXPECT_EQ(seen.code(), ErrorCode::device_lost);
  EXPECT_EQ(seen.thing(), "cannot run 'x.pt2'");
  EXPECT_NE(seen.cause().find("broke the CUDA context"), std::string::npos) << seen.what();
  const Error memory(ErrorCode::out_of_memory, "cannot run", "out of memory");
  EXPECT_EQ(seen_through(memory, *stream).code(), ErrorCode::out_of_memory);
  testing::fake_cuda().synchronize = CUDA_SUCCESS;
}

}  // namespace
}  // namespace strobe
