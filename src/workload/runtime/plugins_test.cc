// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/plugins.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

TEST(Plugins, TheSuffixOfAFileNamesItsRuntime) {
  EXPECT_EQ(runtime_for("a/b.onnx").name, "onnxruntime");
  EXPECT_THROW(runtime_for("a/b.bin"), Error);
  EXPECT_THROW(runtime_for("a/b"), Error);
}

TEST(Plugins, TheSuffixOfAFileNamesTheFilesBesideIt) {
  EXPECT_EQ(other_files_of("a/b.xml"), (std::set<std::string>{"b.bin"}));
  for (const char* alone : {"a/b.onnx", "a/b.pt", "a/b"}) EXPECT_TRUE(other_files_of(alone).empty()) << alone;
}

TEST(Plugins, AnUnknownRuntimeIsAUsageErrorWithASuggestion) {
  try {
    load_runtime("onnxruntim");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::usage);
    EXPECT_NE(std::string(e.what()).find("Did you mean 'onnxruntime'?"), std::string::npos);
  }
}

}  // namespace
}  // namespace strobe
