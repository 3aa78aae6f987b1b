// SPDX-License-Identifier: Apache-2.0
// A tiny network by hand: one hidden layer, softmax and cross entropy, plain gradient descent. All that a training step
// computes, in its four parts, and nothing that a framework adds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

struct Shape {
  std::size_t inputs = 32, hidden = 64, classes = 10;
};

struct Batch {
  std::vector<float> values;  // a row for each item
  std::vector<std::size_t> labels;

  std::size_t items() const { return labels.size(); }
};

// A cloud of points around a centre for each class: what such a network learns in a few hundred steps.
inline std::vector<Batch> clouds(const Shape& shape, std::size_t batches, std::size_t items) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> centres(shape.classes * shape.inputs);
  for (float& x : centres) x = normal(random);
  std::vector<Batch> all(batches);
  for (Batch& b : all) {
    for (std::size_t i = 0; i < items; ++i) {
      const std::size_t label = i % shape.classes;
      b.labels.push_back(label);
      for (std::size_t k = 0; k < shape.inputs; ++k)
        b.values.push_back(centres[label * shape.inputs + k] + 0.5f * normal(random));
    }
  }
  return all;
}

// y = x W + b, and what the loss changes by where W, b and x do.
struct Layer {
  std::size_t in, out;
  std::vector<float> weights = std::vector<float>(in * out), bias = std::vector<float>(out);
  std::vector<float> weights_gradient = std::vector<float>(in * out), bias_gradient = std::vector<float>(out);

  void forward(const std::vector<float>& x, std::vector<float>& y) const {
    const std::size_t items = x.size() / in;
    y.resize(items * out);
    for (std::size_t n = 0; n < items; ++n) {
      for (std::size_t o = 0; o < out; ++o) y[n * out + o] = bias[o];
      for (std::size_t i = 0; i < in; ++i)
        for (std::size_t o = 0; o < out; ++o) y[n * out + o] += x[n * in + i] * weights[i * out + o];
    }
  }

  void backward(const std::vector<float>& x, const std::vector<float>& y_gradient, std::vector<float>& x_gradient) {
    const std::size_t items = x.size() / in;
    weights_gradient.assign(in * out, 0);
    bias_gradient.assign(out, 0);
    x_gradient.assign(items * in, 0);
    for (std::size_t n = 0; n < items; ++n) {
      for (std::size_t o = 0; o < out; ++o) bias_gradient[o] += y_gradient[n * out + o];
      for (std::size_t i = 0; i < in; ++i)
        for (std::size_t o = 0; o < out; ++o) {
          weights_gradient[i * out + o] += x[n * in + i] * y_gradient[n * out + o];
          x_gradient[n * in + i] += weights[i * out + o] * y_gradient[n * out + o];
        }
    }
  }

  void step(float rate) {
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= rate * weights_gradient[i];
    for (std::size_t o = 0; o < out; ++o) bias[o] -= rate * bias_gradient[o];
  }
};

class Mlp {
 public:
  explicit Mlp(const Shape& shape) : first{shape.inputs, shape.hidden}, second{shape.hidden, shape.classes} {
    std::mt19937 random(2);
    for (Layer* layer : {&first, &second}) {
      std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(layer->in)));
      for (float& w : layer->weights) w = normal(random);
    }
  }

  void forward(const Batch& batch) {
    first.forward(batch.values, hidden_);
    for (float& h : hidden_) h = std::tanh(h);
    second.forward(hidden_, scores_);
  }

  // The mean over the batch. What it changes by where the scores do is kept for the way back.
  float loss(const Batch& batch) {
    const std::size_t items = batch.items(), classes = second.out;
    scores_gradient_.resize(scores_.size());
    float sum = 0;
    for (std::size_t n = 0; n < items; ++n) {
      const float* scores = &scores_[n * classes];
      float most = scores[0], all = 0;
      for (std::size_t c = 1; c < classes; ++c) most = std::max(most, scores[c]);
      for (std::size_t c = 0; c < classes; ++c) all += std::exp(scores[c] - most);
      sum -= scores[batch.labels[n]] - most - std::log(all);
      for (std::size_t c = 0; c < classes; ++c) {
        const float wanted = c == batch.labels[n] ? 1 : 0;
        scores_gradient_[n * classes + c] = (std::exp(scores[c] - most) / all - wanted) / static_cast<float>(items);
      }
    }
    return sum / static_cast<float>(items);
  }

  void backward(const Batch& batch) {
    second.backward(hidden_, scores_gradient_, hidden_gradient_);
    for (std::size_t i = 0; i < hidden_.size(); ++i) hidden_gradient_[i] *= 1 - hidden_[i] * hidden_[i];
    first.backward(batch.values, hidden_gradient_, values_gradient_);
  }

  void step(float rate) {
    first.step(rate);
    second.step(rate);
  }

  Layer first, second;

 private:
  std::vector<float> hidden_, scores_;  // of the last batch
  std::vector<float> scores_gradient_, hidden_gradient_, values_gradient_;
};
