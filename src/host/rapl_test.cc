// SPDX-License-Identifier: Apache-2.0
#include "host/rapl.h"

#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "host/file.h"

namespace strobe {
namespace {

// A tree like /sys/class/powercap.
class Powercap {
 public:
  void add(const char* zone, const char* name, std::uint64_t microjoules, std::uint64_t range = 1'000'000) {
    std::filesystem::create_directories(folder_.path() / zone);
    write_file(folder_.path() / zone / "name", std::string(name) + "\n");
    write_file(folder_.path() / zone / "max_energy_range_uj", std::to_string(range) + "\n");
    set(zone, microjoules);
  }
  void set(const char* zone, std::uint64_t microjoules) {
    write_file(energy_of(zone), std::to_string(microjoules) + "\n");
  }
  std::filesystem::path energy_of(const char* zone) const { return folder_.path() / zone / "energy_uj"; }
  std::optional<Rapl> open() { return Rapl::open(folder_.path().string(), why_not); }

  std::string why_not;

 private:
  TemporaryFolder folder_;
};

struct TwoSockets : Powercap {
  TwoSockets() {
    add("intel-rapl:0", "package-0", 100'000);
    add("intel-rapl:0:0", "core", 50'000);
    add("intel-rapl:0:1", "dram", 7'000);
    add("intel-rapl:1", "package-1", 900'000);
    add("intel-rapl-mmio:0", "package-0", 100'000);
  }
};

TEST(Rapl, AddsPackagesAndTheirMemoryButNothingTwice) {
  TwoSockets machine;
  auto rapl = machine.open();
  ASSERT_TRUE(rapl) << machine.why_not;
  EXPECT_EQ(rapl->scope(), "2 CPU packages and their memory");
  machine.set("intel-rapl:0", 200'000);
  machine.set("intel-rapl:0:0", 140'000);
  machine.set("intel-rapl:0:1", 8'000);
  machine.set("intel-rapl:1", 950'000);
  machine.set("intel-rapl-mmio:0", 200'000);
  EXPECT_DOUBLE_EQ(rapl->joules(), 0.151);
}

TEST(Rapl, GoesOnWhereACounterWraps) {
  TwoSockets machine;
  auto rapl = machine.open();
  ASSERT_TRUE(rapl);
  machine.set("intel-rapl:1", 50'000);  // 900,000 + 150,000 of 1,000,000
  EXPECT_DOUBLE_EQ(rapl->joules(), 0.15);
  machine.set("intel-rapl:1", 60'000);
  EXPECT_DOUBLE_EQ(rapl->joules(), 0.16);
}

TEST(Rapl, SaysThatAMachineCountsNone) {
  Powercap machine;
  EXPECT_FALSE(machine.open());
  EXPECT_NE(machine.why_not.find("virtual machines"), std::string::npos) << machine.why_not;
  machine.add("dtpm", "dtpm", 1);
  EXPECT_FALSE(machine.open());
}

TEST(Rapl, SaysThatAFolderIsMissing) {
  std::string why_not;
  EXPECT_FALSE(Rapl::open("/nowhere/powercap", why_not));
  EXPECT_NE(why_not.find("/nowhere/powercap"), std::string::npos) << why_not;
}

// Root may read everything: what it cannot read is a folder.
TEST(Rapl, RefusesToCallAPartTheWhole) {
  TwoSockets machine;
  std::filesystem::remove(machine.energy_of("intel-rapl:0:1"));
  EXPECT_FALSE(machine.open());
  EXPECT_NE(machine.why_not.find("intel-rapl:0:1/energy_uj"), std::string::npos) << machine.why_not;
}

TEST(Rapl, SaysThatOnlyRootMayReadIt) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read what others may not";
  TwoSockets machine;
  std::filesystem::permissions(machine.energy_of("intel-rapl:0"), std::filesystem::perms::none);
  EXPECT_FALSE(machine.open());
  EXPECT_NE(machine.why_not.find("only root"), std::string::npos) << machine.why_not;
}

TEST(Rapl, FailsWhereACounterGoesAway) {
  TwoSockets machine;
  auto rapl = machine.open();
  ASSERT_TRUE(rapl);
  std::filesystem::remove(machine.energy_of("intel-rapl:1"));
  EXPECT_THROW(rapl->joules(), Error);
}

}  // namespace
}  // namespace strobe
