// SPDX-License-Identifier: Apache-2.0
// What requests after a pause are called, everywhere.
#pragma once

#include <string>

namespace strobe {

std::string pause_text(double pause_ns);               // "10 ms", "1.5 s"
std::string idle_label(double pause_ns, bool random);  // "after 10 ms idle", "after 10 ms idle (Poisson)"

}  // namespace strobe
