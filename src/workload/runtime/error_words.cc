// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/error_words.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace strobe {
namespace {

constexpr std::array<std::string_view, 8> kMemory{"out of memory",       "can't allocate memory", "not enough memory",
                                                  "bad_alloc",           "bad allocation",        "Failed to allocate",
                                                  "Available memory of", "ALLOC_FAILED"};
// As CUDA calls them; "unknown error" alone is what others say, too.
constexpr std::array<std::string_view, 18> kLost{"illegal memory access",
                                                 "illegal instruction",
                                                 "misaligned address",
                                                 "unspecified launch failure",
                                                 "device-side assert",
                                                 "uncorrectable ECC",
                                                 "uncorrectable NVLink",
                                                 "launch timed out",
                                                 "context is destroyed",
                                                 "hardware stack error",
                                                 "global/shared address space",
                                                 "invalid program counter",
                                                 "peer GPU memory over nvlink or a hardware error",
                                                 "tensor memory not completely freed",
                                                 "MPS client has been terminated",
                                                 "error has occured in external entity",
                                                 "CUDA error: unknown error",
                                                 "CUDA failure 999"};

template <std::size_t N>
bool says_any(const std::string& text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return text.find(w) != std::string::npos; });
}

}  // namespace

Error error_by_words(const std::string& what, const std::string& cause) {
  if (says_any(cause, kMemory)) return Error(ErrorCode::out_of_memory, what, cause, "Use a smaller batch or shape.");
  if (says_any(cause, kLost))
    return Error(ErrorCode::device_lost, what, cause, "Run the model under compute-sanitizer to find the kernel.");
  return Error(ErrorCode::failed, what, cause);
}

Error seen_through(Error told, Stream& stream) {
  if (told.code() != ErrorCode::failed) return told;
  try {
    stream.synchronize();
  } catch (const Error& broken) {
    if (broken.code() == ErrorCode::device_lost)
      return Error(ErrorCode::device_lost, told.thing(), broken.cause(), broken.advice());
  }
  return told;
}

}  // namespace strobe
