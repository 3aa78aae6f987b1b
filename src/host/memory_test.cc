// SPDX-License-Identifier: Apache-2.0
#include "host/memory.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <vector>

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

// Pages that are touched, and no others.
TEST(ResidentMemory, IsWhatWasTouched) {
  const ResidentMemory before = resident_memory();
  const Mapping own(PROT_READ | PROT_WRITE, MAP_PRIVATE);
  ASSERT_NE(own.at(), MAP_FAILED);
  const ResidentMemory mapped = resident_memory();
  std::memset(own.at(), 1, kMapped / 4);
  const ResidentMemory touched = resident_memory();
  constexpr std::uint64_t kAround = 4u << 20;  // huge pages, and what reading takes
  EXPECT_LT(mapped.all.count, before.all.count + kAround);
  EXPECT_GE(touched.all.count, mapped.all.count + kMapped / 4);
  EXPECT_LT(touched.all.count, mapped.all.count + kMapped / 4 + kAround);
  EXPECT_GE(touched.anonymous.count, mapped.anonymous.count + kMapped / 4);
  EXPECT_LE(touched.anonymous.count, touched.all.count);
}

TEST(HeapInUse, IsWhatTheCLibraryHasGivenOut) {
  const Bytes before = heap_in_use();
  if (before.count == 0) GTEST_SKIP() << "another allocator has the place of the C library's";
  {
    const std::vector<char> large(kMapped), small(1000);
    EXPECT_GE(heap_in_use().count, before.count + kMapped + 1000);
    EXPECT_LT(heap_in_use().count, before.count + kMapped + (1u << 20));
  }
  EXPECT_LT(heap_in_use().count, before.count + kMapped / 2);
}

TEST(HeapFree, IsWhatWasGivenBackAndIsKept) {
  if (heap_in_use().count == 0) GTEST_SKIP() << "another allocator has the place of the C library's";
  std::vector<std::vector<char>> blocks(64, std::vector<char>(10'000));
  const std::vector<char> above(100'000);  // fits into no hole, so the heap cannot shrink
  const Bytes before = heap_free();
  blocks.clear();
  EXPECT_GE(heap_free().count, before.count + 500'000);
}

TEST(PeakMemory, IsSinceItWasForgottenWhereThatIsAllowed) {
  {
    const Mapping own(PROT_READ | PROT_WRITE, MAP_PRIVATE);
    ASSERT_NE(own.at(), MAP_FAILED);
    std::memset(own.at(), 1, kMapped);
  }
  const Bytes before = peak_memory();
  if (!forget_peak_memory()) GTEST_SKIP() << "the kernel does not let a process forget its peak here";
  EXPECT_LT(peak_memory().count, before.count - kMapped / 2);
  EXPECT_GE(peak_memory().count, resident_memory().all.count / 2);
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
