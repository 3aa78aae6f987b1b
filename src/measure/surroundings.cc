// SPDX-License-Identifier: Apache-2.0
#include "measure/surroundings.h"

#include <algorithm>

#include "host/affinity.h"
#include "measure/calibration.h"
#include "measure/probe.h"
#include "stats/middle.h"

namespace strobe {

Surroundings::Surroundings(Device& device, Watch watch)
    : device_(device), real_(watch == Watch::everything && device.info().kind != "simulated") {
  if (real_) sampler_.emplace(device.telemetry());
}

void Surroundings::add_outputs(const std::optional<OutputCheck>& seen) {
  if (!seen || !outputs_) {
    outputs_ = seen ? seen : outputs_;
    return;
  }
  outputs_->finite = outputs_->finite && seen->finite;
  outputs_->repeatable = outputs_->repeatable && seen->repeatable;
  outputs_->distinct = outputs_->distinct && seen->distinct;
  outputs_->worst_difference = std::max(outputs_->worst_difference, seen->worst_difference);
  outputs_->may_vary = outputs_->may_vary && seen->may_vary;
  if (!seen->detail.empty()) outputs_->detail = seen->detail;
}

void Surroundings::look_for_escaped_work(Workload& workload, std::size_t& next_request, Conductor& conductor) {
  escaped_ns_ = escaped_work(workload, next_request, conductor);
}

void Surroundings::look() {
  if (real_) host_.look(device_.clock().now());
}

void Surroundings::beat() {
  if (real_) canary_.push_back(to_double(canary(device_.clock())));
}

void Surroundings::begin_segment() {
  if (real_) cpus_.begin(current_cpu());
}

void Surroundings::end_segment(std::string_view metric) {
  if (real_) cpus_.end(metric, current_cpu());
}

void Surroundings::begin_segment(Stream& stream) {
  begin_segment();
  device_.counters().begin(stream);
}

void Surroundings::end_segment(std::string_view metric, Stream& stream) {
  add_counted(metric, device_.counters().end(stream));
  end_segment(metric);
}

void Surroundings::stays_on(int cpu) {
  if (real_) cpus_.stays_on(cpu);
}

void Surroundings::keep_threads_on(const std::vector<int>& cpus) {
  if (sampler_) sampler_->keep_on(cpus);
}

void Surroundings::add_counted(std::string_view metric, const Counted& counted) {
  if (counted.mhz) clocks_[std::string(metric)].push_back(*counted.mhz);
}

void Surroundings::observe(nanoseconds from, Observations& o) const {
  o.outputs = outputs_;
  o.escaped_ns = escaped_ns_;
  o.disturbances = host_.since(from);
  o.cpus = cpus_.seen();
  for (const auto& [metric, mhz] : clocks_) o.clocks_per_pass[metric] = stats::middle_of(mhz);
}

void Surroundings::end_telemetry() {
  if (sampler_) sampled_ = sampler_->stop();
  sampler_.reset();
}

Telemetry Surroundings::telemetry() {
  end_telemetry();
  Telemetry t = std::move(sampled_);
  describe_canary(canary_, t);
  return t;
}

}  // namespace strobe
