// SPDX-License-Identifier: Apache-2.0
#include "report/search_answer.h"

#include <array>
#include <cctype>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "record/study_info.h"
#include "report/words.h"

namespace strobe {
namespace {

struct AnswerKey {
  std::string_view name, help;
  std::optional<std::int64_t> SearchAnswer::* member;
};
constexpr std::array kAnswerKeys{
    AnswerKey{"best_batch", "The smallest batch within 5 % of the best rate.", &SearchAnswer::best_batch},
    AnswerKey{"largest_batch", "The largest batch that fits.", &SearchAnswer::largest_batch},
    AnswerKey{"bound_batch", "The batch of the best point within --max-latency.", &SearchAnswer::bound_batch}};

std::string with_interval(const Metric& m) {
  const Figure f = figure(m.estimate, m.unit);
  return fmt::format("{} {}{}{}", f.number, f.unit, f.interval.empty() ? "" : " ", f.interval);
}

// A search for joules leads with these.
std::string rate_text(const Record& r) {
  const Metric *rate = r.find(metric::throughput), *per_joule = r.find(metric::items_per_joule);
  if (per_joule && rate)
    return fmt::format("{}, at {}", with_interval(*per_joule), figure(rate->estimate.value, rate->unit).plain());
  return rate ? with_interval(*rate) : "";
}

std::string in_parentheses(const std::string& text) {
  return text.empty() ? "" : " (" + text + ")";
}

std::string bound_text(const Record& r, std::string_view outcome) {
  const std::string bound =
      fmt::format("within {}", format_time(fact<double>(r.settings, "max_latency_ns").value_or(0)));
  const std::string what = percentile_label(fact<double>(r.settings, "percentile").value_or(0.99));
  if (outcome == bound_word::met)
    return fmt::format("under load {} stays {} at {}, with {}{}", what, bound, rate_text(r), r.answer.bound_point,
                       in_parentheses(how_loaded(r)));
  if (outcome == bound_word::not_met)
    return fmt::format("under load {} does not stay {} at any point that was tried", what, bound);
  return fmt::format("cannot tell whether {} under load stays {} with these samples", what, bound);
}

std::string largest_text(const Record& r) {
  if (const auto largest = r.answer.largest_batch) return fmt::format("; the largest that fits is {}", *largest);
  const std::string& state = r.answer.largest_state;
  return state.empty() ? "" : fmt::format("; the largest: {}", state);
}

std::string best_text(const Record& r) {
  std::string rate = rate_text(r);
  if (rate.empty()) return "no point ran";
  const SearchAnswer& a = r.answer;
  rate += in_parentheses(how_loaded(r));
  if (!a.fixed_batch.empty()) return fmt::format("{}; there is no batch to choose: {}", rate, a.fixed_batch);
  if (!a.fastest.empty()) return fmt::format("best: {}, {}", a.fastest, rate);
  if (const auto best = a.best_batch) return fmt::format("best batch {}: {}", *best, rate);
  return rate;
}

bool is_search(const Record& r) {
  return study_info(r).answer == Answer::rate;
}

}  // namespace

std::string how_loaded(const Record& r) {
  if (!r.answer.in_flight || r.window_ns <= 0) return {};
  const std::int64_t streams = r.answer.streams.value_or(1);
  std::string text = fmt::format("closed loop, {} in flight", *r.answer.in_flight);
  if (streams > 1) text += fmt::format(" on each of {} streams", streams);
  text += fmt::format("; {} observed", format_time(r.window_ns));
  if (!r.launches.empty()) text += fmt::format(" in {} launches", r.launches.size());
  return text;
}

std::string search_sentence(const Record& r) {
  if (!is_search(r)) return {};
  const auto outcome = bound_outcome(r);
  std::string text = (outcome ? bound_text(r, *outcome) : best_text(r)) + largest_text(r) + ".";
  if (r.status == Status::interrupted) text = "so far: " + text;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::vector<AnswerNumber> search_numbers(const Record& r) {
  std::vector<AnswerNumber> numbers;
  if (!is_search(r)) return numbers;
  for (const AnswerKey& key : kAnswerKeys) {
    if (const auto value = r.answer.*key.member) numbers.push_back({key.name, key.help, *value});
  }
  return numbers;
}

std::optional<std::string> bound_outcome(const Record& r) {
  if (!is_search(r) || r.answer.bound.empty()) return std::nullopt;
  return r.answer.bound;
}

}  // namespace strobe
