// SPDX-License-Identifier: Apache-2.0
// Student's sleep data, whose Welch test is the example of R's t.test: t = 1.8608, 17.776 degrees, p = 0.07939,
// interval -0.2054832 to 3.3654832.
#pragma once

#include <vector>

namespace strobe::testing {

inline const std::vector<double> kSleepA{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
inline const std::vector<double> kSleepB{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

}  // namespace strobe::testing
