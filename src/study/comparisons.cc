#include "study/comparisons.h"

namespace strobe {
namespace {

const char* word_of(stats::Outcome outcome, bool rate) {
  switch (outcome) {
    case stats::Outcome::faster:
      return rate ? "slower" : "faster";  // the statistics speak of times
    case stats::Outcome::slower:
      return rate ? "faster" : "slower";
    case stats::Outcome::equivalent:
      return "equivalent";
    case stats::Outcome::cannot_tell:
      return "cannot-tell";
  }
  return "cannot-tell";
}

}  // namespace

bool is_rate(std::string_view metric) {
  return metric.ends_with("throughput");
}

Comparison to_comparison(std::string a, std::string b, std::string metric, const stats::RatioComparison& c) {
  Comparison out;
  out.outcome = word_of(c.outcome, is_rate(metric));
  out.a = std::move(a), out.b = std::move(b), out.metric = std::move(metric);
  out.ratio = {c.ratio.value, c.ratio.low, c.ratio.high, true, {}};
  out.pairs = c.pairs;
  out.needs = c.needs;
  return out;
}

}  // namespace strobe
