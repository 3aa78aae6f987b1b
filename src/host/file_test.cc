// SPDX-License-Identifier: Apache-2.0
#include "host/file.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() /
             ("strobe_file_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  fs::path folder;
};

TEST_F(FileTest, WritesWhatIsReadBackAndLeavesNothingElse) {
  write_file(folder / "a", std::string("x\0y", 3));
  write_file(folder / "a", "second");
  EXPECT_EQ(read_file(folder / "a"), "second");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileTest, LeavesTheOldFileWhenTheDiskIsFull) {
  EXPECT_THROW(write_file("/dev/full", "x"), Error);
  EXPECT_THROW(write_file(folder / "no" / "such", "x"), Error);
  EXPECT_EQ(entries(), 0u);
}

TEST_F(FileTest, ChecksBeforehandThatItCanWrite) {
  check_writable(folder / "new");
  EXPECT_EQ(entries(), 0u);
  EXPECT_THROW(check_writable(folder), Error);
  EXPECT_THROW(check_writable(folder / "no" / "such"), Error);
  EXPECT_THROW(check_writable(""), Error);
  check_writable("/dev/null");
}

TEST_F(FileTest, SaysWhyItCannotRead) {
  try {
    read_file(folder / "absent");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::not_found);
    EXPECT_NE(std::string(e.what()).find("No such file"), std::string::npos);
  }
  EXPECT_THROW(read_file(folder), Error);
}

TEST_F(FileTest, KnowsTheSha256OfAFile) {
  std::ofstream(folder / "abc") << "abc";
  EXPECT_EQ(sha256_of_file(folder / "abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_F(FileTest, ATemporaryFolderGoesWithAllThatIsInIt) {
  fs::path path;
  {
    const TemporaryFolder temporary;
    path = temporary.path();
    write_file(path / "a", "x");
  }
  EXPECT_FALSE(path.empty());
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(FileTest, ATemporaryFolderWithoutAPlaceIsAnErrorOfOurs) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  ::setenv("TMPDIR", (folder / "absent").c_str(), 1);
  EXPECT_THROW(TemporaryFolder(), Error);
  before ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
}

TEST_F(FileTest, WritesThroughALinkAndLeavesItALink) {
  write_file(folder / "real", "old");
  fs::create_symlink(folder / "real", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "real"), "new");
  EXPECT_EQ(entries(), 2u);
}

}  // namespace
}  // namespace strobe
