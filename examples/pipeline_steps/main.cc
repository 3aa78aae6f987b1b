// SPDX-License-Identifier: Apache-2.0
// Times the steps of a small pipeline without slowing it: which step takes how long, and what would a faster one gain?
//
//     pipeline_steps [SECONDS]     measure for at most this long; default 10
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

#include <strobe/strobe.h>

int main(int argc, char** argv) {
  const std::chrono::milliseconds at_most(argc > 1 ? static_cast<int>(1000 * std::atof(argv[1])) : 10'000);
  std::vector<float> image(std::size_t{256} * 256);
  volatile float result = 0;

  const auto fill = [&] { std::iota(image.begin(), image.end(), 0.5f); };
  const auto scale = [&] {
    for (float& x : image) x = x * 2 + 1;
  };
  const auto sum = [&] { result = std::accumulate(image.begin(), image.end(), 0.0f); };

  const strobe::Record r =
      strobe::pipeline({{"fill", fill}, {"scale", scale}, {"sum", sum}}, {.name = "an image", .max_time = at_most});
  std::cout << strobe::text(r);
}
