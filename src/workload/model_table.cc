// SPDX-License-Identifier: Apache-2.0
#include "workload/model_table.h"

#include <array>

#include "base/format.h"
#include "host/facts.h"
#include "option/kinds.h"
#include "option/member.h"
#include "workload/runtime/plugins.h"
#include "workload/tensor/input_sets.h"
#include "workload/tensor/tensor_values.h"

namespace strobe {
namespace {

// Pools spin while they wait: a thousand threads on two cores stop the machine, not only the measurement.
struct ThreadCount : kinds::Count<1> {
  static void check(int v, std::string_view option) {
    constexpr std::int64_t kMostPerCore = 16;
    const std::int64_t cores = allowed_cpus();
    kinds::Count<1>::check(v, option);
    if (v > kMostPerCore * cores)
      kinds::refuse(fmt::format("cannot use {} {}", option, v),
                    fmt::format("this machine has {}", counted(static_cast<std::uint64_t>(cores), "core", "cores")));
  }
  static void read(const std::vector<std::string>& typed, std::string_view option, int& v) {
    kinds::Count<1>::read(typed, option, v);
    check(v, option);
  }
};

// "ids=1x128" or "sequence=128"; the text is kept.
struct ShapeTexts : kinds::Assignments {
  static void check(const Map& v, std::string_view option) {
    for (const auto& [name, text] : v) parse_shape(text, fmt::format("{} of '{}'", option, name));
  }
  static void read(const std::vector<std::string>& typed, std::string_view option, Map& v) {
    kinds::Assignments::read(kinds::single_assignments(typed), option, v);
    check(v, option);
  }
};

// "ids=0..30000", or "0..1" for all inputs.
struct RangeTexts : kinds::Plain {
  static constexpr bool kRepeatable = true;
  using Map = std::map<std::string, ValueRange>;

  static void read(const std::vector<std::string>& typed, std::string_view option, Map& v) {
    for (const std::string& text : kinds::single_assignments(typed)) {
      const std::size_t eq = text.find('=');
      if (eq == 0)
        kinds::refuse(fmt::format("cannot read {} '{}'", option, text), "nothing is before the '='",
                      "Write name=low..high, for example ids=0..30000.");
      const bool all = eq == std::string::npos;
      kinds::insert_once(v, all ? "*" : text.substr(0, eq), parse_range(all ? text : text.substr(eq + 1), option),
                         option);
    }
  }
  static void check(const Map& v, std::string_view option) {
    for (const auto& [name, range] : v) {
      if (!(range.low < range.high))
        kinds::refuse(fmt::format("cannot use {} of '{}'", option, name), "the lower end is not below the upper one");
    }
  }
  static void write(const Map& v, nlohmann::json& to) {
    for (const auto& [name, range] : v) to[name] = {range.low, range.high};
  }
  static void take(const nlohmann::json& from, Map& v) {
    for (const auto& [name, range] : from.items()) v[name] = {range.at(0), range.at(1)};
  }
  static void describe(const Map& v, const std::string& key, Scalars& s) {
    for (const auto& [name, range] : v) s[key + "." + name] = fmt::format("{}..{}", range.low, range.high);
  }
};

// "8", or "cache": as many as it takes to exceed it.
struct SetCount : kinds::Plain {
  static constexpr std::string_view kCache = "cache";
  static constexpr std::int64_t kMost = static_cast<std::int64_t>(kMostInputSets);

  static void read(const std::vector<std::string>& typed, std::string_view option, InputSets& v) {
    if (typed.back() == kCache)
      v = beyond_cache;
    else
      v.count = static_cast<std::size_t>(kinds::read_count(typed.back(), option, 1, kMost));
  }
  static void check(const InputSets& v, std::string_view option) { kinds::Count<1, kMost>::check(v.count, option); }
  static void write(const InputSets& v, nlohmann::json& to) {
    if (v.beyond_cache)
      to = std::string(kCache);
    else
      to = v.count;
  }
  static void take(const nlohmann::json& from, InputSets& v) {
    if (from.is_string())
      v = beyond_cache;
    else
      v.count = from.get<std::size_t>();
  }
  static void describe(const InputSets& v, const std::string& key, Scalars& s) {
    if (v.beyond_cache)
      s[key] = std::string(kCache);
    else
      s[key] = static_cast<std::int64_t>(v.count);
  }
};

std::vector<std::string> usual_devices() {
  return {"auto", "cpu", "cuda"};
}

std::vector<std::string> runtime_names() {
  std::vector<std::string> names;
  for (const RuntimeEntry& r : known_runtimes()) names.emplace_back(r.name);
  return names;
}

std::vector<std::string> usual_pins() {
  return {"auto", "off"};
}

std::vector<std::string> usual_input_sets() {
  return {std::string(SetCount::kCache)};
}

constexpr std::array<std::string_view, 2> kDtypes{"fp16", "bf16"};
constexpr std::array<std::string_view, 3> kStreams{"any", "fast", "slow"};
constexpr std::array<std::string_view, 1> kLayouts{"channels_last"};
constexpr std::int64_t kMostMhz = 100'000;
constexpr std::string_view kGroup = "What to measure, and on what";

constexpr std::array kModelTable{
    Option<Model>{"model",
                  "MODEL",
                  {},
                  "a file, zoo:NAME, sim:NAME, sim:key=value,… or work:spin=100us",
                  member<&Model::model, kinds::Text>(),
                  {.positional = true}},
    Option<Model>{"device",
                  "DEVICE",
                  kGroup,
                  "auto, cpu, cuda or cuda:N; of openvino also what it finds: gpu.0, npu",
                  member<&Model::device, kinds::Text>(),
                  {.suggestions = usual_devices}},
    Option<Model>{"runtime",
                  "NAME",
                  kGroup,
                  "by default the one that reads the file's suffix",
                  member<&Model::runtime, kinds::Text>(),
                  {.needs_file = true, .of_stages = true, .suggestions = runtime_names}},
    Option<Model>{"batch",
                  "N",
                  kGroup,
                  "items in a request, instead of the batch of --shape (default 1)",
                  member<&Model::batch, kinds::Count<1>>(),
                  {.recorded = Recorded::where_given, .needs_file = true, .of_stages = true}},
    Option<Model>{"shape",
                  "NAME=SHAPE",
                  kGroup,
                  "shape of an input, ids=1x128 or ids=1x128:i64; or size of a named dimension, sequence=128",
                  member<&Model::shape, ShapeTexts>(),
                  {.needs_file = true, .of_stages = true}},
    Option<Model>{"input",
                  "NAME=FILE",
                  kGroup,
                  "values of an input from a .npy file",
                  member<&Model::input, kinds::Assignments>(),
                  {.needs_file = true, .of_stages = true}},
    Option<Model>{"input-range",
                  "NAME=LOW..HIGH",
                  kGroup,
                  "random values of an input within low..high",
                  member<&Model::input_range, RangeTexts>(),
                  {.needs_file = true, .of_stages = true, .one_for_all = true}},
    Option<Model>{"input-sets",
                  "N",
                  kGroup,
                  "sets of inputs in rotation (default 2); cache: as many as exceed the last-level cache",
                  member<&Model::input_sets, SetCount>(),
                  {.recorded = Recorded::where_given, .of_stages = true, .suggestions = usual_input_sets}},
    Option<Model>{"threads",
                  "N",
                  kGroup,
                  "threads of the runtime on the CPU",
                  member<&Model::threads, ThreadCount>(),
                  {.recorded = Recorded::where_given, .needs_file = true, .of_stages = true}},
    Option<Model>{"dtype",
                  "WORD",
                  kGroup,
                  "convert weights and inputs: fp16 or bf16 (torch)",
                  member<&Model::dtype, kinds::TextOf<kDtypes>>(),
                  {.recorded = Recorded::where_given, .needs_file = true, .of_stages = true}},
    Option<Model>{"layout",
                  "WORD",
                  kGroup,
                  "order of images in memory: channels_last (torch)",
                  member<&Model::layout, kinds::TextOf<kLayouts>>(),
                  {.recorded = Recorded::where_given, .needs_file = true, .of_stages = true}},
    Option<Model>{"no-optimize",
                  {},
                  kGroup,
                  "without the runtime's optimisation for inference",
                  member<&Model::no_optimize, kinds::Without>(),
                  {.recorded = Recorded::where_given, .needs_file = true}},
    Option<Model>{"set",
                  "KEY=VALUE",
                  kGroup,
                  "a setting of the runtime, passed through",
                  member<&Model::set, kinds::Assignments>(),
                  {.recorded = Recorded::where_given, .needs_file = true, .of_stages = true}},
    Option<Model>{"pin",
                  "CPUS",
                  kGroup,
                  "CPUs to submit from: auto (on a GPU one that is near it), off, one like 5, or a list like 0-3,8",
                  member<&Model::pin, kinds::Text>(),
                  {.recorded = Recorded::where_given, .suggestions = usual_pins}},
    Option<Model>{"stream",
                  "WORD",
                  kGroup,
                  "fast or slow: a stream on which the device pauses less or more between kernels; any by default",
                  member<&Model::stream, kinds::TextOf<kStreams>>(),
                  {.recorded = Recorded::where_given}},
    Option<Model>{"lock-clocks",
                  "MHZ",
                  kGroup,
                  "hold the GPU's clock at this while all is measured, where that is permitted",
                  member<&Model::lock_clocks, kinds::Count<1, kMostMhz>>(),
                  {.recorded = Recorded::where_given}},
    Option<Model>{"seed",
                  "N",
                  kGroup,
                  "of random inputs (default 1)",
                  member<&Model::seed, kinds::Count<0>>(),
                  {.recorded = Recorded::always, .may_differ = true, .of_stages = true}},
};

}  // namespace

std::span<const Option<Model>> model_table() {
  return kModelTable;
}

}  // namespace strobe
