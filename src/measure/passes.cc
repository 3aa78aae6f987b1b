// SPDX-License-Identifier: Apache-2.0
#include "measure/passes.h"

#include <algorithm>

#include "device/device.h"
#include "measure/gate_safety.h"
#include "measure/trip.h"
#include "record/metric_names.h"

namespace strobe {
namespace {

constexpr const char* kNoTime = "--max-time was up before it could be measured";

class Chooser {
 public:
  Chooser(Workload& workload, const Options& options, const TimeLeft& left, Measurement& m, std::size_t& request)
      : workload_(workload), options_(options), left_(left), m_(m), request_(request) {}

  void add(Pass pass, Workload& workload, nanoseconds typical) {
    pass.method.cold = options_.cache == Cache::cold && pass.work == Pass::Work::request;
    m_.passes.push_back({pass, &workload, typical, {}});
  }
  void absent(const char* metric, std::string why) { m_.unknown.emplace_back(metric, std::move(why)); }

  void on_the_cpu() {
    if (options_.graph) absent(metric::replay_time, workload_.stream().device().can().asynchronous.why_not);
    if (options_.copies)
      absent(metric::end_to_end, "inputs and outputs are where the work is done: there is nothing to copy");
  }
  // Until the first thing that there is no time for: what comes later is absent.
  void on_a_queue();

 private:
  void eager();
  void graph();
  void copies();
  void host_io();

  Workload& workload_;
  const Options& options_;
  const TimeLeft& left_;
  Measurement& m_;
  std::size_t& request_;
};

void Chooser::on_a_queue() {
  struct Step {
    bool wanted;
    std::size_t requests;  // before any is measured
    const char* metric;
    void (Chooser::*take)();
  };
  const std::size_t sets = std::max<std::size_t>(2, workload_.input_sets()), twice = 2 * sets;  // captured, or copied
  const Step steps[] = {{true, sets, metric::device_time, &Chooser::eager},
                        {options_.graph, twice, metric::replay_time, &Chooser::graph},
                        {options_.copies, twice, metric::copy_in, &Chooser::copies},
                        {options_.io == Io::runtime, 1, metric::end_to_end, &Chooser::host_io}};
  for (const Step& s : steps) {
    if (!s.wanted) continue;
    if (left_.allows(s.requests))
      (this->*s.take)();
    else
      absent(s.metric, kNoTime);
  }
}

void Chooser::eager() {
  const nanoseconds typical = m_.probe.typical;
  if (m_.launch == 1 && left_.allows(kEscapeRequests))
    m_.around->look_for_escaped_work(workload_, request_, left_.conductor);
  m_.kernels = workload_.kernels();
  m_.gate = prove_gate(workload_, m_.probe.submit, request_);
  if (m_.launch == 1) add(kSpanPass, workload_, typical);
  if (m_.gate.used)
    add(kDeviceTimePass, workload_, typical);
  else
    absent(metric::device_time, m_.gate.why_not);
  if (options_.cache == Cache::cold)
    absent(metric::throughput, "the cache cannot be flushed between requests in a full queue");
  else
    add(kPeriodPass, workload_, std::clamp(m_.probe.submit, std::min<nanoseconds>(1us, typical), typical));
}

void Chooser::graph() {
  const nanoseconds typical = m_.probe.typical / 100;  // nobody knows yet: rather too short
  Replay replay = workload_.replay();
  m_.replay = std::move(replay.workload);
  const GateObservation gate =
      m_.replay ? prove_graph_gate(*m_.replay, m_.probe.submit, request_) : GateObservation{false, replay.why_not, 0};
  if (gate.used)
    add(kReplayPass, *m_.replay, typical);
  else
    absent(metric::replay_time, gate.why_not);
  if (m_.replay) add(kReplayLatencyPass, *m_.replay, typical);
  if (m_.replay && options_.cache == Cache::hot) add(kReplayPeriodPass, *m_.replay, typical);
}

// Enqueues the copy of a request, and gives its bytes.
std::size_t enqueue_copy(Workload& workload, const Pass& pass, std::size_t request) {
  Stream& stream = workload.stream();
  return pass.work == Pass::Work::copy_in ? workload.copy_in(request, stream, pass.memory)
                                          : workload.copy_out(request, stream, pass.memory);
}

// The device copies from pinned memory by itself, so such a copy can be queued before the device may start; otherwise a
// short one would be timed together with its launch. Proved like the gate of requests.
Pass held_if_safe(const Pass& pass, Workload& workload, std::size_t request) {
  Stream& stream = workload.stream();
  if (pass.memory != HostMemory::pinned || !stream.device().can().gate) return pass;
  Gate gate = stream.device().hold(stream, {.patience = gate_patience(0ns)});
  enqueue_copy(workload, pass, request);
  gate.open();
  stream.synchronize();
  Pass held = pass;
  if (!gate.tripped()) held.method = kDeviceTimePass.method;
  return held;
}

void Chooser::copies() {
  Stream& stream = workload_.stream();
  Clock& clock = stream.device().clock();
  const auto add_copy = [&](const Pass& pass) {
    const auto copy_one = [&](std::size_t request) {
      const std::size_t bytes = enqueue_copy(workload_, pass, request);
      stream.synchronize();
      return bytes;
    };
    for (std::size_t s = 0; s < workload_.input_sets(); ++s) copy_one(request_ + s);  // memory is made for these
    const nanoseconds begin = clock.now();
    const std::size_t bytes = copy_one(request_);
    const nanoseconds took = clock.now() - begin;
    if (bytes > 0) add(held_if_safe(pass, workload_, request_), workload_, took);
    return bytes;
  };
  m_.copied_in = add_copy(kCopyInPass);
  m_.copied_out = add_copy(kCopyOutPass);
  if (m_.copied_in == 0) absent(metric::copy_in, "the workload has no inputs to copy");
  if (m_.copied_out == 0) absent(metric::copy_out, "the workload has no outputs to copy");
  add_copy(kPageableInPass);
  add_copy(kPageableOutPass);
  if (m_.copied_in + m_.copied_out > 0 && options_.io == Io::none) add(kEndToEndPass, workload_, m_.probe.typical);
}

// What most callers run: the runtime's own tensors on the host, copied and waited for as it does.
void Chooser::host_io() {
  m_.host_io = workload_.through_host();
  if (!m_.host_io) return absent(metric::end_to_end, "the workload takes no tensors on the host");
  add(kEndToEndPass, *m_.host_io, m_.probe.typical);
  m_.passes.back().pass.method.copies = false;  // they are inside its own submit
}

}  // namespace

Measurement begin_measurement(Workload& workload, std::shared_ptr<Surroundings> around, std::size_t launch) {
  Device& device = workload.stream().device();
  Measurement m;
  m.around = around ? std::move(around) : std::make_shared<Surroundings>(device);
  m.asynchronous = static_cast<bool>(device.can().asynchronous);
  m.items = workload.items();
  m.tick = to_double(device.tick());
  m.launch = launch;
  if (launch == 1) m.calibration = calibrate(device);
  m.begun = device.clock().now();
  return m;
}

bool worth_checking(Workload& workload, nanoseconds typical) {
  constexpr nanoseconds kLong = 10s;
  return typical < kLong || dynamic_cast<const Session*>(&workload);
}

void choose_passes(Workload& workload, const Options& options, const TimeLeft& left, Measurement& m,
                   std::size_t& next_request) {
  Chooser chooser(workload, options, left, m, next_request);
  chooser.add(kLatencyPass, workload, m.probe.typical);
  m.asynchronous ? chooser.on_a_queue() : chooser.on_the_cpu();
}

void count_request_kernels(Workload& workload, Measurement& m, std::size_t& next_request) {
  const bool tripped = m.gate.voided > 0;
  if (!m.kernels && (m.gate.used || tripped)) m.kernels = kernels_of_request(workload, tripped, next_request);
  if (!tripped) return;
  const auto why = why_queue_is_full(workload.stream().device(), m.kernels);
  if (!why) return;
  m.gate.why_not = *why;
  for (auto& [metric, unknown] : m.unknown) {
    if (metric == metric::device_time) unknown = *why;
  }
}

void drop_tripped(Measurement& m) {
  constexpr const char* kWhy = "the workload waited for its own work behind the gate, which it had not done before";
  for (const PassSamples& p : m.passes) {
    if (!p.tripped) continue;
    m.unknown.emplace_back(p.pass.metric, kWhy);
    if (p.pass.method.form == Method::Form::eager && p.pass.work == Pass::Work::request)
      m.gate = {false, kWhy, m.gate.voided + 1};
  }
  std::erase_if(m.passes, [](const PassSamples& p) { return p.tripped; });
}

}  // namespace strobe
