// SPDX-License-Identifier: Apache-2.0
#include "study/selftest/checks.h"

#include <algorithm>
#include <utility>

namespace strobe {

Case checked(std::string name, std::string expected, std::string got, bool ok, std::string about) {
  Case c;
  c.name = std::move(name);
  c.check = {std::move(expected), std::move(got)};
  c.about = std::move(about);
  if (!ok) c.error = "not within its band: " + c.about;
  return c;
}

Verdict verdict_of_checks(std::span<const Case> cases) {
  const bool failed = std::any_of(cases.begin(), cases.end(), [](const Case& c) { return !c.error.empty(); });
  return failed ? Verdict::invalid : Verdict::trusted;
}

}  // namespace strobe
