// SPDX-License-Identifier: Apache-2.0
// With the program itself as the guardian, and a library that is taken for NVML (src/testing/fake_nvml.cc).
#include "study/clock_hold.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "host/file.h"

namespace strobe {
namespace {

Model locked_model(const char* device = "cuda:GPU-01234567-89ab-cdef-0123-456789abcdef") {
  Model m;
  m.model = "work:null";
  m.device = device;
  m.lock_clocks = 1500;
  return m;
}

class ClockHolding : public ::testing::Test {
 protected:
  ClockHolding() {
    ::setenv("LD_LIBRARY_PATH", STROBE_FAKE_NVML_FOLDER, 1);  // of the guardian, which begins later
    ::setenv("STROBE_PROGRAM", STROBE_TEST_PROGRAM, 1);
    ::setenv("STROBE_FAKE_NVML_LOG", log_.c_str(), 1);
    ::unsetenv("STROBE_FAKE_NVML");
  }
  ~ClockHolding() override { ::unsetenv("STROBE_FAKE_NVML"); }

  std::string log() const { return std::filesystem::exists(log_) ? read_file(log_) : ""; }
  bool comes(const std::string& expected) const {
    for (int i = 0; i < 500 && log() != expected; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return log() == expected;
  }

 private:
  TemporaryFolder folder_;
  const std::filesystem::path log_ = folder_.path() / "log";
};

TEST_F(ClockHolding, LastsAsLongAsTheCommand) {
  {
    const ClockHold hold(locked_model());
    EXPECT_EQ(log(), "lock 1500 1500\n");
  }
  EXPECT_EQ(log(), "lock 1500 1500\nreset\n");
}

TEST_F(ClockHolding, EndsAlsoWhereTheProgramIsKilled) {
  const pid_t program = ::fork();
  ASSERT_GE(program, 0);
  if (program == 0) {
    try {
      const ClockHold hold(locked_model());
      for (;;) ::pause();
    } catch (...) {
    }
    ::_exit(1);
  }
  EXPECT_TRUE(comes("lock 1500 1500\n"));
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  EXPECT_TRUE(comes("lock 1500 1500\nreset\n"));
}

TEST_F(ClockHolding, DoesNothingWhereNoClockIsAskedFor) {
  Model m = locked_model();
  m.lock_clocks.reset();
  const ClockHold hold(m);
  EXPECT_EQ(log(), "");
}

TEST_F(ClockHolding, IsRefusedWithTheCommandOfAnAdministrator) {
  ::setenv("STROBE_FAKE_NVML", "lock", 1);
  try {
    const ClockHold hold(locked_model());
    FAIL() << "it was not permitted";
  } catch (const Error& e) {
    EXPECT_NE(e.advice().find("sudo nvidia-smi -lgc 1500,1500"), std::string::npos) << e.what();
  }
  EXPECT_EQ(log(), "");
}

TEST_F(ClockHolding, IsOfAGpuOnly) {
  EXPECT_THROW(ClockHold(locked_model("cpu")), Error);
  Model m = locked_model("auto");
  m.model = "sim:powered";
  EXPECT_THROW(ClockHold{m}, Error);
}

TEST(OneClock, IsOfAllCandidates) {
  const Model a = locked_model(), b = locked_model();
  const std::array<const Model*, 2> alike{&a, &b};
  EXPECT_EQ(one_clock_of(alike).lock_clocks, 1500);
  Model c = locked_model();
  c.lock_clocks = 1200;
  const std::array<const Model*, 2> different{&a, &c};
  EXPECT_THROW(one_clock_of(different), Error);
  EXPECT_FALSE(one_clock_of({}).lock_clocks);
}

}  // namespace
}  // namespace strobe
