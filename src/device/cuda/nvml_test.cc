// SPDX-License-Identifier: Apache-2.0
// Against a library that is taken for NVML (src/testing/fake_nvml.cc).
#include "device/cuda/nvml.h"

#include <cmath>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/cuda/gpm.h"
#include "device/locked_clocks.h"
#include "host/file.h"
#include "host/library.h"

namespace strobe::cuda {
namespace {

class FakeNvml : public ::testing::Test {
 protected:
  FakeNvml() {
    EXPECT_TRUE(Library::open(STROBE_FAKE_NVML_LIBRARY));  // from now on it is the one of that name
    ::setenv("STROBE_FAKE_NVML_LOG", log_.c_str(), 1);
    ::unsetenv("STROBE_FAKE_NVML");
  }
  ~FakeNvml() override { ::unsetenv("STROBE_FAKE_NVML"); }

  static void refuse(const char* what) { ::setenv("STROBE_FAKE_NVML", what, 1); }
  std::shared_ptr<Board> board() {
    return Board::open("GPU-01234567-89ab-cdef-0123-456789abcdef", "0000:00:00.0", why_not_);
  }
  std::string log() const { return std::filesystem::exists(log_) ? read_file(log_) : ""; }

  std::string why_not_;

 private:
  TemporaryFolder folder_;
  const std::filesystem::path log_ = folder_.path() / "log";
};

TEST_F(FakeNvml, CountsJoulesOfTheWholeBoard) {
  const EnergySource source = board()->energy();
  ASSERT_TRUE(source.counter) << source.why_not;
  EXPECT_EQ(source.counter->source(), "NVML");
  const double before = source.counter->joules();
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  const double after = source.counter->joules();
  EXPECT_GE(after - before, 20);  // 100 W, in steps of 10 J
  EXPECT_LE(after - before, 200);
}

TEST_F(FakeNvml, SaysWhyThereIsNoEnergy) {
  refuse("energy");
  EXPECT_NE(board()->energy().why_not.find("Volta"), std::string::npos);
}

TEST_F(FakeNvml, LocksTheClockAndSetsItFree) {
  {
    const LockedClocks locked(board(), 1500);
    EXPECT_EQ(log(), "lock 1500 1500\n");
  }
  EXPECT_EQ(log(), "lock 1500 1500\nreset\n");
}

TEST_F(FakeNvml, SaysWhatAnAdministratorWouldType) {
  refuse("lock");
  try {
    const LockedClocks locked(board(), 1500);
    FAIL() << "it was not permitted";
  } catch (const Error& e) {
    EXPECT_NE(e.advice().find("sudo nvidia-smi -lgc 1500,1500"), std::string::npos);
    EXPECT_NE(e.advice().find("-rgc"), std::string::npos);
  }
  EXPECT_EQ(log(), "");  // nothing was locked, and nothing set free
}

TEST_F(FakeNvml, RefusesAClockThatTheBoardDoesNotHave) {
  EXPECT_THROW(LockedClocks(board(), 2000), Error);
  EXPECT_EQ(log(), "");
}

TEST_F(FakeNvml, KnowsTheBoardByItsWholeUuidWithoutADriver) {
  const LockedClocks locked("cuda:GPU-01234567-89ab-cdef-0123-456789abcdef", 1200);
  EXPECT_EQ(log(), "lock 1200 1200\n");
  EXPECT_THROW(LockedClocks("cpu", 1200), Error);
}

TEST_F(FakeNvml, TellsWhatThePartsOfTheGpuDo) {
  const TelemetrySource source = board()->telemetry();
  ASSERT_EQ(source.columns.size(), 7 + kGpmColumns.size());
  EXPECT_EQ(source.columns[7], "sm_active");
  std::vector<double> row(source.columns.size());
  source.read(row);
  EXPECT_TRUE(std::isnan(row[7]));  // too soon after the first sample
  std::this_thread::sleep_for(std::chrono::milliseconds(160));
  source.read(row);
  EXPECT_DOUBLE_EQ(row[7], 0.02);   // metric 2, in per cent
  EXPECT_TRUE(std::isnan(row[9]));  // the tensor cores' is not known
  EXPECT_DOUBLE_EQ(row[11], 21);    // what the GPU receives
  Scalars facts;
  source.tell(facts);
  EXPECT_EQ(std::get<std::int64_t>(facts.at("gpm_samples")), 1);
  EXPECT_DOUBLE_EQ(std::get<double>(facts.at("sm_active")), 0.02);
  EXPECT_FALSE(facts.contains("tensor_active"));
  EXPECT_GT(std::get<double>(facts.at("gpm_sample_ns")), 0);
}

TEST_F(FakeNvml, SaysWhyThePartsOfTheGpuAreUnknown) {
  const auto reason = [&](const char* refused) {
    refuse(refused);
    const TelemetrySource source = board()->telemetry();
    EXPECT_EQ(source.columns.size(), 7u);
    Scalars facts;
    source.tell(facts);
    return std::get<std::string>(facts.at("gpm"));
  };
  EXPECT_EQ(reason("gpm"), "this GPU has no GPM samples: Hopper and later have");
  EXPECT_NE(reason("sample").find("DCGM"), std::string::npos);
}

}  // namespace
}  // namespace strobe::cuda
