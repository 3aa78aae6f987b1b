// SPDX-License-Identifier: Apache-2.0
#include "cli/stage_tasks.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"

namespace strobe::cli {

using yaml::Key;
using yaml::Value;

std::string beside(const Value& v, const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(*v.file).parent_path();
  return folder.empty() || std::filesystem::path(path).is_absolute() ? path : (folder / path).string();
}

std::string word_of(const Value& v, std::initializer_list<std::string> words) {
  const std::string word = v.text();
  const std::vector<std::string> known(words);
  if (std::find(known.begin(), known.end(), word) == known.end())
    v.refuse(fmt::format("unknown {} '{}'", v.key, word.substr(0, 40)), {},
             fmt::format("Take {}.{}", fmt::join(known, " or "), did_you_mean(word, known)));
  return word;
}

namespace {

// Anything but work that takes no time, or more than a person waits for.
nanoseconds length_of(const Value& v) {
  const nanoseconds t = v.read(parse_time);
  if (t < 1ns || t > 1h) v.refuse(fmt::format("cannot read '{}'", v.key), "expected 1ns to 1h");
  return t;
}

Bytes size_of(const Value& v) {
  const Bytes b = v.read(parse_bytes);
  if (b.count < 1) v.refuse(fmt::format("cannot read '{}'", v.key), "expected at least 1B");
  return b;
}

std::vector<std::int64_t> dims_of(const Value& v) {
  const ShapeText shape = v.read(parse_shape);
  if (!shape.type.empty()) v.refuse("cannot use a type here", "randn makes f32");
  return shape.dims;
}

constexpr std::array kRandn{
    Key<RandnTask>{"shape", [](const Value& v, RandnTask& t) { t.shape = dims_of(v); }},
    Key<RandnTask>{"scale", [](const Value& v, RandnTask& t) { t.scale = v.read(parse_number); }},
    Key<RandnTask>{"offset", [](const Value& v, RandnTask& t) { t.offset = v.read(parse_number); }},
};

Task read_randn(const Value& v) {
  RandnTask t;
  if (!v.is_map()) {
    t.shape = dims_of(v);
    return t;
  }
  if (!yaml::read_map(v, "randn", kRandn, t).contains("shape"))
    v.refuse("randn has no 'shape'", "expected one like 1x3x512x512");
  return t;
}

constexpr std::array kFunction{
    Key<FunctionTask>{"library",
                      [](const Value& v, FunctionTask& t) {
                        t.library = v.text();
                        if (t.library.find('/') != std::string::npos) t.library = beside(v, t.library);
                      }},
    Key<FunctionTask>{"symbol", [](const Value& v, FunctionTask& t) { t.symbol = v.text(); }},
};

Task read_function(const Value& v) {
  FunctionTask t;
  if (yaml::read_map(v, "function", kFunction, t).size() != kFunction.size())
    v.refuse("a function needs 'library' and 'symbol'", "one is missing");
  return t;
}

constexpr std::array kHost{
    Key<Task>{"randn", [](const Value& v, Task& t) { t = read_randn(v); }},
    Key<Task>{"spin", [](const Value& v, Task& t) { t = SpinTask{length_of(v)}; }},
    Key<Task>{"sleep", [](const Value& v, Task& t) { t = SleepTask{length_of(v)}; }},
    Key<Task>{"memcpy", [](const Value& v, Task& t) { t = MemcpyTask{size_of(v)}; }},
    Key<Task>{"function", [](const Value& v, Task& t) { t = read_function(v); }},
};

constexpr std::array kCopy{
    Key<CopyTask>{"direction",
                  [](const Value& v, CopyTask& t) {
                    t.direction =
                        word_of(v, {"in", "out"}) == "in" ? CopyTask::Direction::in : CopyTask::Direction::out;
                  }},
    Key<CopyTask>{"bytes", [](const Value& v, CopyTask& t) { t.bytes = size_of(v); }},
    Key<CopyTask>{"memory",
                  [](const Value& v, CopyTask& t) { t.pinned = word_of(v, {"pinned", "pageable"}) == "pinned"; }},
};

// As keys of the simulated device, whose parser knows what they may be.
template <const char* Name>
void read_sim_key(const Value& v, SimulatedTask& t) {
  const SimParameters p = v.read([](std::string_view text, std::string_view) {
    if (text.find(',') != std::string_view::npos)
      throw Error(ErrorCode::usage, fmt::format("cannot read '{}'", text.substr(0, 40)), "it has a comma");
    return parse_sim(fmt::format("{}={}", Name, text));
  });
  constexpr std::string_view name = Name;
  if (name == "kernels") t.work.kernels = p.kernels;
  if (name == "launch") {
    t.work.kernel_launch = p.kernel_launch;
    t.own_kernel_launch = true;
  }
  if (name == "hidden_sync") t.work.hidden_sync = p.hidden_sync;
}
constexpr char kKernels[] = "kernels", kLaunch[] = "launch", kHiddenSync[] = "hidden_sync";

constexpr std::array kSim{Key<SimulatedTask>{kKernels, read_sim_key<kKernels>},
                          Key<SimulatedTask>{kLaunch, read_sim_key<kLaunch>},
                          Key<SimulatedTask>{kHiddenSync, read_sim_key<kHiddenSync>}};

}  // namespace

Task read_host(const Value& v) {
  Task t;
  if (!v.is_map() || yaml::read_map(v, "cpu", kHost, t).size() != 1)
    v.refuse("expected one task for 'cpu'", {},
             fmt::format("Take one of {}, like 'cpu: {{spin: 100us}}'.", fmt::join(yaml::names_of(kHost), ", ")));
  return t;
}

Task read_copy(const Value& v) {
  CopyTask t;
  const auto seen = yaml::read_map(v, "copy", kCopy, t);
  for (const char* key : {"direction", "bytes"}) {
    if (!seen.contains(key))
      v.refuse(fmt::format("a copy has no '{}'", key), {}, "Write {direction: in, bytes: 64MiB}.");
  }
  return t;
}

Task read_sim(const Value& v) {
  SimulatedTask t;
  yaml::read_map(v, "sim", kSim, t);
  if (t.work.kernel_time() == 0ns)
    v.refuse("simulated work has no kernels", {}, "Write {kernels: 20x1us}, for example.");
  return t;
}

}  // namespace strobe::cli
