// SPDX-License-Identifier: Apache-2.0
#include "study/clock_hold.h"

#include <csignal>
#include <istream>
#include <ostream>
#include <string>
#include <sys/prctl.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "device/locked_clocks.h"
#include "study/worker.h"

namespace strobe {
namespace {

constexpr nanoseconds kLockPatience = 60s;  // where the driver's library has to start the GPU first

// Workers end with their parent; this one ends after it.
void outlive_parent() {
  ::prctl(PR_SET_PDEATHSIG, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
}

}  // namespace

ClockHold::ClockHold(const Model& m) {
  if (!m.lock_clocks) return;
  if (m.model.starts_with("sim:"))
    throw Error(ErrorCode::unsupported, "cannot lock the clock", "a simulated device has none",
                "Leave --lock-clocks out.");
  guardian_ = std::make_unique<Worker>(kClockJob, nlohmann::json{{"device", m.device}, {"mhz", *m.lock_clocks}});
  guardian_->answer(kLockPatience);
}

ClockHold::~ClockHold() = default;

Model one_clock_of(std::span<const Model* const> models) {
  Model one;
  for (const Model* m : models) {
    if (m == models.front()) one = *m;
    if (m->lock_clocks != one.lock_clocks || (m->lock_clocks && m->device != one.device))
      throw Error(ErrorCode::usage, "cannot lock the clock for some of the candidates",
                  "they are measured in turns, and the clock is the GPU's",
                  "Give all of them the same --lock-clocks and --device.");
  }
  return one;
}

void guard_clock(const nlohmann::json& options, std::istream& parent, std::ostream& answers) {
  outlive_parent();
  const LockedClocks locked(options.at("device").get<std::string>(), options.at("mhz").get<unsigned>());
  answers << "{}\n" << std::flush;
  for (std::string line; std::getline(parent, line);) {
  }
}

}  // namespace strobe
