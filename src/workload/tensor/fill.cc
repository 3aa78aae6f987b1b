// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/fill.h"

#include <algorithm>
#include <cstring>

namespace strobe {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 20;

std::optional<FloatFormat> device_format(const PlannedInput& in) {
  if (in.values || in.range) return std::nullopt;
  switch (in.type) {
    case TensorType::f16:
      return FloatFormat::f16;
    case TensorType::bf16:
      return FloatFormat::bf16;
    case TensorType::f32:
      return FloatFormat::f32;
    default:
      return std::nullopt;
  }
}

// Doubles what is there until all is full.
void repeat(Stream& stream, std::span<std::byte> to, std::size_t filled) {
  while (filled < to.size()) {
    const std::size_t n = std::min(filled, to.size() - filled);
    stream.copy(to.subspan(filled, n), to.first(n));
    stream.synchronize();
    filled += n;
  }
}

}  // namespace

void fill_input(Stream& stream, const PlannedInput& in, std::span<std::byte> to, std::uint64_t seed, std::size_t set,
                std::size_t repeats) {
  if (repeats > 1 && !in.values && in.batch_dimension == 0u && to.size() % repeats == 0) {
    fill_input(stream, in, to.first(to.size() / repeats), seed, set);
    return repeat(stream, to, to.size() / repeats);
  }
  Device& device = stream.device();
  const std::uint64_t mixed = seed + 0x9e3779b97f4a7c15u * (set + 1);
  const bool on_device = static_cast<bool>(device.memory());
  if (const auto format = device_format(in); on_device && format && device.fill_normal(stream, to, *format, mixed)) {
    stream.synchronize();
    return;
  }
  Random random(mixed);
  if (!on_device) {
    if (in.values)
      std::memcpy(to.data(), in.values->data.data(), in.values->data.size());
    else
      fill_random(in.type, to, random, in.range ? &*in.range : nullptr);
    return;
  }
  std::vector<std::byte> piece(std::min(to.size(), kPiece));
  for (std::size_t at = 0; at < to.size(); at += piece.size()) {
    const std::span part = std::span(piece).first(std::min(piece.size(), to.size() - at));
    if (in.values)
      std::memcpy(part.data(), in.values->data.data() + at, part.size());
    else
      fill_random(in.type, part, random, in.range ? &*in.range : nullptr);
    stream.copy(to.subspan(at, part.size()), part);
    stream.synchronize();  // the piece is used again
  }
}

std::vector<std::byte> read_back(Stream& stream, std::span<const std::byte> from) {
  std::vector<std::byte> bytes(from.size());
  stream.copy(bytes, from);
  stream.synchronize();
  return bytes;
}

void read_pieces(Stream& stream, std::span<const std::byte> from,
                 const std::function<void(std::span<const std::byte>)>& see) {
  for (std::size_t at = 0; at < from.size(); at += kPiece)
    see(read_back(stream, from.subspan(at, std::min(kPiece, from.size() - at))));
}

}  // namespace strobe
