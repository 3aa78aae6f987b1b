// SPDX-License-Identifier: Apache-2.0
#include "measure/method.h"

#include <array>

#include <strobe/error.h>

#include "base/units.h"
#include "device/device.h"
#include "record/metric_names.h"

namespace strobe {
namespace {

using Wait = Method::Wait;
using Scope = Method::Scope;
using Form = Method::Form;

constexpr std::array kNamed{
    NamedMethod{{.name = "naive", .wait = Wait::none},
                metric::latency,
                "stops the clock when the work is submitted, not when it is done"},
    NamedMethod{{.name = "sync", .wait = Wait::device},
                metric::latency,
                "waits for the whole device: what a caller waits for, launches included"},
    NamedMethod{{.name = "event", .clock = Method::Clock::device, .wait = Wait::event},
                metric::device_time,
                "marks on an idle device: counts every gap in which the device waits for the host"},
    NamedMethod{{.name = "event-queued", .clock = Method::Clock::device, .wait = Wait::none},
                metric::device_time,
                "marks without waiting: right once the queue is full, if the host keeps it full"},
    NamedMethod{{.name = "block-host", .wait = Wait::device, .scope = Scope::block},
                metric::period,
                "one pair of host times around a block: the throughput, not the latency of one request"},
    NamedMethod{{.name = "block-device", .clock = Method::Clock::device, .wait = Wait::event, .scope = Scope::block},
                metric::period,
                "one pair of marks around a block: the throughput, not the work of one request"},
    NamedMethod{kDeviceTimePass.method, metric::device_time,
                "queued whole before the device may start: device work alone"},
    NamedMethod{kReplayPass.method, metric::replay_time,
                "a captured graph from a full queue: a different program from the eager one"},
    NamedMethod{{.name = "graph-event", .clock = Method::Clock::device, .wait = Wait::event, .form = Form::graph},
                metric::replay_time,
                "a captured graph on an idle device: counts its one launch"},
    NamedMethod{{.name = "sync-copies", .wait = Wait::device, .copies = true},
                metric::latency,
                "counts the copies of inputs and outputs too"},
};

// What the gate, the cache and the input do.
constexpr Method with(Method m, std::string_view name, bool cold, bool same, bool spin) {
  m.name = name;
  m.cold = cold;
  m.same_input = same;
  m.spin_gate = spin;
  return m;
}
constexpr Method second(Method m) {
  m.name = "gated-second";
  m.second = true;
  return m;
}
constexpr Method kSync{.name = "sync", .wait = Wait::device};

constexpr std::array kSpecial{
    NamedMethod{with(kDeviceTimePass.method, "gated-spin", false, false, true), metric::device_time,
                "the gate is a spinning kernel: it should read the same"},
    NamedMethod{second(kDeviceTimePass.method), metric::device_time,
                "the second of two requests behind one gate: it should read the same"},
    NamedMethod{with(kDeviceTimePass.method, "gated-cold", true, false, false), metric::device_time,
                "the cache is flushed before each request: weights and inputs come from memory"},
    NamedMethod{with(kSync, "sync-cold", true, false, false), metric::latency, "as sync, with a flushed cache"},
    NamedMethod{with(kDeviceTimePass.method, "gated-same", false, true, false), metric::device_time,
                "every request has the same input, which the cache may still hold"},
    NamedMethod{with(kSync, "sync-same", false, true, false), metric::latency,
                "as sync, with the same input each time"},
};

const char* word(Method::Clock x) {
  return x == Method::Clock::host ? "host" : "device";
}
const char* word(Wait x) {
  return x == Wait::none ? "none" : x == Wait::event ? "event" : x == Wait::stream ? "stream" : "device";
}
const char* word(Method::Read x) {
  return x == Method::Read::request ? "request" : "end";
}
const char* word(Scope x) {
  return x == Scope::request ? "request" : "block";
}
const char* word(Method::Queue x) {
  return x == Method::Queue::drained ? "drained" : x == Method::Queue::gated ? "gated" : "full";
}
const char* word(Form x) {
  return x == Form::eager ? "eager" : "graph";
}

}  // namespace

void check_method(const Method& m) {
  if (m.clock == Method::Clock::device && m.wait == Wait::none && m.read == Method::Read::request) {
    throw Error(ErrorCode::invalid_method, "cannot read a device clock at once without waiting",
                "the device has not reached the mark yet", "Wait for the mark, or read all marks at the end.");
  }
}

Scalars axes(const Method& m, const std::string& gate) {
  Scalars all{{"clock", std::string(word(m.clock))},
              {"wait", std::string(word(m.wait))},
              {"read", std::string(word(m.read))},
              {"scope", std::string(word(m.scope))},
              {"queue", std::string(word(m.queue))},
              {"form", std::string(word(m.form))},
              {"cache", std::string(m.cold ? "cold" : "hot")},
              {"input", std::string(m.same_input ? "same" : "rotating")},
              {"gate", m.spin_gate ? "spin" : gate},
              {"warmup", m.warmup},
              {"copies", m.copies}};
  if (m.idle.length <= nanoseconds{}) return all;
  all["idle_ns"] = to_double(m.idle.length);
  all["idle_random"] = m.idle.random;
  return all;
}

std::span<const NamedMethod> named_methods() {
  return kNamed;
}
std::span<const NamedMethod> special_methods() {
  return kSpecial;
}

bool is_usual(const Method& m, const Device& device) {
  if (device.info().kind != "simulated") return true;
  if (m.cold || m.same_input) return device.last_level_cache().has_value();
  return !m.spin_gate && !m.second;
}

}  // namespace strobe
