// SPDX-License-Identifier: Apache-2.0
#include "report/page/headline.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "report/best_point.h"
#include "report/comparison_answer.h"
#include "report/study_view.h"
#include "report/text/comparison_text.h"
#include "report/words.h"

namespace strobe::page {
namespace {

std::optional<Headline> of_comparison(const Record& r) {
  if (r.comparisons.empty()) return {};
  const Comparison c = leading(r.comparisons);
  const std::string words = fmt::format("{:.3f}×", c.ratio.value);
  Headline h{fmt::format("{} against {}: {}", c.b, c.a, full_title(c.metric)),
             number(c.ratio.value, c.metric, "ratio", words),
             {},
             {}};
  const std::vector<std::string> sentences = comparison_sentences(r);
  h.sentence = sentences.empty() ? comparison_phrase(c, r) : sentences.front();
  if (c.ratio.bounded()) h.interval = escaped(fmt::format("[{:.3f}, {:.3f}]", *c.ratio.low, *c.ratio.high));
  for (const FailOn& f : r.fail_on) h.sentence += "; " + fail_on_text(f);
  if (r.comparisons.size() > 1) h.aside = fmt::format("{} more below", r.comparisons.size() - 1);
  return h;
}

std::optional<Headline> of_metric(const Record& r) {
  const Metric* m = r.headline();
  if (!m) return {};
  const char* name = r.find(metric::latency) ? metric::latency : metric::reading;
  Headline h = headline_of_median(
      fmt::format("{}, median{}", full_title(name), r.device.asynchronous ? ", without copies" : ""), name, *m);
  h.aside = fmt::format("{} sample{}", format_count(m->n), m->n == 1 ? "" : "s");
  if (!r.launches.empty()) h.aside += " of " + launches_phrase(r);
  if (r.window_ns > 0) h.aside += fmt::format(" in a window of {}", format_time(r.window_ns));
  if (r.startup.warmup_requests)
    h.aside += fmt::format(", steady after {}", counted(*r.startup.warmup_requests, "request", "requests"));
  if (r.one_process) h.aside += fmt::format("; {}", kNotBetweenProcesses);
  if (!m->estimate.valid) h.aside += "; not bounded: " + m->estimate.why;
  return h;
}

std::optional<Headline> of_sweep(const Record& r) {
  const BestPoint best = best_point(r);
  if (r.cases.size() < 2 || !best.point) return {};
  const Metric& m = best.point->metrics.at(best.metric);
  Headline h =
      headline_of_median(fmt::format("best {} of {} points", full_title(best.metric), r.cases.size()), best.metric, m);
  h.figure = number(m.estimate.value, best.metric, best.point->name,
                    figure(m.estimate, m.unit).number + " " + figure(m.estimate, m.unit).unit);
  h.interval = interval(m.estimate, best.metric, best.point->name, m.unit);
  h.sentence = best.point->name;
  const Case* quickest = quickest_point(r);
  if (quickest && best.metric != metric::latency)
    h.aside = fmt::format("lowest latency: {} with {}",
                          format_time(quickest->metrics.at(metric::latency).estimate.value), quickest->name);
  if (best.rivals > 0)
    h.aside += fmt::format("{}{} other point{} may be as good: {}", h.aside.empty() ? "" : "; ", best.rivals,
                           best.rivals == 1 ? "" : "s",
                           best.rivals == 1 ? "its interval overlaps" : "their intervals overlap");
  const auto failed = std::count_if(r.cases.begin(), r.cases.end(), [](const Case& c) { return !c.error.empty(); });
  if (failed > 0) h.aside += fmt::format("{}{} could not be measured", h.aside.empty() ? "" : "; ", failed);
  return h;
}

std::optional<Headline> of_cases(const Record& r) {
  if (r.cases.empty()) return Headline{"figures", escaped("none"), {}, "nothing was measured"};
  const auto failed = std::count_if(r.cases.begin(), r.cases.end(), [](const Case& c) { return !c.error.empty(); });
  return Headline{"cases",
                  escaped(fmt::format("{}", r.cases.size())),
                  {},
                  failed > 0 ? fmt::format("{} could not be measured", failed) : ""};
}

}  // namespace

Headline headline_of_median(std::string label, const std::string& name, const Metric& m) {
  const Figure f = figure(m.estimate, m.unit);
  return {std::move(label),
          number(m.estimate.value, name, "median", f.number + " " + f.unit),
          interval(m.estimate, name, "median", m.unit),
          {}};
}

// The first that has something to say.
std::optional<Headline> measurement_headline(const Record& r) {
  constexpr std::array kHeadlines{of_comparison, of_metric, of_sweep, of_cases};
  for (const auto make : kHeadlines) {
    if (auto h = make(r)) return h;
  }
  return {};
}

std::optional<Headline> headline_of(const Record& r) {
  const auto own = study_view(r).headline(r);
  return own ? own : measurement_headline(r);
}

std::string figure_box(const Record& r) {
  const auto h = headline_of(r);
  if (!h) return {};
  std::string out =
      fmt::format(R"(<div><p class="aside">{}</p><p class="figure">{})", escaped(h->label).text, h->figure.text);
  if (!h->interval.text.empty()) out += fmt::format(R"( <small>95 % interval {}</small>)", h->interval.text);
  out += "</p>";
  if (!h->sentence.empty()) out += fmt::format(R"(<p class="reason">{}</p>)", unbroken(h->sentence).text);
  return out + fmt::format(R"(<p class="aside">{}</p></div>)", escaped(h->aside).text);
}

}  // namespace strobe::page
