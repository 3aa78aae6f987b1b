// SPDX-License-Identifier: Apache-2.0
// Measures a workload that a lambda cannot describe: a pipeline of two stages over batches of eight images, with two
// sets of inputs in turn and outputs that are checked. Throughput is in images, not in batches.
//
//     custom_workload [SECONDS]     measure for at most this long; default 10
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

#include <strobe/strobe.h>

constexpr std::size_t kBatch = 8;
constexpr std::size_t kPixels = 64 * 64;
constexpr std::size_t kClasses = 10;
constexpr std::size_t kSets = 2;

class Pipeline final : public strobe::Workload {
 public:
  explicit Pipeline(strobe::Device& device) : stream_(strobe::open_stream(device)) {
    for (std::size_t set = 0; set < kSets; ++set)
      for (std::size_t i = 0; i < images_[set].size(); ++i)
        images_[set][i] = static_cast<std::uint8_t>(i * (7 + set) % 251);
    for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = std::sin(static_cast<float>(i));
  }

  void submit(std::size_t request) override {
    normalise(images_[request % kSets]);
    classify();
  }
  strobe::Stream& stream() override { return *stream_; }
  std::size_t items() const override { return kBatch; }
  std::size_t input_sets() const override { return kSets; }

  // A workload with wrong outputs is invalid, however fast it is.
  std::optional<strobe::OutputCheck> check() override {
    const std::vector<float> first = scores_of(0), second = scores_of(1);
    strobe::OutputCheck seen;
    seen.finite = std::all_of(first.begin(), first.end(), [](float x) { return std::isfinite(x); });
    seen.repeatable = scores_of(0) == first;
    seen.distinct = first != second;
    return seen;
  }

 private:
  void normalise(const std::vector<std::uint8_t>& images) {
    std::transform(images.begin(), images.end(), pixels_.begin(),
                   [](std::uint8_t x) { return static_cast<float>(x) / 127.5f - 1; });
  }

  void classify() {
    for (std::size_t image = 0; image < kBatch; ++image)
      for (std::size_t c = 0; c < kClasses; ++c) {
        float sum = 0;
        for (std::size_t p = 0; p < kPixels; ++p) sum += pixels_[image * kPixels + p] * weights_[c * kPixels + p];
        scores_[image * kClasses + c] = sum;
      }
  }

  std::vector<float> scores_of(std::size_t request) {
    submit(request);
    stream_->synchronize();
    return scores_;
  }

  std::unique_ptr<strobe::Stream> stream_;
  std::vector<std::uint8_t> images_[kSets] = {std::vector<std::uint8_t>(kBatch * kPixels),
                                              std::vector<std::uint8_t>(kBatch* kPixels)};
  std::vector<float> pixels_ = std::vector<float>(kBatch * kPixels);
  std::vector<float> weights_ = std::vector<float>(kClasses * kPixels);
  std::vector<float> scores_ = std::vector<float>(kBatch * kClasses);
};

int main(int argc, char** argv) {
  const std::chrono::milliseconds at_most(argc > 1 ? static_cast<int>(1000 * std::atof(argv[1])) : 10'000);
  const std::shared_ptr<strobe::Device> device = strobe::open_device("cpu");
  Pipeline pipeline(*device);
  const strobe::Record r =
      strobe::measure(pipeline, {.name = "normalise and classify", .effort = strobe::quick, .max_time = at_most});
  std::cout << strobe::text(r);
}
