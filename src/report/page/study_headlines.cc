// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/pipeline_ways.h"
#include "record/reported.h"
#include "record/scalars.h"
#include "report/method_errors.h"
#include "report/page/studies.h"
#include "report/search_answer.h"
#include "report/text/throughput_text.h"
#include "report/words.h"

namespace strobe::page {
namespace {

// "large 2.42 ms (5.9 %) · noise 37.6 ms (92 %)", as the method reads them, of the whole iteration.
std::string split(const Record& r, std::string_view method, double whole) {
  std::string text;
  for (const Case& c : r.cases) {
    if (c.name != method) continue;
    for (const Stage& stage : c.stages) {
      if (const Metric* m = known_metric(stage.metrics, metric::reading))
        text += fmt::format("{}{} {} ({})", text.empty() ? "" : " · ", stage.name,
                            figure(m->estimate.value, m->unit).plain(), format_percent(m->estimate.value / whole));
    }
  }
  return text;
}

std::optional<Headline> of_bound(const Record& r) {
  const std::string& bound = r.answer.bound;
  if (bound.empty()) return {};
  const std::string label =
      fmt::format("most with {} within {}", percentile_label(fact<double>(r.settings, "percentile").value_or(0.99)),
                  format_time(fact<double>(r.settings, "max_latency_ns").value_or(0)));
  const Metric* rate = r.find(metric::throughput);
  if (bound != bound_word::met || !rate)
    return Headline{label, escaped(bound == bound_word::cannot_tell ? "cannot tell" : "not met"), {}, {}};
  Headline h = headline_of_median(label, metric::throughput, *rate);
  const std::string undecided = undecided_text(r);
  h.aside = "by " + r.answer.bound_point + (undecided.empty() ? "" : "; " + undecided);
  if (const std::string how = how_loaded(r); !how.empty()) h.aside += "; " + how;
  return h;
}

std::optional<Headline> of_best_batch(const Record& r) {
  const auto best = r.answer.best_batch, fastest = r.answer.fastest_batch;
  if (!best) return {};
  Headline h{"best batch", escaped(fmt::format("{}", *best)), {}, {}};
  if (const Metric* rate = r.find(metric::throughput))
    h.sentence = "throughput " + figure(rate->estimate, rate->unit).plain();
  h.aside = how_loaded(r);
  if (fastest && fastest != best)
    h.aside += fmt::format("{}the smallest within 5 % of the fastest, {}", h.aside.empty() ? "" : "; ", *fastest);
  return h;
}

// There was no batch to search for.
std::optional<Headline> of_answer(const Record& r) {
  const Metric* rate = r.find(metric::throughput);
  if (!rate) return {};
  Headline h = headline_of_median(full_title(metric::throughput), metric::throughput, *rate);
  h.sentence = r.answer.fastest;
  h.aside = how_loaded(r);
  return h;
}

}  // namespace

std::optional<Headline> pipeline_headline(const Record& r) {
  const Metric* m = r.find(metric::latency);
  if (!m) return {};
  Headline h = headline_of_median("one iteration, undisturbed", metric::latency, *m);
  if (m->estimate.value > 0) h.sentence = split(r, pipeline_way::event, m->estimate.value);
  h.aside = counted(m->n, "iteration", "iterations");
  if (!r.launches.empty()) h.aside += fmt::format(" in {} launches", r.launches.size());
  if (const Metric* rate = r.find(metric::throughput); rate && r.pipeline.overlap)
    h.aside += fmt::format("; {} with {} in flight", figure(rate->estimate.value, rate->unit).plain(),
                           r.pipeline.overlap->in_flight);
  if (const auto& most = r.pipeline.marks_cost_at_most)
    h.aside += fmt::format("; marks around the stages cost at most {}", format_percent(*most));
  return h;
}

std::optional<Headline> search_headline(const Record& r) {
  if (const auto bound = of_bound(r)) return bound;
  const auto best = of_best_batch(r);
  return best ? best : of_answer(r);
}

// What is wrong comes first; the references are in a table.
std::optional<Headline> methods_headline(const Record& r) {
  const MethodErrors e = method_errors(r);
  if (e.usable == 0) return {};
  Headline h{"timing methods that are off by more than 5 %", escaped(fmt::format("{} of {}", e.off, e.usable)), {}, {}};
  if (e.worst)
    h.sentence = fmt::format("worst: {} reads {} where {} is {} ({})", e.worst->name, method_reading(*e.worst).text,
                             full_title(e.worst->claims), method_truth(*e.worst, r), difference_text(*e.worst));
  if (e.unusable > 0) h.aside = fmt::format("{} more cannot be judged here", e.unusable);
  return h;
}

std::optional<Headline> selftest_headline(const Record& r) {
  std::size_t passed = 0;
  for (const Case& c : r.cases) passed += c.error.empty();
  return Headline{"checks passed", escaped(fmt::format("{} of {}", passed, r.cases.size())), {}, {}};
}

std::optional<Headline> doctor_headline(const Record& r) {
  std::size_t present = 0;
  for (const Case& c : r.cases) present += c.error.empty();
  return Headline{"devices and runtimes", escaped(fmt::format("{} of {}", present, r.cases.size())), {}, "are present"};
}

}  // namespace strobe::page
