// SPDX-License-Identifier: Apache-2.0
#include "record/old_records.h"

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "record/metric_info.h"

namespace strobe::record_fields {
namespace {

using OldJson = nlohmann::ordered_json;

OldJson* member(OldJson& object, const std::string& key) {
  const auto it = object.is_object() ? object.find(key) : object.end();
  return it == object.end() ? nullptr : &*it;
}

std::string word_at(OldJson& object, const char* key) {
  const OldJson* x = member(object, key);
  return x && x->is_string() ? x->get<std::string>() : "";
}

template <class F>
void each_of(OldJson& object, const char* key, F&& f) {
  OldJson* list = member(object, key);
  if (!list || !list->is_array()) return;
  for (OldJson& item : *list) f(item);
}

void move_field(OldJson& from, const std::string& key, OldJson& to, const char* name) {
  OldJson* value = member(from, key);
  if (!value || !(to.is_object() || to.is_null())) return;
  OldJson taken = std::move(*value);  // an object that grows moves its fields, and `from` may be one of them
  from.erase(key);
  to[name] = std::move(taken);
}

void move_fields(OldJson& from, OldJson& to, std::initializer_list<const char*> keys) {
  for (const char* key : keys) move_field(from, key, to, key);
}

void drop_if_empty(OldJson& object, const char* key) {
  const OldJson* x = member(object, key);
  if (x && x->is_object() && x->empty()) object.erase(key);
}

// A rate and a gauge were said to have a median.
void convert_metrics(OldJson& owner) {
  OldJson* metrics = member(owner, "metrics");
  if (!metrics || !metrics->is_object()) return;
  for (const auto& [name, metric] : metrics->items()) {
    OldJson* median = metric_kind(name) == MetricKind::sample ? nullptr : member(metric, "median");
    if (!median || !median->is_object()) continue;
    const OldJson estimate = std::move(*median);
    metric.erase("median");
    metric.update(estimate);
  }
}

// `doctor` described a device by the settings of its case, and its calibration by their names.
void convert_part(OldJson& part) {
  OldJson* settings = member(part, "settings");
  if (!settings || !settings->is_object()) return;
  OldJson described = std::move(*settings);
  part.erase("settings");
  move_field(described, "version", part, "version");
  if (described.empty()) return;
  constexpr std::string_view kCalibration = "calibration.";
  OldJson device{{"kind", "cuda"}, {"name", word_at(part, "version")}, {"asynchronous", true}};
  for (const auto& [key, value] : described.items()) {
    if (key.starts_with(kCalibration))
      device["calibration"][key.substr(kCalibration.size())] = value;
    else
      device["facts"][key] = value;
  }
  part["device"] = std::move(device);
}

void convert_check(OldJson& check) {
  OldJson* settings = member(check, "settings");
  if (!settings) return;
  OldJson found;
  move_fields(*settings, found, {"expected", "got", "truth_ns"});
  drop_if_empty(check, "settings");
  check["check"] = std::move(found);
}

void convert_case(OldJson& c, std::string_view verb) {
  if (!c.is_object()) return;
  convert_metrics(c);
  each_of(c, "stages", convert_metrics);
  if (verb == "doctor") convert_part(c);
  if (verb == "selftest") convert_check(c);
  move_field(c, "answer", c, "trial");
}

// The keys of a pipeline's answer held the names of stages and lanes.
void convert_pipeline(OldJson& r, OldJson& answer) {
  OldJson found;
  move_fields(
      answer, found,
      {"marks", "marks_cost", "marks_cost_at_most", "timeline_latency_ns", "timeline_uncertainty_ns", "replay_error"});
  each_of(r, "cases", [&](OldJson& c) {
    if (word_at(c, "name") != "event") return;
    each_of(c, "stages", [&](OldJson& stage) {
      const std::string name = word_at(stage, "name");
      move_field(answer, "bound." + name, stage, "bound");
      move_field(answer, "gain." + name, stage, "gain");
    });
  });
  constexpr std::string_view kIdle = "idle.";
  const OldJson keys = answer;  // which loses some of them meanwhile
  for (const auto& [key, share] : keys.items()) {
    if (!key.starts_with(kIdle)) continue;
    OldJson idle{{"lane", key.substr(kIdle.size())}, {"share", share}};
    move_field(answer, "idle_during." + key.substr(kIdle.size()), idle, "during");
    found["idle"].push_back(std::move(idle));
    answer.erase(key);
  }
  r["pipeline"] = std::move(found);
}

struct MovedResult {
  const char *key, *into, *name;
};
constexpr std::array kMovedResults{MovedResult{"host_numa_node", "observations", "host_numa_node"},
                                   MovedResult{"block", "observations", "requests_per_block"},
                                   MovedResult{"iterations_a_turn", "pipeline", "iterations_a_turn"},
                                   MovedResult{"memory_limit_bytes", "answer", "memory_limit_bytes"}};

// How many iterations there were is in the metrics. A sweep over them has what was typed, which is a text.
void drop_count(OldJson& settings) {
  const OldJson* n = member(settings, "iterations");
  if (n && n->is_number()) settings.erase("iterations");
}

void move_results_of_case(OldJson& c, std::string_view verb) {
  OldJson* found = member(c, "settings");
  if (!found || !found->is_object()) return;
  OldJson settings = std::move(*found);
  if (verb == "methods") move_fields(settings, c, {"claims"});
  if (verb == "compare") move_fields(settings, c, {"started_at", "launches"});
  if (verb == "pipeline") drop_count(settings);
  c["settings"] = std::move(settings);
}

// The first candidate once more was known by its name alone.
void mark_noise_floor(OldJson& r) {
  bool marked = false;
  each_of(r, "comparisons", [&](OldJson& c) { marked = marked || c.contains("noise_floor"); });
  each_of(r, "comparisons", [&](OldJson& c) {
    if (!marked && word_at(c, "b") == word_at(c, "a") + " again") c["noise_floor"] = true;
  });
}

// A launch is a process.
void rename_kernels(OldJson& r) {
  OldJson* seen = member(r, "observations");
  if (seen) move_field(*seen, "launches_per_request", *seen, "kernels_per_request");
}

}  // namespace

void move_results(OldJson& r) {
  const std::string verb = word_at(r, "verb");
  rename_kernels(r);
  if (verb == "compare") mark_noise_floor(r);
  each_of(r, "cases", [&](OldJson& c) { move_results_of_case(c, verb); });
  OldJson* found = member(r, "settings");
  if (!found || !found->is_object()) return;
  OldJson settings = std::move(*found);  // what grows moves its fields, and this is one of them
  for (const MovedResult& m : kMovedResults) {
    if (settings.contains(m.key)) move_field(settings, m.key, r[m.into], m.name);
  }
  r["settings"] = std::move(settings);
}

OldJson converted_from_1(OldJson r) {
  const std::string verb = word_at(r, "verb");
  convert_metrics(r);
  each_of(r, "cases", [&](OldJson& c) { convert_case(c, verb); });
  each_of(r, "launches", [&](OldJson& c) { convert_case(c, verb); });
  if (OldJson* settings = member(r, "settings"); settings && verb == "compare")
    move_field(*settings, "rounds", r, "rounds");
  if (OldJson* settings = member(r, "settings"); settings && settings->is_object())
    settings->erase("launches");  // those that were measured, and not those that were asked for
  if (!member(r, "answer") || !r["answer"].is_object()) return r;
  OldJson answer = std::move(r["answer"]);
  r.erase("answer");
  move_fields(answer, r, {"noise_floor", "failed", "undecided", "unwritten"});
  if (answer.contains("new_input_ratio")) move_field(answer, "new_input_ratio", r["observations"], "new_input_ratio");
  if (verb == "pipeline") convert_pipeline(r, answer);
  if (!answer.empty()) r["answer"] = std::move(answer);
  return r;
}

}  // namespace strobe::record_fields
