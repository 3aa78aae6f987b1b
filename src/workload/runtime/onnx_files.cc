// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnx_files.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>

namespace strobe {
namespace {

enum class Message { model, training, function, graph, node, attribute, sparse, tensor, entry, property };

// Where tensors hide in a model: fields of onnx.proto that hold a message which may hold one.
struct Inner {
  Message outer;
  std::uint64_t field;
  Message message;
};
constexpr std::array<Inner, 21> kInner{
    {{Message::model, 7, Message::graph},         {Message::model, 20, Message::training},
     {Message::model, 25, Message::function},     {Message::training, 1, Message::graph},
     {Message::training, 2, Message::graph},      {Message::function, 7, Message::node},
     {Message::function, 11, Message::attribute}, {Message::graph, 1, Message::node},
     {Message::graph, 5, Message::tensor},        {Message::graph, 15, Message::sparse},
     {Message::node, 5, Message::attribute},      {Message::attribute, 5, Message::tensor},
     {Message::attribute, 6, Message::graph},     {Message::attribute, 10, Message::tensor},
     {Message::attribute, 11, Message::graph},    {Message::attribute, 22, Message::sparse},
     {Message::attribute, 23, Message::sparse},   {Message::sparse, 1, Message::tensor},
     {Message::sparse, 2, Message::tensor},       {Message::tensor, 13, Message::entry},
     {Message::model, 14, Message::property}}};
constexpr std::uint64_t kEntryKey = 1, kEntryValue = 2;
constexpr int kDeepest = 100;                 // as protobuf itself reads
constexpr std::uint64_t kLongestName = 4096;  // of a key or a path

std::optional<Message> inner_message(Message outer, std::uint64_t field) {
  const auto it =
      std::find_if(kInner.begin(), kInner.end(), [&](const Inner& i) { return i.outer == outer && i.field == field; });
  return it == kInner.end() ? std::nullopt : std::optional(it->message);
}

// The wire format of protobuf, by skipping over everything that is not asked for: weights are never read.
class Walk {
 public:
  explicit Walk(const std::filesystem::path& file) : in_(file, std::ios::binary) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(file, unknown);
    if (!unknown && in_) message(Message::model, size, 0);
  }

  const std::set<std::string>& locations() const { return found_; }
  const std::map<std::string, std::string>& properties() const { return properties_; }

 private:
  enum Wire : std::uint64_t { kVarint = 0, kFixed64 = 1, kLength = 2, kFixed32 = 5 };

  // False: the bytes are no message, or there are none left.
  bool message(Message m, std::uint64_t end, int depth) {
    std::string key, value;
    while (at_ < end) {
      const auto tag = varint();
      if (!tag) return false;
      const std::uint64_t field = *tag >> 3, wire = *tag & 7;
      if (wire != kLength) {
        if (!skip_number(wire)) return false;
        continue;
      }
      const auto length = varint();
      if (!length || *length > end - at_) return false;
      const auto inner = inner_message(m, field);
      if (inner && depth < kDeepest) {
        if (!message(*inner, at_ + *length, depth + 1)) return false;
      } else if ((m == Message::entry || m == Message::property) && *length <= kLongestName &&
                 (field == kEntryKey || field == kEntryValue)) {
        if (!text(*length, field == kEntryKey ? key : value)) return false;
      } else if (!skip(*length)) {
        return false;
      }
    }
    if (m == Message::entry && key == "location" && !value.empty()) found_.insert(value);
    if (m == Message::property) properties_[key] = value;
    return at_ == end;
  }

  std::optional<std::uint64_t> varint() {
    std::uint64_t x = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const int byte = in_.get();
      if (byte == std::ifstream::traits_type::eof()) return std::nullopt;
      ++at_;
      x |= (static_cast<std::uint64_t>(byte) & 0x7f) << shift;
      if (!(byte & 0x80)) return x;
    }
    return std::nullopt;
  }

  bool skip_number(std::uint64_t wire) {
    if (wire == kVarint) return varint().has_value();
    return wire == kFixed64 ? skip(8) : wire == kFixed32 && skip(4);
  }

  bool skip(std::uint64_t bytes) {
    constexpr std::uint64_t kNear = 1024;  // a seek throws the buffer away
    at_ += bytes;
    if (bytes <= kNear)
      in_.ignore(static_cast<std::streamsize>(bytes));
    else
      in_.seekg(static_cast<std::streamoff>(at_));
    return in_.good();
  }

  bool text(std::uint64_t bytes, std::string& into) {
    into.resize(bytes);
    in_.read(into.data(), static_cast<std::streamsize>(bytes));
    at_ += bytes;
    return in_.good();
  }

  std::ifstream in_;
  std::uint64_t at_ = 0;
  std::set<std::string> found_;
  std::map<std::string, std::string> properties_;
};

}  // namespace

std::set<std::string> external_data_of(const std::filesystem::path& model) {
  return Walk(model).locations();
}

std::map<std::string, std::string> onnx_metadata(const std::filesystem::path& model) {
  return Walk(model).properties();
}

}  // namespace strobe
