// SPDX-License-Identifier: Apache-2.0
#include "cli/pipeline_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <span>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "cli/stage_tasks.h"
#include "cli/yaml_map.h"
#include "device/open_device.h"
#include "host/file.h"
#include "measure/pipeline/pipeline_rounds.h"
#include "workload/model_table.h"

namespace strobe::cli {
namespace {

namespace fs = std::filesystem;
using yaml::Key;
using yaml::Value;

constexpr std::size_t kMostStages = 256, kMostName = 60;

std::string name_of(const Value& v) {
  const std::string name = v.text();
  const bool control =
      std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (control || name.size() > kMostName)
    v.refuse(fmt::format("cannot use this {}", v.key), "expected at most 60 printable characters");
  return name;
}

std::string stream_of(const Value& v) {
  const std::string name = name_of(v);
  if (name == kHostLane)
    v.refuse(fmt::format("cannot call a stream '{}'", name), "reports call the host so",
             "Take another name; work on the host ('cpu') needs no stream.");
  return name;
}

struct StageReader {
  StagePlan plan;
  std::vector<std::string> kinds;                         // of the four, those that were given
  std::vector<std::pair<std::string, Value>> model_keys;  // that only a model may have
  Model model;
  std::vector<Value> after;  // names whose places a complaint needs
};

template <class Read>
void set_kind(const Value& v, StageReader& s, Read&& read) {
  s.kinds.push_back(v.key);
  s.plan.task = read(v);
}

void of_model(const Value& v, StageReader& s) {
  s.model_keys.emplace_back(v.key, v);
}

constexpr std::array kOwnKeys{
    Key<StageReader>{"name", [](const Value& v, StageReader& s) { s.plan.name = name_of(v); }},
    Key<StageReader>{"model",
                     [](const Value& v, StageReader& s) {
                       s.kinds.push_back(v.key);
                       s.model.model = v.text();
                       const bool named =
                           s.model.model.find(':') != std::string::npos && s.model.model.find('/') == std::string::npos;
                       if (!named) s.model.model = beside(v, s.model.model);
                     }},
    Key<StageReader>{"cpu", [](const Value& v, StageReader& s) { set_kind(v, s, read_host); }},
    Key<StageReader>{"copy", [](const Value& v, StageReader& s) { set_kind(v, s, read_copy); }},
    Key<StageReader>{"sim", [](const Value& v, StageReader& s) { set_kind(v, s, read_sim); }},
    Key<StageReader>{"stream", [](const Value& v, StageReader& s) { s.plan.stream = stream_of(v); }},
    Key<StageReader>{"after",
                     [](const Value& v, StageReader& s) {
                       for (const Value& name : v.list()) {
                         s.plan.after.push_back(name.text());
                         s.after.push_back(name);
                       }
                     }},
    Key<StageReader>{
        "repeat",
        [](const Value& v, StageReader& s) { s.plan.repeat = static_cast<std::uint32_t>(v.integer(1, kMostRepeats)); }},
};

// The options of a model that a stage may have, by the names they have in JSON.
std::span<const Option<Model>> model_rows_of_stages() {
  static const std::vector<Option<Model>> rows = [] {
    std::vector<Option<Model>> taken;
    for (const Option<Model>& o : model_table()) {
      if (o.traits.of_stages) taken.push_back(o);
    }
    return taken;
  }();
  return rows;
}

const Option<Model>& row_of(std::string_view key) {
  const auto rows = model_rows_of_stages();
  return *std::find_if(rows.begin(), rows.end(), [&](const Option<Model>& o) { return o.key() == key; });
}

std::vector<Key<StageReader>> stage_keys() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Option<Model>& o : model_rows_of_stages()) all.push_back(o.key());
    return all;
  }();
  std::vector<Key<StageReader>> keys(kOwnKeys.begin(), kOwnKeys.end());
  for (const std::string& name : names) keys.push_back({name, of_model});
  return keys;
}

// As if it had been typed; a complaint gets the place.
void read_typed(const Value& v, const std::vector<std::string>& typed, const Option<Model>& o, Model& m) {
  try {
    o.form.read(typed, o.key(), m);
    o.form.check(m, o.key());
  } catch (const Error& e) {
    v.refuse(e.thing(), e.cause(), e.advice());
  }
}

// Options that take NAME=VALUE have a map here.
void read_option(const Value& v, const Option<Model>& o, Model& m) {
  if (!o.form.repeatable || (o.traits.one_for_all && !v.is_map())) return read_typed(v, {v.text()}, o, m);
  std::vector<std::string> typed;
  for (const auto& [name, value] : v.map()) {
    if (name.find('=') != std::string::npos) value.refuse_key(fmt::format("cannot use a name with '=' in '{}'", v.key));
    typed.push_back(name + "=" + value.text());
    Model alone;
    read_typed(value, {typed.back()}, o, alone);
  }
  read_typed(v, typed, o, m);
}

std::string default_name(const StageReader& s) {
  if (s.kinds.front() != "model") return s.kinds.front();
  const std::string& m = s.model.model;
  return m.find('/') != std::string::npos || m.find(':') == std::string::npos ? fs::path(m).stem().string()
                                                                              : m.substr(m.find(':') + 1);
}

StageReader read_stage(const Value& v) {
  StageReader s;
  s.plan.where = v.where();
  yaml::read_map(v, "a stage", stage_keys(), s);
  if (s.kinds.size() != 1)
    v.refuse(s.kinds.empty() ? "a stage has nothing to do"
                             : fmt::format("a stage has both '{}' and '{}'", s.kinds[0], s.kinds[1]),
             {}, "Take one of model, cpu, copy, sim.");
  for (const auto& [key, value] : s.model_keys) {
    if (s.kinds.front() != "model")
      value.refuse_key(fmt::format("cannot use '{}' in a stage of '{}'", key, s.kinds.front()),
                       "it belongs to a model");
    read_option(value, row_of(key), s.model);
  }
  for (auto& [name, file] : s.model.input) file = beside(v, file);
  if (s.kinds.front() == "model") s.plan.task = s.model;
  if (s.plan.name.empty()) s.plan.name = default_name(s);
  return s;
}

// Names are what 'after' and reports go by: two stages of one name would be one.
void add_stages(const Value& v, PipelinePlan& plan) {
  const auto list = v.list();
  if (list.empty() || list.size() > kMostStages)
    v.refuse("cannot read 'stages'", fmt::format("expected 1 to {} of them", kMostStages));
  std::set<std::string> names;
  for (const Value& stage : list) {
    StageReader s = read_stage(stage);
    const std::vector<std::string> earlier(names.begin(), names.end());
    for (const Value& other : s.after) {
      const std::string name = other.text();
      if (!names.contains(name))
        other.refuse(fmt::format("stage '{}' cannot run after '{}'", s.plan.name, name.substr(0, 40)),
                     "no earlier stage has that name",
                     fmt::format("'after' takes names of stages above.{}", did_you_mean(name, earlier)));
    }
    if (!names.insert(s.plan.name).second)
      stage.refuse(fmt::format("there are two stages '{}'", s.plan.name), {}, "Give one of them another 'name'.");
    plan.stages.push_back(std::move(s.plan));
  }
}

constexpr std::array kTop{
    Key<PipelinePlan>{"name", [](const Value& v, PipelinePlan& p) { p.name = name_of(v); }},
    Key<PipelinePlan>{"device",
                      [](const Value& v, PipelinePlan& p) {
                        p.device = v.text();
                        v.read([](std::string_view text, std::string_view) {
                          const DeviceName d = parse_device(text);
                          if (d.kind == DeviceName::simulated) parse_sim(d.rest);
                          return 0;
                        });
                      }},
    Key<PipelinePlan>{"iterations",
                      [](const Value& v, PipelinePlan& p) {
                        p.iterations = static_cast<std::size_t>(v.integer(1, kMostPipelineIterations));
                      }},
    Key<PipelinePlan>{"stages", add_stages},
};

}  // namespace

PipelinePlan parse_pipeline(const std::string& text, const std::string& file) {
  const Value top = yaml::parse(text, file);
  if (!top.is_map())
    top.refuse("this describes no pipeline", "expected a map with 'stages'", "docs/pipeline.md has an example.");
  PipelinePlan plan;
  if (!yaml::read_map(top, "a pipeline", kTop, plan).contains("stages"))
    top.refuse("a pipeline has no 'stages'", {}, "List what it does, one after the other.");
  if (plan.name.empty()) plan.name = fs::path(file).filename().string();
  return plan;
}

PipelinePlan read_pipeline(const std::string& file) {
  return parse_pipeline(read_file(file), file);
}

}  // namespace strobe::cli
