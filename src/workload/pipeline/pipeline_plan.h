// SPDX-License-Identifier: Apache-2.0
// What a pipeline consists of, as its user wrote it: every value is read, nothing is opened yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <strobe/model.h>

#include "base/units.h"
#include "device/simulated/parameters.h"
#include "workload/runtime/runtime.h"

namespace strobe {

// Work on the host: done when it returns.
struct RandnTask {  // fills a tensor with normal numbers, then scales it in a second pass
  std::vector<std::int64_t> shape;
  double scale = 1, offset = 0;
};
struct SpinTask {
  nanoseconds length{};
};
struct SleepTask {
  nanoseconds length{};
};
struct MemcpyTask {
  Bytes bytes;
};
struct FunctionTask {  // void symbol(void)
  std::string library, symbol;
};

// Between host and device.
struct CopyTask {
  enum class Direction { in, out } direction = Direction::in;
  Bytes bytes;
  bool pinned = true;
};

// Kernels on the simulated device; of the parameters only those of the work count.
struct SimulatedTask {
  SimParameters work;
  bool own_kernel_launch = false;  // its cost of a kernel launch is given; otherwise it is the device's
};

// A model is a file, zoo:NAME or work:NAME; its device is the pipeline's.
using Task = std::variant<Model, RandnTask, SpinTask, SleepTask, MemcpyTask, FunctionTask, CopyTask, SimulatedTask>;

// What reports call the host among the streams of a pipeline: no stream may have its name, they would be one.
inline constexpr const char* kHostLane = "host";

inline constexpr std::uint32_t kMostRepeats = 100'000;  // of a stage in an iteration

struct StagePlan {
  std::string name;
  Task task;
  std::string stream = "main";          // stages of one stream run in order; no meaning for work on the host
  std::vector<std::string> after = {};  // earlier stages that must have ended
  std::uint32_t repeat = 1;
  std::string where = {};  // "pipe.yaml:7:5", for what goes wrong later
};

struct PipelinePlan {
  std::string name;
  std::string device = "auto";
  std::optional<std::size_t> iterations;
  std::vector<StagePlan> stages;
  std::size_t in_flight = 1;  // iterations that may overlap: what they must not share has as many buffers
  std::uint64_t launch = 0;   // which process of a study: simulated devices differ by it
};

}  // namespace strobe
