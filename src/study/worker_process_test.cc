// SPDX-License-Identifier: Apache-2.0
// The parent's end, with a shell script for the program.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/build_info.h"
#include "study/worker.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

class WorkerProcess : public ::testing::Test {
 protected:
  ~WorkerProcess() override {
    ::unsetenv("STROBE_PROGRAM");
    fs::remove(program_);
  }
  void program(const char* script) {
    std::ofstream(program_) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(program_, fs::perms::owner_all);
    ::setenv("STROBE_PROGRAM", program_.c_str(), 1);
  }

  const fs::path program_ = fs::path(::testing::TempDir()) / ("worker_process_" + std::to_string(::getpid()));
};

TEST_F(WorkerProcess, IsToldItsJobAndItsEnvironment) {
  program(R"(read job; echo "{\"word\": \"$STROBE_TEST_WORD\", \"asked\": $job}")");
  Worker worker("run", {{"model", {{"batch", 8}}}}, {"STROBE_TEST_WORD=hello"});
  const nlohmann::json answer = worker.answer(30s);
  EXPECT_EQ(answer.at("word"), "hello");
  EXPECT_EQ(answer.at("asked").at("job"), "run");
  EXPECT_EQ(answer.at("asked").at("options").at("model").at("batch"), 8);
  EXPECT_EQ(answer.at("asked").at("build"), kBuildId);
}

TEST_F(WorkerProcess, ThrowsTheErrorThatItMet) {
  program(R"(echo '{"error": {"code": "not-found", "thing": "no file", "cause": "gone"}}')");
  try {
    Worker("run", nlohmann::json::object()).answer(30s);
    FAIL() << "it was an error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::not_found);
    EXPECT_EQ(e.cause(), "gone");
  }
}

TEST_F(WorkerProcess, IsLostWhereItEndsInsteadOfAnswering) {
  program("exit 3");
  EXPECT_THROW(Worker("run", nlohmann::json::object()).answer(30s), WorkerLost);
}

}  // namespace
}  // namespace strobe
