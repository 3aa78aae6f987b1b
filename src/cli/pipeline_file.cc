// SPDX-License-Identifier: Apache-2.0
#include "cli/pipeline_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "cli/stage_tasks.h"
#include "cli/yaml_map.h"
#include "device/open_device.h"
#include "host/facts.h"
#include "host/file.h"
#include "measure/pipeline/pipeline_rounds.h"

namespace strobe::cli {
namespace {

namespace fs = std::filesystem;
using yaml::Key;
using yaml::Value;

constexpr std::size_t kMostStages = 256, kMostName = 60;
constexpr std::int64_t kMostThreads = 16;  // a core: pools spin while they wait, and more would stop the machine

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

constexpr std::array kStage{
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
    Key<StageReader>{"runtime", of_model},
    Key<StageReader>{"batch", of_model},
    Key<StageReader>{"shape", of_model},
    Key<StageReader>{"threads", of_model},
    Key<StageReader>{"set", of_model},
    Key<StageReader>{"input", of_model},
    Key<StageReader>{"input_range", of_model},
    Key<StageReader>{"dtype", of_model},
    Key<StageReader>{"layout", of_model},
    Key<StageReader>{"seed", of_model},
};

// One range for all inputs, or one for each name.
void read_ranges(const Value& v, Model& t) {
  if (!v.is_map()) {
    t.input_range["*"] = v.read(parse_range);
    return;
  }
  for (const auto& [name, range] : v.map()) t.input_range[name] = range.read(parse_range);
}

std::string shape_of(const Value& v) {
  v.read(parse_shape);  // complains with the place
  return v.text();
}

constexpr std::array kModel{
    Key<Model>{"runtime", [](const Value& v, Model& t) { t.runtime = v.text(); }},
    Key<Model>{"batch", [](const Value& v, Model& t) { t.batch = v.integer(1, INT64_MAX); }},
    Key<Model>{"shape",
               [](const Value& v, Model& t) {
                 for (const auto& [name, shape] : v.map()) t.shape[name] = shape_of(shape);
               }},
    Key<Model>{"threads", [](const Value& v,
                             Model& t) { t.threads = static_cast<int>(v.integer(1, kMostThreads * allowed_cpus())); }},
    Key<Model>{"set",
               [](const Value& v, Model& t) {
                 for (const auto& [key, value] : v.map()) t.set[key] = value.text();
               }},
    Key<Model>{"input",
               [](const Value& v, Model& t) {
                 for (const auto& [name, file] : v.map()) t.input[name] = beside(file, file.text());
               }},
    Key<Model>{"input_range", read_ranges},
    Key<Model>{"dtype", [](const Value& v, Model& t) { t.dtype = word_of(v, {"fp16", "bf16"}); }},
    Key<Model>{"layout", [](const Value& v, Model& t) { t.layout = word_of(v, {"channels_last"}); }},
    Key<Model>{"seed", [](const Value& v, Model& t) { t.seed = static_cast<std::uint64_t>(v.integer(0, INT64_MAX)); }},
};

std::string default_name(const StageReader& s) {
  if (s.kinds.front() != "model") return s.kinds.front();
  const std::string& m = s.model.model;
  return m.find('/') != std::string::npos || m.find(':') == std::string::npos ? fs::path(m).stem().string()
                                                                              : m.substr(m.find(':') + 1);
}

StageReader read_stage(const Value& v) {
  StageReader s;
  s.plan.where = v.where();
  yaml::read_map(v, "a stage", kStage, s);
  if (s.kinds.size() != 1)
    v.refuse(s.kinds.empty() ? "a stage has nothing to do"
                             : fmt::format("a stage has both '{}' and '{}'", s.kinds[0], s.kinds[1]),
             {}, "Take one of model, cpu, copy, sim.");
  for (const auto& [key, value] : s.model_keys) {
    if (s.kinds.front() != "model")
      value.refuse_key(fmt::format("cannot use '{}' in a stage of '{}'", key, s.kinds.front()),
                       "it belongs to a model");
    std::find_if(kModel.begin(), kModel.end(), [&, k = key](const auto& row) {
      return row.name == k;
    })->read(value, s.model);
  }
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
