// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/npy.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  if (version > 1) file += std::string(2, '\0');
  return file + header + data;
}

TEST(Npy, ReadsTypeShapeAndValues) {
  const NpyArray a =
      parse_npy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", std::string(24, 'x')), "a");
  EXPECT_EQ(a.type, TensorType::f32);
  EXPECT_EQ(a.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(a.data.size(), 24u);
}

TEST(Npy, ReadsScalarsVectorsAndTheSecondVersion) {
  EXPECT_TRUE(
      parse_npy(npy("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", std::string(8, 0)), "a").shape.empty());
  EXPECT_EQ(
      parse_npy(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }", std::string(4, 1), 2), "a").shape,
      std::vector<std::int64_t>{4});
}

TEST(Npy, SaysWhatIsWrongWithAFile) {
  const auto complaint = [](const std::string& file) {
    try {
      parse_npy(file, "a.npy");
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_input);
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  EXPECT_NE(complaint("").find("not a .npy file"), std::string::npos);
  EXPECT_NE(complaint("PK\x03\x04 something else").find("not a .npy file"), std::string::npos);
  EXPECT_NE(complaint(npy(good, std::string(20, 'x'))).find("cut off: 20 bytes of 24"), std::string::npos);
  EXPECT_NE(complaint(npy(good, "").substr(0, 30)).find("cut off in the header"), std::string::npos);
  EXPECT_NE(complaint(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }", "")).find("'<c8'"),
            std::string::npos);
  EXPECT_NE(complaint(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", std::string(24, 'x')))
                .find("Fortran"),
            std::string::npos);
  EXPECT_NE(complaint(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999), }", ""))
                .find("overflows"),
            std::string::npos);
  EXPECT_NE(
      complaint(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", "")).find("shape cannot be read"),
      std::string::npos);
  EXPECT_NE(complaint(npy("{'descr': '<f4', 'fortran_order': False}", "")).find("has no 'shape'"), std::string::npos);
  EXPECT_NE(complaint(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "")).find("records"),
            std::string::npos);
}

TEST(Npy, ReadsAHeaderOfMoreThan255Bytes) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }" + std::string(300, ' ') + "\n";
  for (const int version : {1, 2}) {
    const NpyArray a = parse_npy(npy(header, "abcdefgh", version), "a");
    EXPECT_EQ(std::string(a.data.begin(), a.data.end()), "abcdefgh");
  }
}

}  // namespace
}  // namespace strobe
