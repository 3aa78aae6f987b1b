// SPDX-License-Identifier: Apache-2.0
#include "study/worker_program.h"

#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "testing/contains.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

class WorkerProgram : public ::testing::Test {
 protected:
  WorkerProgram() { fs::create_directories(folder_); }
  ~WorkerProgram() override { fs::remove_all(folder_); }

  fs::path make(const char* file, bool runs = true) {
    const fs::path path = folder_ / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n";
    if (runs) fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  std::string found(const ProgramSearch& s) {
    return fs::path(find_program(s)).lexically_relative(fs::canonical(folder_)).string();
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("worker_program_" + std::to_string(::getpid()));
};

TEST_F(WorkerProgram, IsBesideTheLibrary) {
  make("bin/strobe");
  make("path/strobe");
  make("lib/x86_64-linux-gnu/libstrobe.so");
  const std::string path = (folder_ / "path").string();
  EXPECT_EQ(found({{}, "/usr/bin/somebody", folder_ / "lib/libstrobe.so", path}), "bin/strobe");
  EXPECT_EQ(found({{}, {}, folder_ / "lib/x86_64-linux-gnu/libstrobe.so", path}), "bin/strobe");
}

TEST_F(WorkerProgram, IsThisOneWhereItIsStrobe) {
  make("bin/strobe");
  make("other/strobe");
  EXPECT_EQ(found({{}, folder_ / "other/strobe", folder_ / "lib/libstrobe.so", {}}), "other/strobe");
}

TEST_F(WorkerProgram, IsTheFirstInThePathThatCanBeRun) {
  make("a/strobe", false);
  make("b/strobe");
  EXPECT_EQ(
      found({{}, {}, "/nowhere/lib/libstrobe.so", ":" + (folder_ / "a").string() + ":" + (folder_ / "b").string()}),
      "b/strobe");
}

TEST_F(WorkerProgram, IsTheNamedOneOrNone) {
  make("bin/strobe");
  EXPECT_EQ(find_program({make("mine"), {}, folder_ / "lib/libstrobe.so", {}}), (folder_ / "mine").string());
  EXPECT_THROW(find_program({"/no/such", {}, folder_ / "lib/libstrobe.so", {}}), Error);
}

TEST_F(WorkerProgram, ThatIsNowhereIsAnErrorThatSaysWhatToDo) {
  try {
    find_program({{}, "/usr/bin/somebody", folder_ / "lib/libstrobe.so", folder_.string()});
    FAIL() << "nothing should be found";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::not_found);
    EXPECT_TRUE(testing::has(e.what(), "STROBE_PROGRAM")) << e.what();
  }
}

}  // namespace
}  // namespace strobe
