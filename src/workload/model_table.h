// SPDX-License-Identifier: Apache-2.0
// The options of a model, a row each: the members of `Model`.
#pragma once

#include <span>

#include <strobe/model.h>

#include "option/option.h"

namespace strobe {

std::span<const Option<Model>> model_table();

}  // namespace strobe
