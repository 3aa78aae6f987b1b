// SPDX-License-Identifier: Apache-2.0
// Which model, on what, fed with what. The members are called as the options of the command line, mean the same and
// have the same defaults (docs/cli.md); errors call them by those names, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace strobe {

// Half-open, [low, high).
struct ValueRange {
  double low = 0, high = 1;
  bool operator==(const ValueRange&) const = default;
};

// How many sets of inputs requests rotate over.
struct InputSets {
  std::size_t count = 2;      // these, at least …
  bool beyond_cache = false;  // … and as many as make all of them exceed the device's last-level cache twice

  constexpr InputSets() = default;
  constexpr InputSets(std::size_t n) : count(n) {}
  bool operator==(const InputSets&) const = default;
};
inline constexpr InputSets beyond_cache = [] {
  InputSets sets;
  sets.beyond_cache = true;
  return sets;
}();

struct Model {
  std::string model = {};                  // a file, zoo:NAME, sim:NAME, sim:key=value,... or work:spin=100us
  std::string device = "auto";             // auto (the first usable GPU, else the CPU), cpu, cuda:1; openvino: gpu.0
  std::string runtime = {};                // empty: the one that reads the file's suffix
  std::optional<std::int64_t> batch = {};  // items in a request; none: 1, or what the shape says
  std::map<std::string, std::string> shape = {};  // by input, {"ids", "1x128:i64"}, or dimension, {"sequence", "128"}
  std::map<std::string, std::string> input = {};  // values by input: a .npy file
  std::map<std::string, ValueRange> input_range = {};  // random values by input; "*" for all others
  std::optional<InputSets> input_sets = {};            // a number, or strobe::beyond_cache; none: 2
  std::optional<int> threads = {};                     // of the runtime, on the CPU
  std::string dtype = {};                              // fp16, bf16: weights and inputs converted (torch)
  std::string layout = {};                             // channels_last (torch)
  bool no_optimize = false;                            // without the runtime's optimisation for inference
  std::map<std::string, std::string> set = {};         // settings of the runtime, passed through
  std::string pin = "auto";                            // CPUs to submit from: auto, off, 5, or a list like 0-3,8
  std::string stream = "any";                          // fast, slow: one whose pause between kernels is of that level
  std::optional<int> lock_clocks = {};                 // MHz: of the GPU's processors, over all processes of a study
  std::uint64_t seed = 1;                              // of random inputs
  std::function<void(const std::string&)> log = {};    // the runtime's own warnings
};

}  // namespace strobe
