// SPDX-License-Identifier: Apache-2.0
#include "stats/outliers.h"

#include <algorithm>
#include <cmath>

#include "stats/mean.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

// The samples around one position, kept sorted: a step replaces one of them and moves only those between.
class SortedWindow {
 public:
  explicit SortedWindow(std::span<const double> values) : sorted_(values.begin(), values.end()) {
    std::sort(sorted_.begin(), sorted_.end());
  }

  void replace(double leaving, double entering) {
    const auto gap = std::lower_bound(sorted_.begin(), sorted_.end(), leaving);
    if (entering >= leaving) {
      const auto place = std::lower_bound(gap + 1, sorted_.end(), entering);
      std::move(gap + 1, place, gap);
      *(place - 1) = entering;
    } else {
      const auto place = std::upper_bound(sorted_.begin(), gap, entering);
      std::move_backward(place, gap, gap + 1);
      *place = entering;
    }
  }

  std::span<const double> sorted() const { return sorted_; }

 private:
  std::vector<double> sorted_;
};

bool outside(double x, std::span<const double> sorted, double tick) {
  const double band = std::max(3 * (quantile(sorted, 0.9) - quantile(sorted, 0.1)), 4 * tick);
  return std::abs(x - median(sorted)) > band;
}

std::vector<std::uint32_t> labelled(std::span<const double> values, double tick) {
  std::vector<std::uint32_t> out;
  const std::size_t width = std::min(values.size(), kOutlierWindow);
  SortedWindow window(values.first(width));
  std::size_t begin = 0;  // of the window: centred on the sample, held inside the series
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > begin + width / 2 && begin + width < values.size()) {
      window.replace(values[begin], values[begin + width]);
      ++begin;
    }
    if (outside(values[i], window.sorted(), tick)) out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

}  // namespace

Outliers find_outliers(std::span<const double> values, double tick) {
  Outliers o;
  if (values.empty()) return o;
  o.index = labelled(values, std::max(tick, 0.0));
  double time = 0;
  for (const std::uint32_t i : o.index) {
    time += values[i];
    if (i < values.size() / 20) ++o.early;
    if (!o.largest || values[i] > values[*o.largest]) o.largest = i;
  }
  const auto n = static_cast<double>(values.size());
  o.share = static_cast<double>(o.index.size()) / n;
  const double total = mean(values) * n;
  o.time_share = total > 0 ? std::clamp(time / total, 0.0, 1.0) : 0;
  return o;
}

}  // namespace strobe::stats
