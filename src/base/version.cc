// SPDX-License-Identifier: Apache-2.0
#include <strobe/version.h>

#include "base/build_info.h"

namespace strobe {

const char* version() noexcept {
  return kVersion;
}

}  // namespace strobe
