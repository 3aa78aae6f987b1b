// SPDX-License-Identifier: Apache-2.0
#include "record/idle_words.h"

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"

namespace strobe {

// As somebody typed it, without digits that say nothing.
std::string pause_text(double pause_ns) {
  const UnitPrefix p = unit_prefix(pause_ns, unit::ns);
  return fmt::format("{:.6g} {}", pause_ns / p.scale, p.unit);
}

std::string idle_label(double pause_ns, bool random) {
  return fmt::format("after {} idle{}", pause_text(pause_ns), random ? " (Poisson)" : "");
}

}  // namespace strobe
