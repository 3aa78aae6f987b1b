// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/npy.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "host/file.h"

namespace strobe {
namespace {

struct Descriptor {
  std::string_view text;
  TensorType type;
};
// bfloat16 has no code of its own: ml_dtypes writes it as two opaque bytes.
constexpr std::array kDescriptors{
    Descriptor{"<f2", TensorType::f16}, Descriptor{"<f4", TensorType::f32}, Descriptor{"<f8", TensorType::f64},
    Descriptor{"|i1", TensorType::i8},  Descriptor{"<i2", TensorType::i16}, Descriptor{"<i4", TensorType::i32},
    Descriptor{"<i8", TensorType::i64}, Descriptor{"|u1", TensorType::u8},  Descriptor{"<u2", TensorType::u16},
    Descriptor{"<u4", TensorType::u32}, Descriptor{"<u8", TensorType::u64}, Descriptor{"|b1", TensorType::boolean},
    Descriptor{"|V2", TensorType::bf16}};

[[noreturn]] void refuse_npy(const std::string& name, std::string cause) {
  throw Error(ErrorCode::bad_input, fmt::format("cannot read '{}'", name), std::move(cause),
              "Save it with numpy.save as a plain array.");
}

// The text behind 'key': in the header, which is a Python dictionary.
std::string_view value_of(std::string_view header, std::string_view key, const std::string& name) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) refuse_npy(name, fmt::format("its header has no '{}'", key));
  return trim(header.substr(at + key.size() + 3));
}

TensorType type_of(std::string_view header, const std::string& name) {
  const std::string_view v = value_of(header, "descr", name);
  const std::size_t end = v.size() > 1 ? v.find('\'', 1) : std::string_view::npos;
  if (v.empty() || v[0] != '\'' || end == std::string_view::npos)
    refuse_npy(name, "its elements are records, not numbers");
  const std::string_view text = v.substr(1, end - 1);
  for (const Descriptor& d : kDescriptors) {
    if (d.text == text) return d.type;
  }
  refuse_npy(name, fmt::format("its element type '{}' is not one of the dense types", text.substr(0, 20)));
}

std::vector<std::int64_t> shape_of(std::string_view header, const std::string& name) {
  std::string_view v = value_of(header, "shape", name);
  const std::size_t end = v.find(')');
  if (v.empty() || v[0] != '(' || end == std::string_view::npos) refuse_npy(name, "its shape cannot be read");
  std::vector<std::int64_t> shape;
  for (std::string_view part : split(v.substr(1, end - 1), ',')) {
    part = trim(part);
    if (part.empty()) continue;
    std::int64_t d = 0;
    const auto [stop, code] = std::from_chars(part.data(), part.data() + part.size(), d);
    if (code != std::errc() || stop != part.data() + part.size() || d < 0) refuse_npy(name, "its shape cannot be read");
    shape.push_back(d);
  }
  return shape;
}

}  // namespace

NpyArray parse_npy(std::string_view file, const std::string& name) {
  if (!file.starts_with("\x93NUMPY") || file.size() < 12) refuse_npy(name, "it is not a .npy file");
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(file[i])); };
  const bool old = byte(6) == 1;
  const std::size_t start = old ? 10 : 12;
  const std::size_t length = byte(8) | byte(9) << 8 | (old ? 0 : byte(10) << 16 | byte(11) << 24);
  if (file.size() < start || length > file.size() - start) refuse_npy(name, "it is cut off in the header");
  const std::string_view header = file.substr(start, length);
  NpyArray a;
  a.type = type_of(header, name);
  a.shape = shape_of(header, name);
  if (value_of(header, "fortran_order", name).starts_with("True") && a.shape.size() > 1)
    refuse_npy(name, "it is stored in Fortran order");
  std::uint64_t bytes = size_of(a.type);
  for (const std::int64_t d : a.shape) {
    if (d != 0 && bytes > (std::uint64_t{1} << 62) / static_cast<std::uint64_t>(d))
      refuse_npy(name, "its shape overflows");
    bytes *= static_cast<std::uint64_t>(d);
  }
  const std::string_view data = file.substr(start + length);
  if (data.size() < bytes) refuse_npy(name, fmt::format("it is cut off: {} bytes of {} are there", data.size(), bytes));
  a.data = data.substr(0, bytes);
  return a;
}

NpyArray read_npy(const std::filesystem::path& path) {
  return parse_npy(read_file(path), path.string());
}

}  // namespace strobe
