// SPDX-License-Identifier: Apache-2.0
#include "study/merge_launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "record/reported.h"
#include "stats/middle.h"
#include "stats/quantile.h"
#include "study/cpus_seen.h"
#include "study/merge_energy.h"
#include "study/merge_idle.h"
#include "study/merge_metrics.h"
#include "verdict/judge.h"
#include "verdict/standing.h"

namespace strobe {
namespace {

// Is the stream of each launch a slow one? Empty where streams are alike. A process whose streams are all of one level
// does not know which: the others do.
std::vector<bool> slow_streams(const std::vector<Record>& launches) {
  std::vector<double> borders;
  for (const Record& r : launches) {
    const auto& s = r.observations.stream;
    if (s && s->fast_pause_ns && s->slow_pause_ns) borders.push_back((*s->fast_pause_ns + *s->slow_pause_ns) / 2);
  }
  std::vector<bool> slow;
  for (const Record& r : launches) {
    if (borders.empty() || !r.observations.stream) return {};
    slow.push_back(r.observations.stream->pause_ns > stats::median_of(borders));
  }
  return slow;
}

Metrics metrics_over(const std::vector<Record>& launches) {
  std::vector<const Metrics*> metrics;
  for (const Record& r : launches) metrics.push_back(&r.metrics);
  return merge_metrics(metrics, slow_streams(launches));
}

using SeenIn = std::vector<const Finding*>;  // a launch each

// 1 or -1; 0 for what has no direction, or none in this launch.
int direction_of(const Finding& f) {
  const auto sign = f.evidence.find(traits_of(f).sign);
  return sign == f.evidence.end() ? 0 : (sign->second > 0) - (sign->second < 0);
}

// The most launches that show it at least this gravely, the same way.
SeenIn alike(const SeenIn& seen, Severity least) {
  std::map<int, SeenIn> ways;
  for (const Finding* f : seen) {
    if (f->severity >= least) ways[direction_of(*f)].push_back(f);
  }
  SeenIn most;
  for (auto& [direction, way] : ways) {
    if (way.size() > most.size()) most = std::move(way);
  }
  return most;
}

// What one launch shows is among what differs between launches already. It is a doubt about all of them where nearly
// all have it, the same way, each with an effect that makes it a doubt there.
Finding weighed(const SeenIn& seen, std::size_t launches) {
  const auto graver = [](const Finding* a, const Finding* b) { return a->severity < b->severity; };
  Finding worst = **std::max_element(seen.begin(), seen.end(), graver);
  const Traits traits = traits_of(worst);
  if (!traits.within_launch) return worst;
  for (const Severity severity : {Severity::invalid, Severity::warning}) {
    const SeenIn same = alike(seen, severity);
    if (traits.of_interval || same.empty() || same.size() + 1 < launches) continue;
    Finding f = *same.front();
    f.severity = severity;
    return f;
  }
  worst.severity = Severity::note;
  return worst;
}

// Of the record or of a case; `like`: a launch. Loads in one process are one launch still.
std::vector<Finding> findings_over(const std::vector<const std::vector<Finding>*>& launches, const Record& like) {
  std::map<std::pair<std::string, std::string>, SeenIn> seen;
  for (const auto* findings : launches) {
    for (const Finding& f : *findings) {
      const Traits traits = traits_of(f);
      const bool counts = like.one_process || !traits.of_one_launch;
      if (counts && !traits.of_all) seen[{f.id, f.metric}].push_back(&f);
    }
  }
  std::vector<Finding> findings;
  for (const auto& [id, in] : seen) {
    Finding& f = findings.emplace_back(weighed(in, launches.size()));
    if (traits_of(f).within_launch && in.size() < launches.size())
      f.message = fmt::format("({} of {} {}) {}", in.size(), launches.size(), launch_words(like).many, f.message);
  }
  return findings;
}

std::vector<Finding> findings_over(const std::vector<Record>& launches) {
  std::vector<const std::vector<Finding>*> findings;
  for (const Record& r : launches) findings.push_back(&r.findings);
  return findings_over(findings, launches.front());
}

// Of the launch in the middle, by what it reported: a line is printed by one process.
const Case& middle_case(std::vector<const Case*> launches) {
  std::erase_if(launches, [](const Case* c) { return !reported(*c); });
  const auto middle = launches.begin() + static_cast<std::ptrdiff_t>(launches.size() / 2);
  std::nth_element(launches.begin(), middle, launches.end(), [](const Case* a, const Case* b) {
    return reported(*a)->estimate.value < reported(*b)->estimate.value;
  });
  return **middle;
}

// One result of the study, as each launch read it. It may be off in the same process that gave its reference: how much
// is one figure of a launch, too.
Case case_over(const std::vector<const Case*>& launches, const std::vector<bool>& slow, const Record& like) {
  Case whole = *launches.front();
  std::vector<const Metrics*> metrics;
  std::vector<const std::vector<Finding>*> findings;
  std::vector<double> differences;
  for (const Case* c : launches) {
    metrics.push_back(&c->metrics);
    findings.push_back(&c->findings);
    if (c->difference) differences.push_back(*c->difference);
    if (whole.error.empty()) whole.error = c->error;
  }
  whole.metrics = merge_metrics(metrics, slow);
  whole.findings = findings_over(findings, like);
  sort_findings(whole.findings);
  if (!whole.prints.empty()) whole.prints = middle_case(launches).prints;
  whole.difference.reset();
  if (differences.size() == launches.size()) whole.difference = stats::middle_of(differences);
  return whole;
}

// Every launch has the same ones, but for one that was cut short.
std::vector<Case> cases_over(const std::vector<Record>& launches) {
  const std::vector<bool> levels = slow_streams(launches);
  std::vector<Case> cases;
  for (std::size_t i = 0; i < launches.front().cases.size(); ++i) {
    std::vector<const Case*> same;
    std::vector<bool> slow;
    for (std::size_t k = 0; k < launches.size(); ++k) {
      const std::vector<Case>& of = launches[k].cases;
      if (i >= of.size() || of[i].name != launches.front().cases[i].name) continue;
      same.push_back(&of[i]);
      if (!levels.empty()) slow.push_back(levels[k]);
    }
    cases.push_back(case_over(same, slow, launches.front()));
  }
  return cases;
}

// What only all launches together can say.
void ask_together(Record& r) {
  for (const Detector& d : detectors()) {
    if (!d.traits.of_all) continue;
    for (Finding& f : d.detect(r)) r.findings.push_back(std::move(f));
  }
}

// A device that heats, or a machine that fills: the next launch continues it.
void add_trends(Record& r) {
  constexpr double kWorthSaying = 0.0025;
  for (const auto& [name, m] : r.metrics) {
    if (!m.trend || std::fabs(*m.trend) < kWorthSaying) continue;
    r.findings.push_back({.id = "launch-trend",
                          .severity = Severity::warning,
                          .message = fmt::format("{} {} by {} from one {} to the next", metric_label(name),
                                                 *m.trend > 0 ? "rises" : "falls", format_percent(std::fabs(*m.trend)),
                                                 launch_words(r).one),
                          .advice = "Let the machine reach its temperature first (--effort sustained).",
                          .evidence = {{"effect", *m.trend}},
                          .metric = name});
  }
}

// A case of a launch: its figures, without the pictures, which five times over would make the record large.
Case case_of(const Record& r, std::size_t number) {
  Case c;
  c.name = fmt::format("{} {}", launch_words(r).one, number);
  c.metrics = r.metrics;
  for (auto& [name, m] : c.metrics) {
    m.curve.clear();
    m.histogram = {};
  }
  c.idle = r.idle;
  c.findings = r.findings;
  std::erase_if(c.findings, [](const Finding& f) { return traits_of(f).of_all; });
  return c;
}

}  // namespace

Record merge_launches(std::vector<Record> launches, double margin,
                      const std::function<void(const std::vector<Record>&, Record&)>& more) {
  Record whole = launches.front();
  whole.metrics = metrics_over(launches);
  whole.cases = cases_over(launches);
  whole.idle = merge_idle(launches);
  whole.energy = merge_energy(launches);
  whole.findings = findings_over(launches);
  whole.observations.cpus.reset();
  whole.launches.clear();
  whole.duration_ns = whole.window_ns = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Record& r = launches[i];
    if (r.observations.cpus) add(*r.observations.cpus, whole.observations.cpus);
    whole.launches.push_back(case_of(r, i + 1));
    whole.duration_ns += r.duration_ns;
    whole.window_ns += r.window_ns;
    if (r.status == Status::not_converged && whole.status != Status::interrupted) {
      whole.status = Status::not_converged;
      if (whole.status_reason.empty()) whole.status_reason = r.status_reason;
    }
    if (r.status == Status::interrupted) whole.status = Status::interrupted;
  }
  if (more) more(launches, whole);
  ask_together(whole);
  add_trends(whole);
  sort_findings(whole.findings);
  tell_standings(whole, margin);
  whole.verdict = verdict_of_launches(whole);
  return whole;
}

}  // namespace strobe
