// SPDX-License-Identifier: Apache-2.0
#include "report/gbench.h"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/unit_names.h"
#include "record/metric_names.h"
#include "record/names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "report/method_errors.h"
#include "report/search_answer.h"
#include "report/words.h"

namespace strobe {
namespace {

using Json = nlohmann::ordered_json;

// The host's keys as google-benchmark's tools know them.
Json context(const Record& r) {
  Json c{{"date", r.started_at},
         {"host_name", setting(r.host, "name")},
         {"executable", r.command.empty() ? "strobe" : r.command.front()},
         {"num_cpus", fact<std::int64_t>(r.host, "cores").value_or(0)},
         {"mhz_per_cpu", static_cast<std::int64_t>(fact<double>(r.host, "mhz").value_or(0))},
         {"cpu_scaling_enabled", setting(r.host, "governor") != "performance"},
         {"caches", Json::array()},
         {"load_avg", Json::array()},
         {"library_version", "strobe " + r.strobe.version},
         {"library_build_type", r.strobe.build == "Debug" ? "debug" : "release"},
         {"json_schema_version", 1}};
  if (const auto load = fact<double>(r.host, "load")) c["load_avg"].push_back(*load);
  return c;
}

// What has no time of its own: every ratio, what became of the user's conditions, and the verdict.
void add_to_context(const Record& r, Json& context) {
  context["strobe_verdict"] = name(r.verdict);
  for (const Comparison& c : r.comparisons) {
    Json j{
        {"candidate", c.b}, {"against", c.a}, {"metric", c.metric}, {"ratio", c.ratio.value}, {"outcome", c.outcome}};
    if (c.ratio.bounded()) j["interval"] = {*c.ratio.low, *c.ratio.high};
    if (c.percentile) j["percentile"] = *c.percentile;
    context["strobe_comparisons"].push_back(std::move(j));
  }
  for (const FailOn& f : r.fail_on)
    context["strobe_fail_on"].push_back(
        Json{{"condition", f.condition}, {"candidate", f.candidate}, {"outcome", f.outcome}, {"why", f.why}});
}

class Benchmarks {
 public:
  void add(const Record& r) {
    const std::string model = r.model.name.empty() ? r.verb : r.model.name;
    add(model, r.metrics, search_numbers(r));
    if (const auto bound = bound_outcome(r); bound && *bound != bound_word::met)
      list_.push_back(failed(model + "/bound", search_sentence(r)));
    for (const Case& c : r.cases) {
      const std::string name = model + "/" + c.name;
      compared_ = comparisons_of(r, c.name);
      method_ = &c;
      if (c.error.empty())
        add(name, c.metrics);
      else
        list_.push_back(failed(name, c.error));
    }
    compared_.clear();
    method_ = nullptr;
    for (const Case& c : r.launches) add(model + "/" + c.name, c.metrics);
  }

  Json take() { return std::move(list_); }

 private:
  // What a search found goes along with its latency, as counters.
  void add(const std::string& prefix, const Metrics& metrics, const std::vector<AnswerNumber>& found = {}) {
    const Metric* rate = known_metric(metrics, metric::throughput);
    for (const auto* entry : in_order(metrics)) {
      const auto& [metric, m] = *entry;
      if (!m.known() || m.unit != unit::ns) continue;
      const std::string name = prefix + "/" + metric;
      Json whole = row(name, name, m, m.mean ? m.mean->value : m.estimate.value);
      whole["run_type"] = "iteration";
      if (rate && (metric == metric::period || metric == metric::latency_loaded))
        whole["items_per_second"] = rate->estimate.value;
      for (const AnswerNumber& n : found) {
        if (metric == metric::latency_loaded) whole[std::string(n.name)] = n.value;
      }
      for (const Comparison& c : compared_) {
        if (c.metric == metric) add_ratio(whole, c);
      }
      if (method_ && metric == metric::reading) add_error(whole, *method_);
      list_.push_back(std::move(whole));
      if (m.mean) aggregate(name, "mean", m, m.mean->value);
      aggregate(name, "median", m, m.estimate.value);
      if (m.max > 0) aggregate(name, "stddev", m, m.stddev);
      ++family_;
    }
  }

  // As counters and a label, which the usual tools show beside the time.
  static void add_ratio(Json& row, const Comparison& c) {
    row["label"] = fmt::format("{} against {}", c.outcome, c.a);
    row["ratio"] = c.ratio.value;
    if (c.ratio.low) row["ratio_low"] = *c.ratio.low;
    if (c.ratio.high) row["ratio_high"] = *c.ratio.high;
  }

  static void add_error(Json& row, const Case& c) {
    const auto e = method_error(c);
    if (!e) return;
    row["label"] = fmt::format("{}{} from {}", e->of == "mean" ? "mean " : "", difference_text(c), title_of(e->from));
    row["off"] = e->off;
  }

  static std::vector<Comparison> comparisons_of(const Record& r, const std::string& name) {
    std::vector<Comparison> all;
    for (const Comparison& c : r.comparisons) {
      if (c.b == name && !c.percentile) all.push_back(c);
    }
    return all;
  }

  void aggregate(const std::string& name, const char* which, const Metric& m, double value) {
    Json a = row(name + "_" + which, name, m, value);
    a["run_type"] = "aggregate";
    a["aggregate_name"] = which;
    a["aggregate_unit"] = "time";
    list_.push_back(std::move(a));
  }

  Json row(const std::string& name, const std::string& run, const Metric& m, double time) const {
    return {{"name", name},     {"family_index", family_}, {"per_family_instance_index", 0},
            {"run_name", run},  {"run_type", ""},          {"repetitions", 1},
            {"threads", 1},     {"iterations", m.n},       {"real_time", time},
            {"cpu_time", time}, {"time_unit", "ns"}};
  }

  Json failed(const std::string& name, const std::string& why) const {
    Json j = row(name, name, {}, 0);
    j["run_type"] = "iteration";
    j["error_occurred"] = true;
    j["error_message"] = why;
    return j;
  }

  Json list_ = Json::array();
  std::vector<Comparison> compared_;  // of the case that is being added
  const Case* method_ = nullptr;      // that case
  int family_ = 0;
};

}  // namespace

std::string gbench_of(std::span<const Record> records) {
  Benchmarks all;
  for (const Record& r : records) all.add(r);
  Json document;
  document["context"] = context(records[0]);
  for (const Record& r : records) add_to_context(r, document["context"]);
  document["benchmarks"] = all.take();
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace strobe
