// SPDX-License-Identifier: Apache-2.0
// The example computes what it says: its gradients are those of its loss, and it learns.
#include "mlp.h"

#include <gtest/gtest.h>

namespace {

constexpr Shape kSmall{3, 4, 2};

float loss_of(Mlp& network, const Batch& batch) {
  network.forward(batch);
  return network.loss(batch);
}

// What the loss changes by where this number does, from two losses to either side.
float slope(Mlp& network, const Batch& batch, float& number) {
  constexpr float kAside = 1e-2f;
  const float here = number;
  number = here + kAside;
  const float above = loss_of(network, batch);
  number = here - kAside;
  const float below = loss_of(network, batch);
  number = here;
  return (above - below) / (2 * kAside);
}

TEST(TrainingStep, GoesBackToTheGradientsOfItsLoss) {
  const Batch batch = clouds(kSmall, 1, 6).front();
  Mlp network(kSmall);
  loss_of(network, batch);
  network.backward(batch);
  float largest = 0;
  for (Layer* layer : {&network.first, &network.second}) {
    const auto gradient = layer->weights_gradient, bias = layer->bias_gradient;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      EXPECT_NEAR(slope(network, batch, layer->weights[i]), gradient[i], 1e-3) << i;
      largest = std::max(largest, std::abs(gradient[i]));
    }
    for (std::size_t o = 0; o < bias.size(); ++o) EXPECT_NEAR(slope(network, batch, layer->bias[o]), bias[o], 1e-3);
  }
  EXPECT_GT(largest, 0.05f);
}

TEST(TrainingStep, BeginsWithTheLossOfGuessingAndLearns) {
  const Shape shape;
  const auto batches = clouds(shape, 8, 64);
  Mlp network(shape);
  EXPECT_NEAR(loss_of(network, batches.front()), std::log(10.0), 1.0);
  for (std::size_t i = 0; i < 400; ++i) {
    const Batch& batch = batches[i % batches.size()];
    loss_of(network, batch);
    network.backward(batch);
    network.step(0.05f);
  }
  EXPECT_LT(loss_of(network, batches.front()), 0.1);
}

}  // namespace
