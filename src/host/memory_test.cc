// SPDX-License-Identifier: Apache-2.0
#include "host/memory.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

#include <gtest/gtest.h>

namespace strobe {
namespace {

constexpr std::size_t kMapped = std::size_t{256} << 20;

class Mapping {
 public:
  Mapping(int protection, int flags) : at_(::mmap(nullptr, kMapped, protection, flags | MAP_ANONYMOUS, -1, 0)) {}
  ~Mapping() {
    if (at_ != MAP_FAILED) ::munmap(at_, kMapped);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  void* at() const { return at_; }

 private:
  void* at_;
};

TEST(DataMemory, IsWhatAProcessMayWriteToAloneTouchedOrNot) {
  const Bytes before = data_memory();
  const Mapping own(PROT_READ | PROT_WRITE, MAP_PRIVATE);
  ASSERT_NE(own.at(), MAP_FAILED);
  EXPECT_GE(data_memory().count, before.count + kMapped);
  EXPECT_LT(data_memory().count, before.count + 2 * kMapped);
}

TEST(DataMemory, DoesNotHaveWhatIsSharedOrOnlyRead) {
  const Bytes before = data_memory();
  const Mapping shared(PROT_READ | PROT_WRITE, MAP_SHARED), read(PROT_READ, MAP_PRIVATE);
  EXPECT_LT(data_memory().count, before.count + kMapped / 2);
}

TEST(MemoryLimit, RefusesWhatIsBeyondItWhileItLives) {
  {
    const MemoryLimit limit({kMapped / 2});
    EXPECT_EQ(Mapping(PROT_READ | PROT_WRITE, MAP_PRIVATE).at(), MAP_FAILED);
    const MemoryLimit wider({4 * kMapped});
    EXPECT_EQ(Mapping(PROT_READ | PROT_WRITE, MAP_PRIVATE).at(), MAP_FAILED);
  }
  EXPECT_NE(Mapping(PROT_READ | PROT_WRITE, MAP_PRIVATE).at(), MAP_FAILED);
}

TEST(PeakMemory, GrowsWithWhatIsTouchedAndStays) {
  const Bytes before = peak_memory();
  {
    const Mapping own(PROT_READ | PROT_WRITE, MAP_PRIVATE);
    ASSERT_NE(own.at(), MAP_FAILED);
    std::memset(own.at(), 1, kMapped);
    EXPECT_GE(peak_memory().count, kMapped);
  }
  EXPECT_GE(peak_memory().count, std::max<std::uint64_t>(before.count, kMapped));
}

}  // namespace
}  // namespace strobe
