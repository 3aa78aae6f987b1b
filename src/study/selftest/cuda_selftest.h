// SPDX-License-Identifier: Apache-2.0
// `strobe selftest --device cuda`: kernels that spin for a known time and store when the GPU's own timer saw them begin
// and end, timed by every method. The truth comes from inside the kernel.
#pragma once

#include <functional>
#include <string>

#include <strobe/measure.h>
#include <strobe/record.h>

namespace strobe {

Record cuda_selftest(const std::string& device, const std::function<bool()>& stop,
                     const std::function<void(const Progress&)>& progress = {});

}  // namespace strobe
