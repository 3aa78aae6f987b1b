// SPDX-License-Identifier: Apache-2.0
// Measures a lambda: how long does a small matrix product take on this machine?
//
//     measure_lambda [SECONDS]     measure for at most this long; default 10
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iostream>

#include <strobe/strobe.h>

constexpr std::size_t kSize = 64;
using Matrix = std::array<std::array<float, kSize>, kSize>;

void multiply(const Matrix& a, const Matrix& b, Matrix& c) {
  c = {};
  for (std::size_t i = 0; i < kSize; ++i)
    for (std::size_t k = 0; k < kSize; ++k)
      for (std::size_t j = 0; j < kSize; ++j) c[i][j] += a[i][k] * b[k][j];
}

int main(int argc, char** argv) {
  const std::chrono::milliseconds at_most(argc > 1 ? static_cast<int>(1000 * std::atof(argv[1])) : 10'000);
  Matrix a, b, c;
  for (auto& row : a) row.fill(1.5f);
  for (auto& row : b) row.fill(0.5f);

  const strobe::Record r = strobe::measure(
      [&] { multiply(a, b, c); }, {.name = "64×64 matrix product", .effort = strobe::quick, .max_time = at_most});
  std::cout << strobe::text(r);
}
