// SPDX-License-Identifier: Apache-2.0
#include "measure/method.h"

#include <algorithm>
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

constexpr NamedMethod kFirstCall{{.name = "first-call", .wait = Wait::none, .warmup = false, .once = true},
                                 metric::first_request,
                                 "one cold call, once: counts what only the first request does"};

// What a combination of axes is refused for.
struct Refusal {
  bool (*of)(const Method&);
  std::string_view what, cause, advice;
};

bool is_block(const Method& m) {
  return m.scope == Scope::block;
}
bool on_host(const Method& m) {
  return m.clock == Method::Clock::host;
}
bool is_gated(const Method& m) {
  return m.queue == Method::Queue::gated;
}
bool is_full(const Method& m) {
  return m.queue == Method::Queue::full;
}
bool is_graph(const Method& m) {
  return m.form == Form::graph;
}

constexpr std::array kRefusals{
    Refusal{[](const Method& m) { return !on_host(m) && m.wait == Wait::none && m.read == Method::Read::request; },
            "cannot read a device clock at once without waiting", "the device has not reached the mark yet",
            "Wait for the mark, or read all marks at the end."},
    Refusal{[](const Method& m) { return is_gated(m) && on_host(m); },
            "cannot time a gated request by the host's clock", "it would count the time for which the gate is held",
            "Take clock=device, or queue=drained."},
    Refusal{[](const Method& m) { return is_full(m) && !is_block(m) && m.wait == Wait::none; },
            "cannot keep a queue full without waiting", "nothing would limit how many requests are in flight",
            "Take wait=event, which waits for the oldest request, or queue=drained."},
    Refusal{[](const Method& m) { return is_full(m) && !is_block(m) && m.wait != Wait::event; },
            "cannot wait for all work in a full queue", "the queue would be empty after each request",
            "Take wait=event, which waits for the oldest request."},
    Refusal{[](const Method& m) { return is_full(m) && m.cold; }, "cannot flush the cache in a full queue",
            "the cache cannot be flushed between requests in a full queue", "Take queue=drained or cache=hot."},
    Refusal{[](const Method& m) { return is_block(m) && m.cold; }, "cannot time a block with a cold cache",
            "only the first request of a block would find the cache cold", "Take scope=request or cache=hot."},
    Refusal{[](const Method& m) { return m.second && !is_gated(m); }, "cannot time a second request without a gate",
            "only behind a gate does another request stand before it", "Take queue=gated."},
    Refusal{[](const Method& m) { return m.spin_gate && !is_gated(m); }, "cannot choose a gate without one",
            "nothing holds the queue back", "Take queue=gated."},
    Refusal{[](const Method& m) {
              return !m.warmup &&
                     (m.queue != Method::Queue::drained || is_graph(m) || m.copies || m.cold || m.same_input);
            },
            "cannot time the first requests in this way",
            "the first requests of all are made once for all rows: drained, eager, hot, with rotating inputs and "
            "without copies",
            "Leave warmup=false out, or these axes."},
    Refusal{[](const Method& m) { return m.once && (m.warmup || is_block(m)); },
            "cannot time the first request of all after others", "there is one such request, before any warm-up",
            "Take warmup=false and scope=request."},
};

// What a reading counts, by its axes; the first that is true says it.
struct Phrase {
  bool (*of)(const Method&);
  std::string_view words;
};

constexpr std::array kPhrases{
    Phrase{[](const Method& m) { return m.idle.length > nanoseconds{}; },
           "one request after each pause: what host and device need to wake is in it"},
    Phrase{[](const Method& m) { return m.once; }, kFirstCall.about},
    Phrase{[](const Method& m) { return !m.warmup; }, "counts the first requests too"},
    Phrase{[](const Method& m) { return is_block(m) && on_host(m) && m.wait == Wait::none; },
           "a block that is submitted, not one that is done"},
    Phrase{[](const Method& m) { return is_block(m) && on_host(m) && is_full(m); },
           "a block that begins while earlier requests still run: counts the rest of these, too"},
    Phrase{[](const Method& m) { return is_block(m) && is_full(m); },
           "one pair of marks around a block behind requests that still run: no gap before its first kernel"},
    Phrase{[](const Method& m) { return is_block(m) && is_gated(m); },
           "a block queued whole before the device may start: device work alone"},
    Phrase{is_block, "one pair of clock readings around a block"},
};

constexpr std::array kPhrasesOfRequests{
    Phrase{[](const Method& m) { return is_full(m) && on_host(m); },
           "the distance of completions in a full queue: the throughput, not the latency of one request"},
    Phrase{is_full, "marks around each request of a full queue: device work, if the host keeps the queue full"},
    Phrase{is_gated, "queued whole before the device may start: device work alone"},
    Phrase{[](const Method& m) { return on_host(m) && m.wait == Wait::none; }, "counts submission only"},
    Phrase{[](const Method& m) { return on_host(m) && m.copies; }, "counts the copies of inputs and outputs too"},
    Phrase{[](const Method& m) { return on_host(m) && m.wait == Wait::event; },
           "until its end mark, whose recording it counts"},
    Phrase{on_host, "until the work is done"},
    Phrase{[](const Method& m) { return m.wait == Wait::none && m.cold; },
           "queued behind a flush without waiting: right while the flush takes longer than submitting"},
    Phrase{is_graph, "a captured graph: counts its one launch"},
    Phrase{[](const Method& m) { return m.wait == Wait::none; }, "queued without waiting"},
    Phrase{[](const Method&) { return true; }, "counts the gaps in which the device waits for the host"},
};

template <class Phrases>
std::string_view phrase(const Phrases& all, const Method& m) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const Phrase& p) { return p.of(m); });
  return it == all.end() ? std::string_view() : it->words;
}

}  // namespace

void check_method(const Method& m) {
  for (const Refusal& r : kRefusals) {
    if (r.of(m))
      throw Error(ErrorCode::invalid_method, std::string(r.what), std::string(r.cause), std::string(r.advice));
  }
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
const NamedMethod& first_call() {
  return kFirstCall;
}

std::string_view claim_of(const Method& m) {
  if (m.once) return metric::first_request;
  const bool rate = is_block(m) || (is_full(m) && on_host(m));
  if (rate) return is_graph(m) ? std::string_view() : metric::period;
  if (on_host(m)) return is_graph(m) ? metric::replay_latency : metric::latency;
  return is_graph(m) ? metric::replay_time : metric::device_time;
}

std::string_view about(const Method& m, bool asynchronous) {
  const std::string_view words = phrase(kPhrases, m);
  if (!words.empty()) return words;
  return asynchronous ? phrase(kPhrasesOfRequests, m) : "each request between two clock readings";
}

}  // namespace strobe
