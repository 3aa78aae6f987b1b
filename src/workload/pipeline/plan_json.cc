// SPDX-License-Identifier: Apache-2.0
#include "workload/pipeline/plan_json.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "option/byte_text.h"
#include "option/forms.h"
#include "workload/model_table.h"

namespace strobe {
namespace {

using Json = nlohmann::json;

nanoseconds time_in(const Json& j) {
  return nanoseconds(j.get<std::int64_t>());
}

void write_task(const Model& m, Json& j) {
  j["options"] = options_json(model_table(), m);
  // The names of files, as bytes.
  j["path"] = bytes_of_text(m.model);
  Json& input = j["input"] = Json::array();
  for (const auto& [name, file] : m.input) input.push_back({bytes_of_text(name), bytes_of_text(file)});
}
void take_task(const Json& j, Model& m) {
  take_options(model_table(), j.at("options"), m);
  m.model = text_of_bytes(j.at("path"));
  m.input.clear();
  for (const Json& file : j.at("input")) m.input[text_of_bytes(file.at(0))] = text_of_bytes(file.at(1));
}

void write_task(const RandnTask& t, Json& j) {
  j["shape"] = t.shape;
  j["scale"] = t.scale;
  j["offset"] = t.offset;
}
void take_task(const Json& j, RandnTask& t) {
  j.at("shape").get_to(t.shape);
  j.at("scale").get_to(t.scale);
  j.at("offset").get_to(t.offset);
}

void write_task(const SpinTask& t, Json& j) {
  j["ns"] = t.length.count();
}
void take_task(const Json& j, SpinTask& t) {
  t.length = time_in(j.at("ns"));
}

void write_task(const SleepTask& t, Json& j) {
  j["ns"] = t.length.count();
}
void take_task(const Json& j, SleepTask& t) {
  t.length = time_in(j.at("ns"));
}

void write_task(const MemcpyTask& t, Json& j) {
  j["bytes"] = t.bytes.count;
}
void take_task(const Json& j, MemcpyTask& t) {
  j.at("bytes").get_to(t.bytes.count);
}

void write_task(const FunctionTask& t, Json& j) {
  j["library"] = bytes_of_text(t.library);
  j["symbol"] = bytes_of_text(t.symbol);
}
void take_task(const Json& j, FunctionTask& t) {
  t.library = text_of_bytes(j.at("library"));
  t.symbol = text_of_bytes(j.at("symbol"));
}

void write_task(const CopyTask& t, Json& j) {
  j["in"] = t.direction == CopyTask::Direction::in;
  j["bytes"] = t.bytes.count;
  j["pinned"] = t.pinned;
}
void take_task(const Json& j, CopyTask& t) {
  t.direction = j.at("in").get<bool>() ? CopyTask::Direction::in : CopyTask::Direction::out;
  j.at("bytes").get_to(t.bytes.count);
  j.at("pinned").get_to(t.pinned);
}

void write_task(const SimulatedTask& t, Json& j) {
  Json& kernels = j["kernels"] = Json::array();
  for (const KernelRun& run : t.work.kernels) kernels.push_back({run.count, run.length.count()});
  j["launch_ns"] = t.work.kernel_launch.count();
  j["own_launch"] = t.own_kernel_launch;
  j["hidden_sync"] = t.work.hidden_sync;
}
void take_task(const Json& j, SimulatedTask& t) {
  for (const Json& run : j.at("kernels"))
    t.work.kernels.push_back({run.at(0).get<std::uint32_t>(), time_in(run.at(1))});
  t.work.kernel_launch = time_in(j.at("launch_ns"));
  j.at("own_launch").get_to(t.own_kernel_launch);
  j.at("hidden_sync").get_to(t.work.hidden_sync);
}

struct TaskForm {
  std::string_view kind;
  bool (*is)(const Task&);
  void (*write)(const Task&, Json& to);
  Task (*take)(const Json&);
};

template <class T>
constexpr TaskForm task_form(std::string_view kind) {
  return {kind, [](const Task& t) { return std::holds_alternative<T>(t); },
          [](const Task& t, Json& to) { write_task(std::get<T>(t), to); },
          [](const Json& j) {
            T t;
            take_task(j, t);
            return Task(std::move(t));
          }};
}

constexpr std::array kTaskForms{task_form<Model>("model"),       task_form<RandnTask>("randn"),
                                task_form<SpinTask>("spin"),     task_form<SleepTask>("sleep"),
                                task_form<MemcpyTask>("memcpy"), task_form<FunctionTask>("function"),
                                task_form<CopyTask>("copy"),     task_form<SimulatedTask>("kernels")};
static_assert(kTaskForms.size() == std::variant_size_v<Task>);

Json task_json(const Task& task) {
  const auto form = std::find_if(kTaskForms.begin(), kTaskForms.end(), [&](const TaskForm& f) { return f.is(task); });
  Json j{{"kind", form->kind}};
  form->write(task, j);
  return j;
}

Task task_of(const Json& j) {
  const auto kind = j.at("kind").get<std::string>();
  const auto form =
      std::find_if(kTaskForms.begin(), kTaskForms.end(), [&](const TaskForm& f) { return f.kind == kind; });
  if (form == kTaskForms.end()) throw Error(ErrorCode::usage, fmt::format("there is no task '{}'", kind.substr(0, 40)));
  return form->take(j);
}

Json stage_json(const StagePlan& s) {
  Json j{{"task", task_json(s.task)}, {"repeat", s.repeat}, {"after", Json::array()}};
  j["name"] = bytes_of_text(s.name);
  j["stream"] = bytes_of_text(s.stream);
  j["where"] = bytes_of_text(s.where);
  for (const std::string& name : s.after) j["after"].push_back(bytes_of_text(name));
  return j;
}

StagePlan stage_of(const Json& j) {
  StagePlan s;
  s.name = text_of_bytes(j.at("name"));
  s.task = task_of(j.at("task"));
  s.stream = text_of_bytes(j.at("stream"));
  s.where = text_of_bytes(j.at("where"));
  for (const Json& name : j.at("after")) s.after.push_back(text_of_bytes(name));
  j.at("repeat").get_to(s.repeat);
  return s;
}

}  // namespace

nlohmann::json plan_json(const PipelinePlan& p) {
  Json j{{"name", bytes_of_text(p.name)}, {"launch", p.launch}, {"stages", Json::array()}};
  j["device"] = bytes_of_text(p.device);
  if (p.iterations) j["iterations"] = *p.iterations;
  for (const StagePlan& s : p.stages) j["stages"].push_back(stage_json(s));
  return j;
}

PipelinePlan plan_of(const nlohmann::json& j) {
  PipelinePlan p;
  p.name = text_of_bytes(j.at("name"));
  p.device = text_of_bytes(j.at("device"));
  j.at("launch").get_to(p.launch);
  if (const auto n = j.find("iterations"); n != j.end()) p.iterations = n->get<std::size_t>();
  for (const Json& s : j.at("stages")) p.stages.push_back(stage_of(s));
  return p;
}

}  // namespace strobe
