// Does a batch compute what a batch of 1 computes? Large ones may overflow an index and still return.
#pragma once

#include <string>

#include "workload/open_model.h"

namespace strobe {

// The first and the last item of such a batch, all items being the same, against a batch of 1. Empty: they agree, or
// the outputs cannot be told apart by items.
std::string why_items_differ(const OpenOptions&, std::int64_t batch);

}  // namespace strobe
