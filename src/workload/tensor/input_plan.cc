// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/input_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "workload/tensor/dimension_sizes.h"

namespace strobe {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 60;

[[noreturn]] void refuse(const std::string& what, std::string cause, std::string advice = {}) {
  throw Error(ErrorCode::usage, what, std::move(cause), std::move(advice));
}

std::string declared_shape(const DeclaredInput& in) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < in.dims.size(); ++i) {
    parts.push_back(in.dims[i] >= 0                                   ? std::to_string(in.dims[i])
                    : i < in.symbols.size() && !in.symbols[i].empty() ? in.symbols[i]
                                                                      : "?");
  }
  return parts.empty() ? "scalar" : fmt::format("[{}]", fmt::join(parts, ", "));
}

// A shape somebody gave against the one the model declares.
void check_shape(const DeclaredInput& in, const std::vector<std::int64_t>& shape, const std::string& what) {
  if (shape.size() != in.dims.size()) {
    refuse(fmt::format("{} does not fit input '{}'", what, in.name),
           fmt::format("it has {}, the model wants {} ({})", counted(shape.size(), "dimension", "dimensions"),
                       in.dims.size(), declared_shape(in)));
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (in.dims[i] < 0 || in.dims[i] == shape[i]) continue;
    refuse(fmt::format("{} does not fit input '{}'", what, in.name),
           fmt::format("dimension {} is {}, the model wants {}", i, shape[i], declared_shape(in)));
  }
}

void check_type(const DeclaredInput& in, std::string_view type, const std::string& what) {
  if (type.empty()) return;
  const auto given = parse_tensor_type(type);
  if (!given)
    refuse(fmt::format("cannot read the type '{}'", type.substr(0, 20)),
           "it is none of f16, bf16, f32, f64, i8 to i64, u8 to u64, bool");
  if (*given != in.type)
    refuse(fmt::format("{} does not fit input '{}'", what, in.name),
           fmt::format("its type is {}, the model wants {}", type, name(in.type)));
}

using NamedSizes = std::vector<std::pair<std::string, std::string>>;

// The sizes that would settle the dimensions left open: by the dimensions' names where they have any.
NamedSizes open_sizes(const DeclaredInput& in, const DimensionSizes& sizes, const std::vector<std::string>& names) {
  constexpr const char* kSuggested = "128";
  NamedSizes options;
  std::vector<std::string> whole;
  bool all_named = true;
  for (std::size_t d = 0; d < in.dims.size(); ++d) {
    const auto size = sizes.of(in, d);
    whole.push_back(size ? std::to_string(*size) : kSuggested);
    if (size) continue;
    const std::string symbol = d < in.symbols.size() ? in.symbols[d] : "";
    const bool usable = std::find(names.begin(), names.end(), symbol) != names.end();
    all_named = all_named && usable && symbol.find('=') == std::string::npos;
    options.emplace_back(symbol, kSuggested);
  }
  if (all_named) return options;
  return {{in.name, fmt::format("{}", fmt::join(whole, "x"))}};
}

// Names every input whose shape is open at once, so that one paste settles all.
void check_open(const std::vector<DeclaredInput>& declared, const DimensionSizes& sizes, const OptionNames& own) {
  const std::vector<std::string> names = dimension_names(declared);
  std::vector<std::string> what;
  NamedSizes options;
  for (const DeclaredInput& in : declared) {
    bool open = false;
    for (std::size_t d = 0; d < in.dims.size(); ++d) open = open || !sizes.of(in, d);
    if (!open) continue;
    what.push_back(fmt::format("'{}' ({})", in.name, declared_shape(in)));
    for (auto& option : open_sizes(in, sizes, names)) {
      if (std::find(options.begin(), options.end(), option) == options.end()) options.push_back(std::move(option));
    }
  }
  if (what.empty()) return;
  refuse(fmt::format("the shape of input {} is open", fmt::join(what, " and ")), {},
         fmt::format("Give it, for example: {}", own.with("shape", options)));
}

void check_range(const DeclaredInput& in, const ValueRange& range, const OptionNames& own) {
  const ValueRange limits = limits_of(in.type);
  if (range.low >= limits.low && range.high <= limits.high) return;
  refuse(fmt::format("{} does not fit input '{}'", own.of("input-range"), in.name),
         fmt::format("{} holds values from {} to {}", name(in.type), limits.low, limits.high));
}

// What else was said about an input that comes from a file must agree with it.
void check_file(const DeclaredInput& in, const NpyArray& values, const std::string& file, const ModelOptions& o) {
  check_shape(in, values.shape, fmt::format("'{}'", file));
  check_type(in, name(values.type), fmt::format("'{}'", file));
  if (const auto shape = o.shapes.find(in.name); shape != o.shapes.end() && shape->second.dims != values.shape) {
    refuse(fmt::format("{} and '{}' disagree",
                       o.names.with("shape", {{in.name, fmt::format("{}", fmt::join(shape->second.dims, "x"))}}), file),
           fmt::format("the file's shape is {}", fmt::join(values.shape, "x")), "Leave one of them out.");
  }
  if (o.input_ranges.contains(in.name))
    refuse(fmt::format("cannot use {} for '{}'", o.names.of("input-range"), in.name),
           fmt::format("its values come from '{}'", file), "Leave one of them out.");
}

// What was given for each input, by itself.
ArraysByName read_given(const std::vector<DeclaredInput>& declared, const ModelOptions& o) {
  ArraysByName files;
  for (const DeclaredInput& in : declared) {
    if (const auto file = o.input_files.find(in.name); file != o.input_files.end()) {
      const auto read = files.emplace(in.name, read_npy(file->second)).first;
      check_file(in, read->second, file->second, o);
    } else if (const auto shape = o.shapes.find(in.name); shape != o.shapes.end()) {
      check_shape(in, shape->second.dims, o.names.of("shape"));
      check_type(in, shape->second.type, o.names.of("shape"));
    }
  }
  return files;
}

PlannedInput plan(const DeclaredInput& in, const ModelOptions& o, const DimensionSizes& sizes, ArraysByName& files) {
  PlannedInput p{in.name, in.type, {}, std::nullopt, std::nullopt};
  for (std::size_t d = 0; d < in.dims.size(); ++d) p.shape.push_back(*sizes.of(in, d));
  if (sizes.takes_batch(in)) p.batch_dimension = batch_dimension(in);
  if (const auto file = files.find(in.name); file != files.end()) {
    p.values = std::move(file->second);
    return p;
  }
  auto range = o.input_ranges.find(in.name);
  if (range == o.input_ranges.end()) range = o.input_ranges.find("*");
  if (range == o.input_ranges.end()) return p;
  check_range(in, range->second, o.names);
  p.range = range->second;
  return p;
}

// --batch must have had somewhere to go.
void check_batch(const std::vector<DeclaredInput>& declared, const ModelOptions& o) {
  if (!o.batch) return;
  bool any = false;
  for (const DeclaredInput& in : declared)
    any = any || batch_dimension(in) || (!in.dims.empty() && in.dims[0] == *o.batch);
  if (any) return;
  const std::int64_t fixed = declared.empty() || declared[0].dims.empty() ? 1 : declared[0].dims[0];
  refuse(fmt::format("cannot run with {}", o.names.with("batch", std::to_string(*o.batch))),
         fmt::format("the model has a fixed batch of {}", fixed), "Export it with a dynamic batch dimension.");
}

// --shape may name a dimension as well.
void check_shape_names(std::vector<std::string> inputs, const std::vector<std::string>& dimensions,
                       const ModelOptions& o) {
  const std::string own = fmt::format("Its inputs are {}", fmt::join(inputs, ", "));
  const std::string also = dimensions.empty() ? "" : fmt::format("; its dimensions {}", fmt::join(dimensions, ", "));
  inputs.insert(inputs.end(), dimensions.begin(), dimensions.end());
  for (const auto& [name, shape] : o.shapes) {
    if (std::find(inputs.begin(), inputs.end(), name) != inputs.end()) continue;
    refuse(fmt::format("cannot use {} for '{}'", o.names.of("shape"), name),
           also.empty() ? "the model has no such input" : "the model has no such input or dimension",
           fmt::format("{}{}.{}", own, also, did_you_mean(name, inputs)));
  }
}

}  // namespace

std::size_t PlannedInput::bytes() const {
  std::int64_t n = 1;
  for (const std::int64_t d : shape) {
    if (d > 0 && n > kMostElements / d)
      throw Error(ErrorCode::usage, fmt::format("input '{}' is too large", name), "its elements cannot be counted");
    n *= d;
  }
  return static_cast<std::size_t>(n) * size_of(type);
}

std::string PlannedInput::source() const {
  if (values) return "file";
  if (range) return fmt::format("random [{}, {})", range->low, range->high);
  return "random";
}

void check_input_names(const std::vector<DeclaredInput>& declared, const ModelOptions& o) {
  std::vector<std::string> names;
  for (const DeclaredInput& in : declared) names.push_back(in.name);
  const auto check = [&](const std::string& name, const std::string& option) {
    if (name == "*" || std::find(names.begin(), names.end(), name) != names.end()) return;
    refuse(fmt::format("cannot use {} for '{}'", option, name), "the model has no such input",
           fmt::format("Its inputs are {}.{}", fmt::join(names, ", "), did_you_mean(name, names)));
  };
  for (const auto& [name, file] : o.input_files) check(name, o.names.of("input"));
  for (const auto& [name, range] : o.input_ranges) check(name, o.names.of("input-range"));
  check_shape_names(names, dimension_names(declared), o);
}

std::vector<PlannedInput> plan_inputs(const std::vector<DeclaredInput>& declared, const ModelOptions& o) {
  check_input_names(declared, o);
  check_batch(declared, o);
  ArraysByName files = read_given(declared, o);
  const DimensionSizes sizes(declared, o, files);
  check_open(declared, sizes, o.names);
  std::vector<PlannedInput> planned;
  for (const DeclaredInput& in : declared) planned.push_back(plan(in, o, sizes, files));
  return planned;
}

void check_fits(const std::vector<PlannedInput>& inputs, std::size_t sets, std::optional<Bytes> available,
                std::uint64_t more) {
  std::uint64_t total = more;
  for (const PlannedInput& in : inputs) total += in.bytes() * sets;
  if (!available || total <= available->count) return;
  const bool usual = sets <= InputSets().count;
  const std::string what = usual ? std::string(more ? "inputs and outputs" : "the inputs")
                                 : fmt::format("{} sets of inputs{}", sets, more ? " and outputs" : "");
  throw Error(ErrorCode::out_of_memory, fmt::format("{} need {}", what, format_bytes(Bytes{total})),
              fmt::format("{} are free", format_bytes(*available)),
              fmt::format("Use {}a smaller batch or shape.", usual ? "" : "fewer sets, or "));
}

std::size_t items_of(const std::vector<PlannedInput>& inputs) {
  for (const PlannedInput& in : inputs) {
    if (in.batch_dimension) return static_cast<std::size_t>(in.shape[*in.batch_dimension]);
  }
  for (const PlannedInput& in : inputs) {
    if (!in.shape.empty() && in.shape[0] > 0) return static_cast<std::size_t>(in.shape[0]);
  }
  return 1;
}

}  // namespace strobe
