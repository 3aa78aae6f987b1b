// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnxruntime/arena.h"

#include <cstdlib>
#include <memory>

namespace strobe::onnxruntime {
namespace {

// The interface is a table of functions that only ever grows, one table for all versions: each function has its place
// for good, which the library asserts when it is compiled. These are there from version 1.23 on.
constexpr int kWithStatistics = 23;
constexpr std::size_t kGetKeyValue = 297, kReleaseKeyValuePairs = 300, kAllocatorGetStats = 319;

struct Pairs;  // OrtKeyValuePairs
using GetKeyValue = const char*(ORT_API_CALL*)(const Pairs*, const char* key);
using ReleasePairs = void(ORT_API_CALL*)(Pairs*);
using GetStats = OrtStatus*(ORT_API_CALL*)(const OrtAllocator*, Pairs**);

template <class F>
F function_at(const OrtApi& api, std::size_t place) {
  return reinterpret_cast<const F*>(&api)[place];
}

int minor_of(const std::string& version) {
  return std::atoi(version.substr(version.find('.') + 1).c_str());
}

std::uint64_t number_at(const OrtApi& api, const Pairs* pairs, const char* key) {
  const char* text = function_at<GetKeyValue>(api, kGetKeyValue)(pairs, key);
  return text ? std::strtoull(text, nullptr, 10) : 0;
}

}  // namespace

AllocatorReading arena_of(const Ort::Session& session, const OrtMemoryInfo* where, const std::string& version) {
  if (minor_of(version) < kWithStatistics)
    return {std::nullopt, "ONNX Runtime tells of its arena from version 1.23 on, and this is " + version};
  const OrtApi& api = Ort::GetApi();
  const Ort::Allocator allocator(session, where);
  Pairs* raw = nullptr;
  Ort::ThrowOnError(function_at<GetStats>(api, kAllocatorGetStats)(allocator, &raw));
  const std::unique_ptr<Pairs, ReleasePairs> pairs(raw, function_at<ReleasePairs>(api, kReleaseKeyValuePairs));
  AllocatorState state{.name = "ONNX Runtime's arena",
                       .in_use = number_at(api, raw, "InUse"),
                       .reserved = number_at(api, raw, "TotalAllocated"),
                       .peak = number_at(api, raw, "MaxInUse")};
  if (state.reserved == 0) return {std::nullopt, "the session's allocator keeps no statistics: it has no arena"};
  return {state, {}};
}

}  // namespace strobe::onnxruntime
