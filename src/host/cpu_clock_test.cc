// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_clock.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

namespace strobe {
namespace {

// A folder as the kernel has it, with this text for every CPU there may be.
class Cpus {
 public:
  explicit Cpus(const std::string& frequency) {
    for (long i = 0; i < ::sysconf(_SC_NPROCESSORS_CONF); ++i) {
      const std::filesystem::path cpu = folder_ / ("cpu" + std::to_string(i)) / "cpufreq";
      std::filesystem::create_directories(cpu);
      std::ofstream(cpu / "scaling_cur_freq") << frequency;
    }
  }
  ~Cpus() { std::filesystem::remove_all(folder_); }
  std::string folder() const { return folder_; }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("strobe-cpu-clock-" + std::to_string(::getpid()));
};

TEST(CpuClock, IsThatOfTheCpuOfThisThread) {
  EXPECT_EQ(cpu_mhz(Cpus("2596150\n").folder()), 2596.15);
}

TEST(CpuClock, IsUnknownWhereTheKernelDoesNotTell) {
  EXPECT_EQ(cpu_mhz("/nowhere"), std::nullopt);
  EXPECT_EQ(cpu_mhz(Cpus("<unknown>\n").folder()), std::nullopt);
  EXPECT_EQ(cpu_mhz(Cpus("0\n").folder()), std::nullopt);
}

}  // namespace
}  // namespace strobe
