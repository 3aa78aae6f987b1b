// SPDX-License-Identifier: Apache-2.0
#include "stats/throughput.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/batches.h"
#include "stats/distributions.h"

namespace strobe::stats {
namespace {

constexpr std::size_t kFewestSegments = 4;

struct Span {
  double periods = 0;
  double seconds = 0;
};

std::vector<Span> usable(std::span<const Segment> segments, std::size_t fewest) {
  std::vector<Span> out;
  for (const Segment& s : segments) {
    if (s.completed < fewest || !(s.last > s.first)) continue;
    out.push_back({static_cast<double>(s.completed - 1), s.last - s.first});
  }
  return out;
}

Span sum(std::span<const Span> spans) {
  Span total;
  for (const Span& s : spans) {
    total.periods += s.periods;
    total.seconds += s.seconds;
  }
  return total;
}

// Half width of the period over `groups` groups of consecutive segments: the t interval of a ratio of sums.
double half_width(std::span<const Span> spans, std::size_t groups, Confidence c) {
  const Span all = sum(spans);
  const double period = all.seconds / all.periods;
  double squares = 0;
  for (const Range& r : even_parts(spans.size(), groups)) {
    const Span g = sum(spans.subspan(r.begin, r.size()));
    const double residual = g.seconds - period * g.periods;
    squares += residual * residual / g.periods;
  }
  const auto degrees = static_cast<double>(groups - 1);
  return student_t_quantile(1 - tail(c), degrees) * std::sqrt(squares / degrees / all.periods);
}

}  // namespace

Throughput throughput(std::span<const Segment> segments, std::size_t batch, Confidence c, std::size_t fewest) {
  const std::vector<Span> spans = usable(segments, std::max<std::size_t>(fewest, 2));
  Throughput t{.segments = spans.size()};
  if (spans.empty()) return t;
  const Span all = sum(spans);
  const auto items = static_cast<double>(batch);
  t.period.value = all.seconds / all.periods;
  t.items_per_second.value = items / t.period.value;
  if (spans.size() < kFewestSegments) return t;
  // Never narrower than segments taken as independent would give.
  const double half =
      std::max(half_width(spans, std::min(kBatches, spans.size()), c), half_width(spans, spans.size(), c));
  t.period.low = std::max(t.period.value - half, 0.0);
  t.period.high = t.period.value + half;
  t.items_per_second.low = items / *t.period.high;
  if (*t.period.low > 0) t.items_per_second.high = items / *t.period.low;
  return t;
}

}  // namespace strobe::stats
