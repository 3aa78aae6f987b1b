// SPDX-License-Identifier: Apache-2.0
// What only stands beside the figures must not take them with it: where it fails, it stays unknown.
#pragma once

#include <exception>

namespace strobe {

template <class F>
void if_possible(F&& add) {
  try {
    add();
  } catch (const std::exception&) {  // no memory for it beside the model, a runtime's own refusal
  }
}

}  // namespace strobe
