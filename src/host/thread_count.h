// SPDX-License-Identifier: Apache-2.0
// How many threads this process has now.
#pragma once

#include <cstddef>

namespace strobe {

std::size_t thread_count();  // 0 where the system does not tell

}  // namespace strobe
