// SPDX-License-Identifier: Apache-2.0
#include "cli/output_files.h"

#include <fstream>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "host/file.h"

namespace strobe::cli {
namespace {

class OutputFiles : public ::testing::Test {
 protected:
  std::string write(const char* name) {
    const auto path = folder_.path() / name;
    std::ofstream(path) << "x";
    return path.string();
  }
  std::string refusal(const std::vector<OutputFile>& outputs, const std::vector<std::filesystem::path>& read = {}) {
    try {
      check_outputs(outputs, read);
      return {};
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::usage);
      return e.what();
    }
  }
  TemporaryFolder folder_;
};

TEST_F(OutputFiles, MayAllGoToADevice) {
  EXPECT_EQ(refusal({{"--json", "/dev/null"}, {"--export", "/dev/null"}}, {"/dev/null"}), "");
}

TEST_F(OutputFiles, AreToldByTheFileAndNotByItsName) {
  const std::string a = write("a.json"), link = (folder_.path() / "b.json").string();
  std::filesystem::create_hard_link(a, link);
  EXPECT_NE(refusal({{"--json", a}, {"--export", link}}).find("--json writes there"), std::string::npos);
  EXPECT_NE(refusal({{"--json", link}}, {a}).find("which is read"), std::string::npos);
  EXPECT_EQ(refusal({{"--json", a}, {"--export", write("c.json")}}), "");
}

TEST_F(OutputFiles, ThatAreNotThereYetAreToldByTheNameTheyWillHave) {
  const std::string one = (folder_.path() / "new.json").string(), same = (folder_.path() / "." / "new.json").string();
  EXPECT_NE(refusal({{"--json", one}, {"--export", same}}), "");
}

}  // namespace
}  // namespace strobe::cli
