// SPDX-License-Identifier: Apache-2.0
#include "study/compare/candidate.h"

#include <algorithm>
#include <array>
#include <istream>
#include <optional>
#include <ostream>

#include <nlohmann/json.hpp>

#include "host/memory.h"
#include "measure/analysis.h"
#include "measure/placement.h"
#include "option/forms.h"
#include "record/json_of.h"
#include "record/metric_names.h"
#include "study/bytes_metric.h"
#include "study/new_record.h"
#include "study/options/tables.h"
#include "study/worker.h"
#include "study/worker_options.h"
#include "workload/model_files.h"

namespace strobe {
namespace {

using Json = nlohmann::json;

// Loading may compile kernels; a turn of slow requests is a few of them in each pass.
constexpr nanoseconds kLoadPatience = 15min, kTurnPatience = 15min;

// In this process.
class LocalTurns : public TurnTaker {
 public:
  TurnReadings turn() override {
    const Placement place(pin_, turns_->device(), *around_);
    around_->look();
    TurnReadings readings = turns_->take();
    around_->look();
    around_->beat();
    return readings;
  }

  Watched watched() override {
    Watched w;
    around_->observe(0ns, w.observations);
    w.telemetry = around_->telemetry();
    return w;
  }

 protected:
  void describe_turns(const Options& asked, Record& r) {
    turns_->explain_trip();
    describe_options(measure_table(), asked, r.settings, [](const OptionTraits& t) { return t.of_candidates; });
    const Measurement& m = turns_->seen();
    r.startup.first_ns = to_double(m.probe.first);
    if (m.asynchronous) r.observations.gate = m.gate;
    around_->observe(0ns, r.observations);
    r.device.calibration = m.calibration;
    for (const auto& [metric, why] : m.unknown) r.metrics[metric].unknown = why;
  }

  std::shared_ptr<Surroundings> around_;  // of the device, whatever is loaded on it
  std::optional<Turns> turns_;
  PinRule pin_;
};

class LocalCandidate : public LocalTurns {
 public:
  explicit LocalCandidate(const CandidateOptions& o) : o_(o) {
    // A graph candidate is the graph: its passes are those of any workload.
    measure_ = o_.run.measure;
    measure_.graph = false;
  }

  void load() override {
    model_.emplace(open_model(o_.run.open));
    pin_ = model_->pin;
    Workload* workload = model_->workload.get();
    if (o_.run.measure.graph) {
      std::size_t request = 0;
      LocalConductor conductor(measure_.stop);
      probe(*workload, 3, request, conductor);  // a graph is captured of what has run before
      Replay replay = workload->replay();
      if (!replay.workload) throw Error(ErrorCode::unsupported, "cannot compare as a graph", replay.why_not);
      check_unchanged(model_->info);  // a runtime may load the model once more to capture it
      replay_ = std::move(replay.workload);
      workload = replay_.get();
    }
    around_ = std::make_shared<Surroundings>(*model_->device);
    turns_.emplace(*workload, measure_, around_);
  }

  // In a worker that has loaded nothing before.
  std::uint64_t load_and_weigh() override {
    std::string name;
    const std::shared_ptr<Device> device = device_for(o_.run.open, name);
    if (!device || !device->memory()) {
      const Bytes before = peak_memory();
      load();
      return peak_memory().count - before.count;
    }
    o_.run.open.device = name;
    o_.run.open.on = device;
    const Bytes before = device->memory()->free;
    load();
    const Bytes after = device->memory()->free;
    return before.count > after.count ? before.count - after.count : 0;
  }

  Record describe() override {
    Record r = new_record(verb::compare);
    describe_opened(*model_, r);
    r.model = model_->describe();
    describe_model_settings(o_.run.open, *model_, r);
    if (model_->stream && !o_.run.open.prefers_stream.empty()) r.settings["stream"] = o_.run.open.prefers_stream;
    describe_turns(o_.run.measure, r);
    return r;
  }

  // The base class's turns refer to what is opened here.
  ~LocalCandidate() override {
    turns_.reset();
    around_.reset();
  }
  LocalCandidate(const LocalCandidate&) = delete;
  LocalCandidate& operator=(const LocalCandidate&) = delete;

 private:
  CandidateOptions o_;
  Options measure_;
  std::optional<OpenedModel> model_;
  std::unique_ptr<Workload> replay_;
};

// A function of the user's: it cannot be loaded anew, nor run elsewhere.
class CallableCandidate : public LocalTurns {
 public:
  explicit CallableCandidate(const CandidateOptions& o) : o_(o), device_(open_device(o.run.measure.device)) {
    around_ = std::make_shared<Surroundings>(*device_);
  }
  ~CallableCandidate() override {
    turns_.reset();
    around_.reset();
  }
  CallableCandidate(const CallableCandidate&) = delete;
  CallableCandidate& operator=(const CallableCandidate&) = delete;

  void load() override {
    const Options& m = o_.run.measure;
    workload_ = o_.callable(*device_);
    if (!workload_) throw Error(ErrorCode::usage, "cannot compare", "the function that makes a workload made none");
    turns_.emplace(*workload_, m, around_);
    pin_ = pin_rule(*device_, m.pin);
  }
  std::uint64_t load_and_weigh() override {
    throw Error(ErrorCode::usage, "cannot weigh a callable", "strobe does not load it");
  }
  Record describe() override {
    Record r = new_record(verb::compare);
    r.device = device_->info();
    r.model.name = o_.name;
    r.model.runtime = "callable";
    describe_turns(o_.run.measure, r);
    workload_->complete(r);
    return r;
  }

 private:
  CandidateOptions o_;
  std::shared_ptr<Device> device_;
  std::unique_ptr<Workload> workload_;
};

TurnReadings readings_of(const Json& j) {
  TurnReadings readings;
  for (const auto& [metric, reading] : j.items())
    readings[metric] = {reading.at("value").get<double>(), reading.at("samples").get<std::vector<double>>()};
  return readings;
}

Json json_of(const TurnReadings& readings) {
  Json j = Json::object();
  for (const auto& [metric, reading] : readings) j[metric] = {{"value", reading.value}, {"samples", reading.samples}};
  return j;
}

// As it travels from a worker.
Record record_of(Watched w) {
  Record r = new_record(verb::compare);
  r.observations = std::move(w.observations);
  r.telemetry = std::move(w.telemetry);
  return r;
}

// What the other end may ask.
struct Question {
  std::string_view ask;
  void (*answer)(TurnTaker&, Json&);
};

constexpr std::array kQuestions{
    Question{"load", [](TurnTaker& c, Json&) { c.load(); }},
    Question{"weigh", [](TurnTaker& c, Json& answer) { answer["bytes"] = c.load_and_weigh(); }},
    Question{"turn", [](TurnTaker& c, Json& answer) { answer["readings"] = json_of(c.turn()); }},
    Question{"describe", [](TurnTaker& c, Json& answer) { answer["record"] = json_of(c.describe()); }},
    Question{"watched", [](TurnTaker& c, Json& answer) { answer["record"] = json_of(record_of(c.watched())); }},
};

class WorkerCandidate : public TurnTaker {
 public:
  explicit WorkerCandidate(const CandidateOptions& o)
      : stop_(o.run.measure.stop), worker_(kTurnsJob, worker_options(o.run.open, o.run.measure)) {}

  void load() override { ask("load", kLoadPatience, stop_); }
  std::uint64_t load_and_weigh() override {
    return ask("weigh", kLoadPatience, stop_).at("bytes").get<std::uint64_t>();
  }
  TurnReadings turn() override { return readings_of(ask("turn", kTurnPatience, stop_).at("readings")); }
  // With what its process took, where that is the host's memory.
  Record describe() override {
    const Json answer = ask("describe", kLoadPatience);
    Record r = record_in(answer);
    if (r.device.kind == "cpu") r.metrics[metric::memory] = bytes_metric(answer.at("peak_bytes").get<std::uint64_t>());
    return r;
  }
  Watched watched() override {
    const Record r = record_in(ask("watched", kTurnPatience));
    return {r.observations, r.telemetry};
  }

 private:
  Json ask(std::string_view what, nanoseconds patience, const std::function<bool()>& stop = {}) {
    Json answer = worker_.ask({{"ask", what}}, patience, stop);
    worker_.rest();
    return answer;
  }

  std::function<bool()> stop_;
  Worker worker_;
};

}  // namespace

std::unique_ptr<TurnTaker> local_candidate(const CandidateOptions& o) {
  if (o.callable) return std::make_unique<CallableCandidate>(o);
  return std::make_unique<LocalCandidate>(o);
}

std::unique_ptr<TurnTaker> worker_candidate(const CandidateOptions& o) {
  return std::make_unique<WorkerCandidate>(o);
}

void serve_candidate(const CandidateOptions& o, std::istream& in, std::ostream& out) {
  const Bytes before = peak_memory();
  const auto candidate = local_candidate(o);
  for (std::string line; std::getline(in, line);) {
    const Json question = Json::parse(line, nullptr, false);
    const std::string what = question.is_object() ? question.value("ask", "") : "";
    const auto row =
        std::find_if(kQuestions.begin(), kQuestions.end(), [&](const Question& q) { return q.ask == what; });
    Json answer = Json::object();
    try {
      if (row != kQuestions.end()) row->answer(*candidate, answer);
      answer["peak_bytes"] = peak_memory().count - before.count;
      out << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    } catch (const Error& e) {
      out << error_line(e) << std::flush;
    }
  }
}

}  // namespace strobe
