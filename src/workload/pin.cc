// SPDX-License-Identifier: Apache-2.0
#include "workload/pin.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include <strobe/error.h>

#include "host/affinity.h"
#include "record/scalars.h"

namespace strobe {
namespace {

[[noreturn]] void refuse(const std::string& how) {
  throw Error(ErrorCode::usage, fmt::format("cannot use --pin {}", how.substr(0, 40)),
              "it names no CPU that this process may use", "Take auto, off, a CPU like 5 or a list like 0-3,8.");
}

// A simulated one has a time of its own.
bool is_real_queue(const Device& device) {
  return device.can().asynchronous && device.info().kind != "simulated";
}

std::vector<int> named_cpus(const std::string& how) {
  std::vector<int> cpus = parse_cpu_list(how);
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  const std::vector<int> allowed = cpus_of_this_thread_unpinned();
  if (std::find_first_of(cpus.begin(), cpus.end(), allowed.begin(), allowed.end()) == cpus.end()) refuse(how);
  return cpus;
}

// To the GPU's side of the machine. Where it has nowhere to go it must not stay where the model before wanted it.
void go_near(const Device& device) {
  const DeviceInfo info = device.info();
  const auto node = fact<std::int64_t>(info.facts, "numa_node");
  if (!node || !pin_to(cpus_of_numa_node(static_cast<int>(*node)))) unpin();
}

}  // namespace

PinRule pin_rule(const Device& device, const std::string& how) {
  if (how == "off") return {};
  if (how == "auto") return {.here = is_real_queue(device)};
  return {.cpus = named_cpus(how)};
}

PinRule place_for_loading(const Device& device, const std::string& how) {
  PinRule rule = pin_rule(device, how);
  const bool for_all = rule.cpus.size() > 1 || (rule.cpus.size() == 1 && !is_real_queue(device));
  if (for_all && !pin_to(rule.cpus)) refuse(how);
  if (for_all) return {};
  if (how == "off") unpin();
  if (how != "off") go_near(device);
  return rule;
}

}  // namespace strobe
