// SPDX-License-Identifier: Apache-2.0
// Does a batch compute what the smallest computes? Large ones may overflow an index and still return.
#pragma once

#include <cstdint>
#include <string>

#include "workload/open_model.h"

namespace strobe {

// One request of such a batch, all items being the same: its first and its last item against those of the smallest
// batch that the model takes. Empty: they agree, or the outputs cannot be told apart by items. Both are loaded anew,
// from the files that were `measured`.
std::string check_batch(const OpenOptions&, const ModelInfo& measured, std::int64_t batch, std::int64_t smallest);

}  // namespace strobe
