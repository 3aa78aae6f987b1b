// SPDX-License-Identifier: Apache-2.0
#include "host/needed_libraries.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "host/file.h"
#include "host/library.h"

namespace strobe {
namespace {

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(NeededLibraries, AreThoseThatTheFileNames) {
  const auto names = needed_libraries(library_folder() / "libstrobe.so");
  EXPECT_TRUE(has(names, "libc.so.6"));
  EXPECT_FALSE(has(names, "libstrobe.so"));
}

TEST(NeededLibraries, AreNoneOfWhatIsNoLibrary) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.so";
  EXPECT_TRUE(needed_libraries(file).empty());
  EXPECT_TRUE(needed_libraries(folder.path()).empty());
  std::string begin(200, '\0');
  std::ifstream(library_folder() / "libstrobe.so", std::ios::binary).read(begin.data(), 200);
  for (const std::size_t length : {0U, 3U, 63U, 64U, 200U}) {
    write_file(file, std::string_view(begin).substr(0, length));
    EXPECT_TRUE(needed_libraries(file).empty()) << length;
  }
  write_file(file, std::string(4096, 'x'));
  EXPECT_TRUE(needed_libraries(file).empty());
}

}  // namespace
}  // namespace strobe
