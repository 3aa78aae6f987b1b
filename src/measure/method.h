// One way to time requests: each axis is a field. Users meet the names; the axes explain them (docs/methods.md).
#pragma once

#include <span>
#include <string_view>

namespace strobe {

struct Method {
  enum class Clock { host, device };
  enum class Wait { none, event, stream, device };
  enum class Read { request, end };
  enum class Scope { request, block };
  enum class Queue { drained, gated, full };
  enum class Form { eager, graph };

  std::string_view name;
  Clock clock = Clock::host;
  Wait wait = Wait::stream;
  Read read = Read::end;
  Scope scope = Scope::request;
  Queue queue = Queue::drained;
  Form form = Form::eager;
};

// What a pass of `run` measures, and by which method.
struct Pass {
  enum class Work { request, copy_in, copy_out, end_to_end };
  std::string_view metric;
  Method method;
  Work work = Work::request;
};

inline constexpr Pass kLatencyPass{"latency", {"latency", Method::Clock::host, Method::Wait::stream}};
inline constexpr Pass kSpanPass{"span", {"event", Method::Clock::device, Method::Wait::event}};
inline constexpr Pass kDeviceTimePass{
    "device_time", {"gated", Method::Clock::device, Method::Wait::event, Method::Read::end, Method::Scope::request, Method::Queue::gated}};
inline constexpr Pass kPeriodPass{
    "period", {"full", Method::Clock::host, Method::Wait::event, Method::Read::end, Method::Scope::request, Method::Queue::full}};
inline constexpr Pass kReplayPass{"replay_time",
                                  {"graph", Method::Clock::device, Method::Wait::event, Method::Read::end, Method::Scope::request,
                                   Method::Queue::gated, Method::Form::graph}};
inline constexpr Pass kCopyInPass{"copy_in", {"event", Method::Clock::device, Method::Wait::event}, Pass::Work::copy_in};
inline constexpr Pass kCopyOutPass{"copy_out", {"event", Method::Clock::device, Method::Wait::event}, Pass::Work::copy_out};
inline constexpr Pass kEndToEndPass{"end_to_end", {"latency", Method::Clock::host, Method::Wait::stream}, Pass::Work::end_to_end};

}  // namespace strobe
