// SPDX-License-Identifier: Apache-2.0
// Measures while another thread may ask for a record of what was measured so far.
#pragma once

#include <optional>

#include "host/salvage.h"

namespace strobe {

// `measure` is given where to offer its result so far; `record_of` makes a record of that, on the other thread, while
// the one that measures is stuck: it must ask the device and the runtime nothing.
template <class Result, class Measure, class RecordOf>
Result measure_with_remains(Salvage* salvage, const Measure& measure, const RecordOf& record_of) {
  Remains<const Result*> remains;
  const Salvage::Offer offer(salvage, [&]() -> std::optional<Record> {
    const Result* so_far = remains.take();
    if (!so_far) return std::nullopt;
    return record_of(*so_far);
  });
  return measure(&remains);
}

}  // namespace strobe
