// SPDX-License-Identifier: Apache-2.0
// Times a training step, forward, loss, backward and the step of the optimiser, while it trains: which part takes how
// long, and what would a faster one gain?
//
//     training_step [SECONDS]     measure for at most this long; default 10
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <vector>

#include <strobe/strobe.h>

#include "mlp.h"

int main(int argc, char** argv) {
  const std::chrono::milliseconds at_most(argc > 1 ? static_cast<int>(1000 * std::atof(argv[1])) : 10'000);
  constexpr std::size_t kBatches = 8, kItems = 64;
  constexpr float kRate = 0.05f;
  const Shape shape;
  const std::vector<Batch> batches = clouds(shape, kBatches, kItems);
  Mlp network(shape);
  std::size_t steps = 0;
  float first = 0, last = 0;
  const auto batch = [&]() -> const Batch& { return batches[steps % kBatches]; };

  const auto forward = [&] { network.forward(batch()); };
  const auto loss = [&] {
    last = network.loss(batch());
    if (steps == 0) first = last;
  };
  const auto backward = [&] { network.backward(batch()); };
  const auto step = [&] {
    network.step(kRate);
    ++steps;
  };

  const strobe::Record r =
      strobe::pipeline({{"forward", forward}, {"loss", loss}, {"backward", backward}, {"step", step}},
                       {.name = "a training step", .max_time = at_most});
  std::cout << strobe::text(r);
  std::cout << (last < first ? "loss fell" : "loss did not fall:") << " from " << first << " to " << last << " in "
            << steps << " steps\n";
  return last < first ? 0 : 1;
}
