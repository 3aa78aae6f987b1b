#include "workload/error_words.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(code("The size of tensor a (3) must match the size of tensor b (4)"), ErrorCode::failed);
}

}  // namespace
}  // namespace strobe
