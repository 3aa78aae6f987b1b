// SPDX-License-Identifier: Apache-2.0
#include "python/garbage.h"

namespace strobe::python {
namespace {

// New objects that may be in cycles. Python itself begins at 700 to 2,000 of them; a few megabytes may wait for the end
// of a round.
constexpr int kEnough = 50'000;

}  // namespace

GarbagePause::GarbagePause()
    : was_enabled_(PyGC_IsEnabled() != 0), count_(nb::module_::import_("gc").attr("get_count")) {
  PyGC_Disable();
}

GarbagePause::~GarbagePause() {
  if (was_enabled_) PyGC_Enable();
}

void GarbagePause::between_rounds() {
  if (!was_enabled_ || nb::cast<int>(count_()[0]) < kEnough) return;
  const auto begin = std::chrono::steady_clock::now();
  // PyGC_Collect does nothing while collections are disabled.
  PyGC_Enable();
  PyGC_Collect();
  PyGC_Disable();
  time_ += std::chrono::steady_clock::now() - begin;
  ++collections_;
}

void describe_garbage(const GarbagePause& garbage, std::uint64_t requests, Scalars& facts) {
  if (garbage.collections() == 0) return;
  const double ns = std::chrono::duration<double, std::nano>(garbage.time()).count();
  facts["garbage_collections"] = static_cast<std::int64_t>(garbage.collections());
  facts["garbage_collection_ns"] = ns;
  if (requests > 0) facts["garbage_collection_ns_per_request"] = ns / static_cast<double>(requests);
}

}  // namespace strobe::python
