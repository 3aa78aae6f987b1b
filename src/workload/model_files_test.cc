// SPDX-License-Identifier: Apache-2.0
#include "workload/model_files.h"

#include <fstream>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "host/file.h"
#include "workload/runtime/onnx_files.h"

namespace strobe {
namespace {

// A field of protobuf whose value has a length. All of these are shorter than 128 bytes.
std::string field(int number, const std::string& value) {
  std::string tag(1, static_cast<char>((number << 3 | 2) & 0x7f));
  if (number > 15) tag = {static_cast<char>((number << 3 | 2) | 0x80), static_cast<char>(number >> 4)};
  return tag + static_cast<char>(value.size()) + value;
}

std::string tensor_in(const std::string& location) {
  const std::string name = field(8, "w"), raw = field(9, std::string(30, '\x2a')), place = "\x70\x01";
  return name + raw + field(13, field(1, "offset") + field(2, "4096")) +
         field(13, field(1, "location") + field(2, location)) + place;
}

class ModelFiles : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const auto path = folder_.path() / name;
    write_file(path, text);
    return path;
  }
  // A model with one tensor in its graph.
  std::filesystem::path model(const std::string& location) const {
    return write("m.onnx", "\x08\x08" + field(7, field(5, tensor_in(location))));
  }

  TemporaryFolder folder_;
};

TEST_F(ModelFiles, FindsWeightsWhereverAGraphCanHaveThem) {
  const std::string in_attribute = field(1, field(5, field(5, tensor_in("b.bin"))));
  const std::string in_branch = field(1, field(5, field(6, field(5, tensor_in("c.bin")))));
  const std::string sparse = field(15, field(1, tensor_in("d.bin")));
  const std::string function = field(25, field(7, field(5, field(5, tensor_in("e.bin")))));
  const auto path = write("m.onnx", field(7, field(5, tensor_in("a.bin"))) + field(7, in_attribute) +
                                        field(7, in_branch) + field(7, sparse) + function);
  EXPECT_EQ(external_data_of(path), (std::set<std::string>{"a.bin", "b.bin", "c.bin", "d.bin", "e.bin"}));
}

TEST_F(ModelFiles, TellWhatTheirMakerWroteIntoThem) {
  const auto property = [](const std::string& key, const std::string& value) {
    return field(14, field(1, key) + field(2, value));
  };
  const auto path = write(
      "m.onnx", property("location", "nowhere") + field(7, field(5, tensor_in("a.bin"))) + property("usual", "1x4"));
  EXPECT_EQ(onnx_metadata(path), (std::map<std::string, std::string>{{"location", "nowhere"}, {"usual", "1x4"}}));
  EXPECT_EQ(external_data_of(path), (std::set<std::string>{"a.bin"}));
  EXPECT_TRUE(onnx_metadata(write("text", "usual 1x4\n")).empty());
}

TEST_F(ModelFiles, OfOpenVinoKeepWeightsUnderTheSameName) {
  OpenOptions o;
  o.model = write("m.xml", "<net/>").string();
  EXPECT_EQ(files_read(o), (std::vector<std::filesystem::path>{o.model, folder_.path() / "m.bin"}));
  ModelInfo info;
  fingerprint(o.model, info);
  EXPECT_TRUE(info.files.empty());  // a model without weights may have no such file
  write("m.bin", "w");
  fingerprint(o.model, info);
  ASSERT_EQ(info.files.size(), 1u);
  EXPECT_EQ(info.files[0].name, "m.bin");
}

TEST_F(ModelFiles, FindsNoneInWhatIsNoModel) {
  EXPECT_TRUE(external_data_of(folder_.path() / "missing").empty());
  EXPECT_TRUE(external_data_of(folder_.path()).empty());
  EXPECT_TRUE(external_data_of(write("empty", "")).empty());
  EXPECT_TRUE(external_data_of(write("text", "location weights.bin\n")).empty());
  EXPECT_TRUE(external_data_of(write("cut", field(7, field(5, tensor_in("a.bin"))).substr(0, 20))).empty());
  EXPECT_TRUE(external_data_of(write("huge", "\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f")).empty());
  std::string deep = "x";
  for (int i = 0; i < 25; ++i) deep = field(7, deep);
  EXPECT_TRUE(external_data_of(write("deep", deep)).empty());
}

TEST_F(ModelFiles, AreReadByTheModelsThatReferToThem) {
  OpenOptions o;
  o.model = model("w.bin").string();
  o.input["x"] = "x.npy";
  EXPECT_EQ(files_read(o), (std::vector<std::filesystem::path>{o.model, folder_.path() / "w.bin", "x.npy"}));
  o.model = "sim:tiny";
  EXPECT_EQ(files_read(o), (std::vector<std::filesystem::path>{"x.npy"}));
}

TEST_F(ModelFiles, HaveChangedWhenAnyOfThemHas) {
  ModelInfo info;
  info.path = model("w.bin").string();
  write("w.bin", "old");
  fingerprint(info.path, info);
  ASSERT_EQ(info.files.size(), 1u);
  EXPECT_EQ(info.files[0].name, "w.bin");
  check_unchanged(info);
  write("w.bin", "new");
  EXPECT_THROW(check_unchanged(info), Error);
  write("w.bin", "old");
  check_unchanged(info);
  std::filesystem::remove(folder_.path() / "w.bin");
  EXPECT_THROW(check_unchanged(info), Error);
  write("w.bin", "old");
  write("m.onnx", "another");
  try {
    check_unchanged(info);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::changed);
  }
}

TEST_F(ModelFiles, WereTouchedWhenTheyWereWrittenAgain) {
  const auto path = model("w.bin");
  write("w.bin", "old");
  const FileStamps before(path);
  before.check_untouched();
  write("w.bin", "new");
  EXPECT_THROW(before.check_untouched(), Error);
}

}  // namespace
}  // namespace strobe
