// SPDX-License-Identifier: Apache-2.0
#include "report/text/cases_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "record/key_unit.h"
#include "record/metric_names.h"
#include "record/reported.h"
#include "report/method_errors.h"
#include "report/standing_text.h"
#include "report/text/head_text.h"
#include "report/text/table.h"
#include "report/text/verdict_text.h"
#include "report/words.h"

namespace strobe {
namespace {

std::string median_text(const Metric* m) {
  if (!m) return "-";
  const Figure f = figure(m->estimate, m->unit);
  return f.number + " " + f.unit;
}

std::string interval_text(const Metric* m) {
  return m ? figure(m->estimate, m->unit).interval : "";
}

std::string what_it_counts(const Case& c) {
  if (!c.error.empty()) return "cannot be used: " + c.error;
  std::string what = c.about;
  for (const Finding& f : c.findings) {
    if (f.about != About::workload) what += fmt::format(" ({}: {})", f.id, f.message);
  }
  return what;
}

void add_method(Table& table, const Case& c) {
  if (!c.error.empty()) return table.add({c.name, "-", "", "", "", "", what_it_counts(c)});
  const MethodReading m = method_reading(c);
  const bool median = m.statistic == statistic::median || m.number.empty();
  table.add({c.name, m.number.empty() ? "-" : m.number, median ? m.interval : fmt::format("({})", m.statistic),
             method_mean(c), difference_text(c), title_of(c.claims), what_it_counts(c)});
}

// The line as its tool prints it, then what is wrong with it.
void add_listing(Table& table, const Case& c, const Record& r) {
  const MethodReading m = method_reading(c);
  std::string from = title_of(c.claims);
  if (c.difference && r.cases.size() > 1) from += " " + method_truth(c, r);
  table.add({c.name, c.prints.empty() ? "-" : c.prints, m.statistic.empty() ? "" : std::string(m.statistic),
             difference_text(c), from, what_it_counts(c)});
}

std::string references_table(const Record& r) {
  Table references("lrlll");
  for (const char* name :
       {metric::latency, metric::device_time, metric::replay_time, metric::replay_latency, metric::period}) {
    const auto it = r.metrics.find(name);
    if (it == r.metrics.end()) continue;
    if (it->second.known())
      references.add({title_of(name), median_text(&it->second), interval_text(&it->second),
                      r.launches.empty() ? "" : standing_text(it->second),
                      r.launches.empty() ? "" : standing_cause(name, r)});
    else
      references.add({title_of(name), "-", "unknown: " + it->second.unknown});
  }
  const auto taken = [](const Case& c) { return c.claims == metric::first_request; };
  if (r.startup.first_ns && std::any_of(r.cases.begin(), r.cases.end(), taken))
    references.add({title_of(metric::first_request), format_time(*r.startup.first_ns), "the very first request"});
  return "\nreferences, by methods that are right for them\n" + references.render("  ");
}

// How often each row was read.
std::string counts_line(const Record& r) {
  const std::string launches = r.launches.empty() ? "" : fmt::format(", in each of {} launches", r.launches.size());
  if (const std::string like = setting(r.settings, "like"); !like.empty())
    return fmt::format("{}: {}\nbefore anything else, then {} requests for each reference{}\n", like,
                       like != kEveryListing
                           ? r.cases.empty() ? "" : setting(r.cases.front().settings, "listing")
                           : fmt::format("{}, each alone in fresh processes, which have references of their own; above "
                                         "are those of the first",
                                         counted(r.cases.size(), "listing", "listings")),
                       setting(r.settings, "requests"), launches);
  return fmt::format("{} requests a row after {} of warm-up, taken in turns{}; a block is {} requests\n",
                     setting(r.settings, "requests"), setting(r.settings, "warmup"), launches,
                     r.observations.requests_per_block.value_or(0));
}

std::string methods_table(const Record& r) {
  std::string text = methods_sentence(r);
  if (!text.empty()) text += "\n";
  text += counts_line(r);
  if (!r.device.asynchronous && setting(r.settings, "like").empty())
    text +=
        "On the CPU the work is done when the call returns: every clock and every wait reads the same, so only what "
        "differs is shown.\n";
  Table named("lrlrrll"), combinations("lrlrrll"), listings("lllrll");
  named.add({"method", "reads", "", "mean", "off", "from", ""});
  combinations.add({"clock, wait, reading", "reads", "", "mean", "off", "from", ""});
  listings.add({"listing", "prints", "", "off", "from", ""});
  for (const Case& c : r.cases) {
    if (c.group == method_group::listing)
      add_listing(listings, c, r);
    else
      add_method(c.group == method_group::combination ? combinations : named, c);
  }
  text += references_table(r);
  for (const Table* t : {&named, &combinations, &listings}) {
    if (t->rows() > 1) text += "\n" + t->render();
  }
  return text + "\n";
}

std::string doctor_table(const Record& r) {
  Table machine("ll");
  for (const auto& [key, value] : r.host) {
    const bool bytes = key_unit(key).unit == "bytes";
    machine.add({key, bytes ? format_bytes(Bytes{static_cast<std::uint64_t>(std::get<std::int64_t>(value))})
                            : scalar_text(value)});
  }
  Table parts("lll");
  for (const Case& c : r.cases)
    parts.add({c.name, c.error.empty() ? c.version : "absent", c.error.empty() ? c.about : c.error});
  Table calibration("lr");
  for (const auto& [key, value] : r.device.calibration) {
    const auto [name, unit] = key_unit(key);
    calibration.add({std::string(name), unit == "ns" ? format_time(value) : fmt::format("{:g}", value)});
  }
  return "machine\n" + machine.render("  ") + "\ndevices and runtimes\n" + parts.render("  ") + "\ncalibration\n" +
         calibration.render("  ") + "\n";
}

std::string selftest_table(const Record& r) {
  Table table("llrrl");
  table.add({"", "check", "expected", "got", ""});
  std::size_t failed = 0;
  for (const Case& c : r.cases) {
    failed += !c.error.empty();
    table.add({c.error.empty() ? "ok" : "FAILED", c.name, c.check.expected, c.check.got,
               c.error.empty() ? c.about : c.error});
  }
  return table.render() + fmt::format("\n{} checks, {} failed\n", r.cases.size(), failed);
}

}  // namespace

std::string sweep_table(const Record& r) {
  Table table("lrlrlrll");
  table.add({"", "latency", "", "device time", "", "throughput", "", ""});
  for (const Case& c : r.cases) {
    if (!c.error.empty()) {
      table.add({c.name, "-", "", "-", "", "-", "", c.error});
      continue;
    }
    const Metric *latency = known_metric(c.metrics, metric::latency),
                 *device = known_metric(c.metrics, metric::device_time),
                 *rate = known_metric(c.metrics, metric::throughput);
    table.add({c.name, median_text(latency), interval_text(latency), median_text(device), interval_text(device),
               median_text(rate), interval_text(rate), c.about});
  }
  return table.render();
}

std::string show_methods(const Record& r, const RenderOptions& o, const Painter& p) {
  return head_line(r, p) + methods_table(r) + verdict_lines(r, o, p) + launches_line(r);
}

std::string show_doctor(const Record& r, const RenderOptions&, const Painter& p) {
  return doctor_table(r) + verdict_lines(r, {.verbose = true}, p);  // findings are what it is for
}

std::string show_selftest(const Record& r, const RenderOptions&, const Painter&) {
  return selftest_table(r);
}

}  // namespace strobe
