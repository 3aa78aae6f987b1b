// SPDX-License-Identifier: Apache-2.0
#include "host/thread_count.h"

#include <filesystem>
#include <iterator>

namespace strobe {

std::size_t thread_count() {
  std::error_code failed;
  const std::filesystem::directory_iterator tasks("/proc/self/task", failed);
  return failed ? 0 : static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

}  // namespace strobe
