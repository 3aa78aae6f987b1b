// SPDX-License-Identifier: Apache-2.0
// `measure_fresh`: the same measurement of several fresh objects in this process, one after the other. What a load
// draws (where memory, streams and threads come to lie) is in the interval; what a process draws is not: launches do
// that (study/launches.h), which a function of the caller's cannot have.
#pragma once

#include <functional>
#include <memory>

#include <strobe/measure.h>

namespace strobe {

using LoadWorkload = std::function<std::unique_ptr<Workload>()>;

// As many loads as the effort, the user and the time allow; each is destroyed before the next.
Record measure_loads(const LoadWorkload&, const Options&);

}  // namespace strobe
