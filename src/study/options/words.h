// SPDX-License-Identifier: Apache-2.0
// Options whose value is a word, and what the word means.
#pragma once

#include <array>

#include <strobe/measure.h>

#include "option/kinds.h"
#include "record/metric_names.h"
#include "study/options/efforts.h"

namespace strobe {

inline constexpr std::array kEffortWords = [] {
  std::array<kinds::Word<Effort>, kEfforts.size()> words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = {kEfforts[i].effort, kEfforts[i].word};
  return words;
}();
inline constexpr std::array kCacheWords{kinds::Word<Cache>{Cache::hot, "hot"}, kinds::Word<Cache>{Cache::cold, "cold"}};
inline constexpr std::array kIoWords{kinds::Word<Io>{Io::none, "none"}, kinds::Word<Io>{Io::runtime, "runtime"}};
inline constexpr std::array kPassWords{metric::latency, metric::span, metric::period};
inline constexpr std::array kCopyWords{kinds::Word<Copies>{Copies::none, "none"},
                                       kinds::Word<Copies>{Copies::serial, "serial"},
                                       kinds::Word<Copies>{Copies::overlapped, "overlapped"}};

}  // namespace strobe
