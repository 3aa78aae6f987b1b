// SPDX-License-Identifier: Apache-2.0
#include "report/page/headline.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "record/scalars.h"
#include "report/best_point.h"
#include "report/comparison_answer.h"
#include "report/method_errors.h"
#include "report/page/markup.h"
#include "report/text/comparison_text.h"
#include "report/text/throughput_text.h"
#include "report/words.h"

namespace strobe::page {
namespace {

struct Headline {
  std::string label;
  Html figure, interval;
  std::string aside;
  std::string sentence = {};  // what the figure means, where it takes one
};

// Led by the median of a metric.
Headline of_median(std::string label, const std::string& name, const Metric& m) {
  const Figure f = figure(m.median, m.unit);
  return {std::move(label),
          number(m.median.value, name, "median", f.number + " " + f.unit),
          interval(m.median, name, "median", m.unit),
          {}};
}

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

// What a search calls best_batch, best_streams and so on are this case's settings.
bool is_best(const Case& c, const Scalars& answer) {
  for (const auto& [key, value] : answer) {
    const auto mine = key.starts_with("best_") ? c.settings.find(key.substr(5)) : c.settings.end();
    if (mine != c.settings.end() && scalar_text(mine->second) != scalar_text(value)) return false;
  }
  return true;
}

// "large 2.42 ms (5.9 %) · noise 37.6 ms (92 %)", as the method reads them, of the whole iteration.
std::string split(const Record& r, std::string_view method, double whole) {
  std::string text;
  for (const Case& c : r.cases) {
    if (c.name != method) continue;
    for (const Stage& stage : c.stages) {
      if (const Metric* m = known_metric(stage.metrics, metric::reading))
        text += fmt::format("{}{} {} ({})", text.empty() ? "" : " · ", stage.name,
                            figure(m->median.value, m->unit).plain(), format_percent(m->median.value / whole));
    }
  }
  return text;
}

std::optional<Headline> of_pipeline(const Record& r) {
  const Metric* m = r.find(metric::latency);
  if (r.verb != "pipeline" || !m) return {};
  Headline h = of_median("one iteration, undisturbed", metric::latency, *m);
  if (m->median.value > 0) h.sentence = split(r, "event", m->median.value);
  h.aside = counted(m->n, "iteration", "iterations");
  if (const auto most = fact<double>(r.answer, "marks_cost_at_most"))
    h.aside += fmt::format("; marks around the stages cost at most {}", format_percent(*most));
  return h;
}

std::optional<Headline> of_bound(const Record& r) {
  const std::string bound = setting(r.answer, "bound");
  if (bound.empty()) return {};
  const std::string label =
      fmt::format("most with {} within {}", percentile_label(fact<double>(r.settings, "percentile").value_or(0.99)),
                  format_time(fact<double>(r.settings, "max_latency_ns").value_or(0)));
  const Metric* rate = r.find(metric::throughput);
  if (bound != "met" || !rate)
    return Headline{label, escaped(bound == "cannot-tell" ? "cannot tell" : "not met"), {}, {}};
  Headline h = of_median(label, metric::throughput, *rate);
  const std::string undecided = undecided_text(r);
  h.aside = "by " + setting(r.answer, "bound_point") + (undecided.empty() ? "" : "; " + undecided);
  return h;
}

std::optional<Headline> of_search(const Record& r) {
  const std::string best = setting(r.answer, "best_batch");
  if (best.empty()) return {};
  Headline h{"best batch", escaped(best), {}, {}};
  for (const Case& c : r.cases) {
    const Metric* rate = known_metric(c.metrics, metric::throughput);
    if (!rate || !is_best(c, r.answer)) continue;
    h.sentence = "throughput " + figure(rate->median, rate->unit).plain();
    break;
  }
  const std::string fastest = setting(r.answer, "fastest_batch");
  if (!fastest.empty() && fastest != best) h.aside = fmt::format("the smallest within 5 % of the fastest, {}", fastest);
  return h;
}

std::string truth_text(const Case& c, const Record& r) {
  const Metric* truth = r.find(setting(c.settings, "claims"));
  return truth ? figure(truth->median.value, truth->unit).plain() : "unknown";
}

// What is wrong comes first; the references are in a table.
std::optional<Headline> of_methods(const Record& r) {
  const MethodErrors e = method_errors(r);
  if (r.verb != "methods" || e.usable == 0) return {};
  Headline h{"timing methods that are off by more than 5 %", escaped(fmt::format("{} of {}", e.off, e.usable)), {}, {}};
  if (e.worst)
    h.sentence = fmt::format("worst: {} reads {} where {} is {} ({})", e.worst->name, method_reading(*e.worst).text,
                             full_title(setting(e.worst->settings, "claims")), truth_text(*e.worst, r),
                             difference_text(*e.worst));
  if (e.unusable > 0) h.aside = fmt::format("{} more cannot be judged here", e.unusable);
  return h;
}

std::optional<Headline> of_metric(const Record& r) {
  const Metric* m = r.headline();
  if (!m) return {};
  const char* name = r.find(metric::latency) ? metric::latency : metric::reading;
  Headline h = of_median(fmt::format("{}, median{}", full_title(name), r.device.asynchronous ? ", without copies" : ""),
                         name, *m);
  h.aside = fmt::format("{} sample{}", format_count(m->n), m->n == 1 ? "" : "s");
  if (!r.launches.empty()) h.aside += fmt::format(" of {} launches", r.launches.size());
  if (r.window_ns > 0) h.aside += fmt::format(" in a window of {}", format_time(r.window_ns));
  if (r.startup.warmup_requests)
    h.aside += fmt::format(", steady after {}", counted(*r.startup.warmup_requests, "request", "requests"));
  if (!m->median.valid) h.aside += "; not bounded: " + m->median.why;
  return h;
}

std::optional<Headline> of_checks(const Record& r) {
  if (r.verb != "selftest") return {};
  std::size_t passed = 0;
  for (const Case& c : r.cases) passed += c.error.empty();
  return Headline{"checks passed", escaped(fmt::format("{} of {}", passed, r.cases.size())), {}, {}};
}

std::optional<Headline> of_parts(const Record& r) {
  if (r.verb != "doctor") return {};
  std::size_t present = 0;
  for (const Case& c : r.cases) present += c.error.empty();
  return Headline{"devices and runtimes", escaped(fmt::format("{} of {}", present, r.cases.size())), {}, "are present"};
}

std::optional<Headline> of_sweep(const Record& r) {
  const BestPoint best = best_point(r);
  if (r.cases.size() < 2 || !best.point) return {};
  const Metric& m = best.point->metrics.at(best.metric);
  Headline h = of_median(fmt::format("best {} of {} points", full_title(best.metric), r.cases.size()), best.metric, m);
  h.figure = number(m.median.value, best.metric, best.point->name,
                    figure(m.median, m.unit).number + " " + figure(m.median, m.unit).unit);
  h.interval = interval(m.median, best.metric, best.point->name, m.unit);
  h.sentence = best.point->name;
  const Case* quickest = quickest_point(r);
  if (quickest && best.metric != metric::latency)
    h.aside = fmt::format("lowest latency: {} with {}", format_time(quickest->metrics.at(metric::latency).median.value),
                          quickest->name);
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

// The first that has something to say.
constexpr std::array kHeadlines{of_pipeline, of_comparison, of_bound, of_search, of_methods,
                                of_metric,   of_checks,     of_parts, of_sweep,  of_cases};

}  // namespace

std::string figure_box(const Record& r) {
  for (const auto make : kHeadlines) {
    const auto h = make(r);
    if (!h) continue;
    std::string out =
        fmt::format(R"(<div><p class="aside">{}</p><p class="figure">{})", escaped(h->label).text, h->figure.text);
    if (!h->interval.text.empty()) out += fmt::format(R"( <small>95 % interval {}</small>)", h->interval.text);
    out += "</p>";
    if (!h->sentence.empty()) out += fmt::format(R"(<p class="reason">{}</p>)", unbroken(h->sentence).text);
    return out + fmt::format(R"(<p class="aside">{}</p></div>)", escaped(h->aside).text);
  }
  return {};
}

}  // namespace strobe::page
