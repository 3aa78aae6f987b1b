#include "workload/input_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"

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
    refuse(
        fmt::format("{} does not fit input '{}'", what, in.name),
        fmt::format("it has {} dimensions, the model wants {} ({})", shape.size(), in.dims.size(), declared_shape(in)));
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

// The option that would settle the dimensions left open, ready to paste.
std::string paste(const DeclaredInput& in, std::int64_t batch) {
  std::vector<std::int64_t> dims = in.dims;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0) dims[i] = i == 0 ? batch : 128;
  }
  const std::string option = fmt::format("{}={}", in.name, fmt::join(dims, "x"));
  const bool plain = option.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.=/:-") ==
                     std::string::npos;
  return fmt::format("--shape {0}{1}{0}", plain ? "" : "'", option);
}

bool is_open(const DeclaredInput& in, const ModelOptions& o) {
  if (o.shapes.contains(in.name) || o.input_files.contains(in.name)) return false;
  for (std::size_t i = 0; i < in.dims.size(); ++i) {
    const bool settled = in.dims[i] >= 0 || i == 0 || (in.usual && in.usual->dims.size() == in.dims.size());
    if (!settled) return true;
  }
  return false;
}

// Names every input whose shape is open at once, so that one paste settles all.
void check_open(const std::vector<DeclaredInput>& declared, const ModelOptions& o) {
  std::vector<std::string> what, options;
  for (const DeclaredInput& in : declared) {
    if (!is_open(in, o)) continue;
    what.push_back(fmt::format("'{}' ({})", in.name, declared_shape(in)));
    options.push_back(paste(in, o.batch.value_or(1)));
  }
  if (what.empty()) return;
  refuse(fmt::format("the shape of input {} is open", fmt::join(what, " and ")), {},
         fmt::format("Give it, for example: {}", fmt::join(options, " ")));
}

std::vector<std::int64_t> random_shape(const DeclaredInput& in, const ModelOptions& o) {
  const std::int64_t batch = o.batch.value_or(1);
  if (const auto given = o.shapes.find(in.name); given != o.shapes.end()) {
    check_shape(in, given->second.dims, "--shape");
    check_type(in, given->second.type, "--shape");
    if (o.batch && !in.dims.empty() && in.dims[0] < 0 && given->second.dims[0] != batch) {
      refuse(fmt::format("--batch {} and --shape {}={} disagree", batch, in.name, fmt::join(given->second.dims, "x")),
             "dimension 0 is the batch", "Leave one of them out.");
    }
    return given->second.dims;
  }
  std::vector<std::int64_t> shape = in.dims;
  if (in.usual && in.usual->dims.size() == shape.size()) {
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = shape[i] < 0 ? in.usual->dims[i] : shape[i];
  }
  if (!in.dims.empty() && in.dims[0] < 0) shape[0] = batch;
  return shape;
}

void check_range(const DeclaredInput& in, const ValueRange& range) {
  const ValueRange limits = limits_of(in.type);
  if (range.low >= limits.low && range.high <= limits.high) return;
  refuse(fmt::format("--input-range does not fit input '{}'", in.name),
         fmt::format("{} holds values from {} to {}", name(in.type), limits.low, limits.high));
}

// What else was said about an input that comes from a file must agree with it.
void check_file(const DeclaredInput& in, const NpyArray& values, const std::string& file, const ModelOptions& o) {
  check_shape(in, values.shape, fmt::format("'{}'", file));
  check_type(in, name(values.type), fmt::format("'{}'", file));
  if (o.batch && !in.dims.empty() && values.shape[0] != *o.batch) {
    refuse(fmt::format("--batch {} and '{}' disagree", *o.batch, file),
           fmt::format("the file has {} items", values.shape[0]));
  }
  if (const auto shape = o.shapes.find(in.name); shape != o.shapes.end() && shape->second.dims != values.shape) {
    refuse(fmt::format("--shape {}={} and '{}' disagree", in.name, fmt::join(shape->second.dims, "x"), file),
           fmt::format("the file's shape is {}", fmt::join(values.shape, "x")), "Leave one of them out.");
  }
  if (o.input_ranges.contains(in.name))
    refuse(fmt::format("cannot use --input-range for '{}'", in.name), fmt::format("its values come from '{}'", file),
           "Leave one of them out.");
}

PlannedInput plan(const DeclaredInput& in, const ModelOptions& o) {
  PlannedInput p{in.name, in.type, {}, std::nullopt, std::nullopt};
  if (const auto file = o.input_files.find(in.name); file != o.input_files.end()) {
    p.values = read_npy(file->second);
    check_file(in, *p.values, file->second, o);
    p.shape = p.values->shape;
    return p;
  }
  p.shape = random_shape(in, o);
  auto range = o.input_ranges.find(in.name);
  if (range == o.input_ranges.end()) range = o.input_ranges.find("*");
  if (range != o.input_ranges.end()) p.range = range->second, check_range(in, range->second);
  return p;
}

// --batch must have had somewhere to go.
void check_batch(const std::vector<DeclaredInput>& declared, const ModelOptions& o) {
  if (!o.batch) return;
  bool any = false;
  for (const DeclaredInput& in : declared)
    any = any || (!in.dims.empty() && (in.dims[0] < 0 || in.dims[0] == *o.batch));
  if (any) return;
  const std::int64_t fixed = declared.empty() || declared[0].dims.empty() ? 1 : declared[0].dims[0];
  refuse(fmt::format("cannot run with --batch {}", *o.batch), fmt::format("the model has a fixed batch of {}", fixed),
         "Export it with a dynamic batch dimension.");
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
  const auto check = [&](const std::string& name, const char* option) {
    if (name == "*" || std::find(names.begin(), names.end(), name) != names.end()) return;
    refuse(fmt::format("cannot use {} for '{}'", option, name), "the model has no such input",
           fmt::format("Its inputs are {}.{}", fmt::join(names, ", "), did_you_mean(name, names)));
  };
  for (const auto& [name, shape] : o.shapes) check(name, "--shape");
  for (const auto& [name, file] : o.input_files) check(name, "--input");
  for (const auto& [name, range] : o.input_ranges) check(name, "--input-range");
}

std::vector<PlannedInput> plan_inputs(const std::vector<DeclaredInput>& declared, const ModelOptions& o) {
  check_input_names(declared, o);
  check_batch(declared, o);
  check_open(declared, o);
  std::vector<PlannedInput> planned;
  for (const DeclaredInput& in : declared) planned.push_back(plan(in, o));
  return planned;
}

void check_fits(const std::vector<PlannedInput>& inputs, std::size_t sets, std::optional<Bytes> available,
                std::uint64_t more) {
  std::uint64_t total = more;
  for (const PlannedInput& in : inputs) total += in.bytes() * sets;
  if (!available || total <= available->count) return;
  throw Error(ErrorCode::out_of_memory,
              fmt::format("{} need {}", more ? "inputs and outputs" : "the inputs", format_bytes(Bytes{total})),
              fmt::format("{} are free", format_bytes(*available)), "Use a smaller --batch or --shape.");
}

std::size_t items_of(const std::vector<PlannedInput>& inputs) {
  for (const PlannedInput& in : inputs) {
    if (!in.shape.empty() && in.shape[0] > 0) return static_cast<std::size_t>(in.shape[0]);
  }
  return 1;
}

}  // namespace strobe
