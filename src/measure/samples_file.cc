// SPDX-License-Identifier: Apache-2.0
#include "measure/samples_file.h"

#include <iterator>

#include <fmt/format.h>

namespace strobe {
namespace {

const char* state_word(const Sample& s, nanoseconds cut) {
  switch (s.state) {
    case SampleState::settling:
      return "settling";
    case SampleState::voided:
      return "voided";
    case SampleState::kept:
      return s.begin < cut ? "warm-up" : "kept";
  }
  return "kept";
}

}  // namespace

std::string samples_csv(const Measurement& m) {
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out), "pass,round,state,requests,begin_ns,submitted_ns,done_ns,device_ns\n");
  for (const PassSamples& p : m.passes) {
    for (const Sample& s : p.samples) {
      fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{}\n", p.pass.metric, s.round,
                     state_word(s, m.steady_from()), s.requests, s.begin.count(), s.submitted.count(), s.done.count(),
                     s.device.count());
    }
  }
  return fmt::to_string(out);
}

}  // namespace strobe
