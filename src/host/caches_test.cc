// SPDX-License-Identifier: Apache-2.0
#include "host/caches.h"

#include <array>
#include <filesystem>

#include <gtest/gtest.h>

#include "host/file.h"

namespace strobe {
namespace {

// A machine like /sys/devices/system/cpu describes it.
class Machine {
 public:
  void add(int cpu, int index, const char* level, const char* type, const char* size, const char* shared) {
    const auto cache = folder_.path() / ("cpu" + std::to_string(cpu)) / "cache" / ("index" + std::to_string(index));
    std::filesystem::create_directories(cache);
    write_file(cache / "level", std::string(level) + "\n");
    write_file(cache / "type", std::string(type) + "\n");
    write_file(cache / "size", std::string(size) + "\n");
    write_file(cache / "shared_cpu_list", std::string(shared) + "\n");
  }
  std::optional<Bytes> of(std::span<const int> cpus) const { return last_level_cache(folder_.path().string(), cpus); }

 private:
  TemporaryFolder folder_;
};

// Four CPUs, two of which share each of two L3.
struct TwoComplexes : Machine {
  TwoComplexes() {
    for (int cpu = 0; cpu < 4; ++cpu) {
      add(cpu, 0, "1", "Data", "48K", std::to_string(cpu).c_str());
      add(cpu, 1, "3", "Unified", "32768K", cpu < 2 ? "0-1" : "2-3");
      add(cpu, 2, "2", "Unified", "1M", std::to_string(cpu).c_str());
    }
  }
};

TEST(LastLevelCache, IsTheHighestLevelWhicheverComesFirst) {
  EXPECT_EQ(TwoComplexes().of(std::array{0}), Bytes{32 << 20});
}

TEST(LastLevelCache, CountsEachOnceHoweverManyCpusShareIt) {
  EXPECT_EQ(TwoComplexes().of(std::array{0, 1}), Bytes{32 << 20});
  EXPECT_EQ(TwoComplexes().of(std::array{0, 1, 3}), Bytes{64 << 20});
}

TEST(LastLevelCache, HoldsDataNotInstructions) {
  Machine m;
  m.add(0, 0, "1", "Data", "32K", "0");
  m.add(0, 1, "2", "Instruction", "512K", "0");
  EXPECT_EQ(m.of(std::array{0}), Bytes{32 << 10});
}

TEST(LastLevelCache, IsUnknownWhereTheKernelDoesNotTell) {
  EXPECT_FALSE(Machine().of(std::array{0, 1}));
  EXPECT_FALSE(TwoComplexes().of({}));
}

}  // namespace
}  // namespace strobe
