// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/input_cache.h"

namespace strobe {

std::size_t InputCache::make(std::size_t inputs) {
  const std::size_t first = entries_.size();
  entries_.resize(first + inputs);
  return first;
}

bool InputCache::read(std::size_t input) {
  if (room_ == 0) return false;
  const bool there = entries_[input].cached;
  if (there)
    take_out(input);
  else if (cached_ == room_)
    take_out(oldest_);
  put_first(input);
  return there;
}

void InputCache::flush() {
  while (cached_ > 0) take_out(oldest_);
}

void InputCache::take_out(std::size_t input) {
  Entry& e = entries_[input];
  (e.newer == kNone ? newest_ : entries_[e.newer].older) = e.older;
  (e.older == kNone ? oldest_ : entries_[e.older].newer) = e.newer;
  e = {};
  --cached_;
}

void InputCache::put_first(std::size_t input) {
  entries_[input] = {.newer = kNone, .older = newest_, .cached = true};
  (newest_ == kNone ? oldest_ : entries_[newest_].newer) = input;
  newest_ = input;
  ++cached_;
}

}  // namespace strobe
