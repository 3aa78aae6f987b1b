// SPDX-License-Identifier: Apache-2.0
// One way to time requests: each axis is a field. Users meet the names; the axes explain them (docs/methods.md).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <strobe/measure.h>
#include <strobe/record.h>
#include <strobe/workload.h>

#include "record/metric_names.h"

namespace strobe {

struct Method {
  enum class Clock { host, device };
  enum class Wait { none, event, stream, device };
  enum class Read { request, end };
  enum class Scope { request, block };
  enum class Queue { drained, gated, full };
  enum class Form { eager, graph };

  std::string_view name = {};
  Clock clock = Clock::host;
  Wait wait = Wait::stream;
  Read read = Read::end;
  Scope scope = Scope::request;
  Queue queue = Queue::drained;
  Form form = Form::eager;
  bool warmup = true;       // off: the first requests of all count
  bool copies = false;      // inputs and outputs are copied inside the interval
  bool cold = false;        // the cache is flushed before each request, outside the interval
  bool same_input = false;  // every request has the first input set
  bool second = false;      // gated: another request stands before it behind the same gate
  IdlePause idle = {};      // before each request, outside the interval; the host sleeps
  bool spin_gate = false;   // the gate is a kernel that spins, not a wait of the stream
  bool once = false;        // nothing but the very first request of all counts
};

// Throws Error (invalid_method) for a combination of axes that has no meaning; its cause is one sentence.
void check_method(const Method&);

// A named method as users meet it: what it includes or misses, and which metric people take it for.
struct NamedMethod {
  Method method;
  std::string_view claims;  // latency, device_time, replay_time or period: what its reading is compared with
  std::string_view about;
};
std::span<const NamedMethod> named_methods();
std::span<const NamedMethod> special_methods();  // of which not every device has each: see is_usual
// Whether a device shows it without being asked for it: a simulated one has one kind of gate, and perhaps no cache.
bool is_usual(const Method&, const Device&);
const NamedMethod& first_call();  // one cold call, as a user sees it who tries it once

// Named or not: the metric that people take its reading for (empty: none that is measured here), and one phrase.
std::string_view claim_of(const Method&);
std::string_view about(const Method&, bool asynchronous);

// What a pass of `run` measures, and by which method.
struct Pass {
  enum class Work { request, copy_in, copy_out };
  std::string_view metric;
  Method method;
  Work work = Work::request;
  HostMemory memory = HostMemory::pinned;  // of copies
  bool apart = false;                      // run: in the first launch only, after what all launches repeat
};

inline constexpr Pass kLatencyPass{metric::latency, {.name = "latency"}};
inline constexpr Pass kSpanPass{
    .metric = metric::span,
    .method = {.name = "event", .clock = Method::Clock::device, .wait = Method::Wait::event},
    .apart = true};
inline constexpr Pass kDeviceTimePass{
    metric::device_time,
    {.name = "gated", .clock = Method::Clock::device, .wait = Method::Wait::event, .queue = Method::Queue::gated}};
inline constexpr Pass kPeriodPass{metric::period,
                                  {.name = "full", .wait = Method::Wait::event, .queue = Method::Queue::full}};
inline constexpr Pass kReplayPass{metric::replay_time,
                                  {.name = "graph",
                                   .clock = Method::Clock::device,
                                   .wait = Method::Wait::event,
                                   .queue = Method::Queue::gated,
                                   .form = Method::Form::graph}};
// A graph is a deployment of its own: what its caller waits for, and how many it does a second.
inline constexpr Pass kReplayLatencyPass{metric::replay_latency, {.name = "latency", .form = Method::Form::graph}};
inline constexpr Pass kReplayPeriodPass{
    metric::replay_throughput,
    {.name = "full", .wait = Method::Wait::event, .queue = Method::Queue::full, .form = Method::Form::graph}};
inline constexpr Pass kCopyInPass{metric::copy_in, kSpanPass.method, Pass::Work::copy_in};
inline constexpr Pass kCopyOutPass{metric::copy_out, kSpanPass.method, Pass::Work::copy_out};
inline constexpr Pass kPageableInPass{metric::copy_in_pageable, kSpanPass.method, Pass::Work::copy_in,
                                      HostMemory::pageable};
inline constexpr Pass kPageableOutPass{metric::copy_out_pageable, kSpanPass.method, Pass::Work::copy_out,
                                       HostMemory::pageable};
inline constexpr Pass kEndToEndPass{metric::end_to_end, {.name = "latency", .copies = true}};

}  // namespace strobe
