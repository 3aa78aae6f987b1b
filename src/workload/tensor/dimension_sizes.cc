// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/dimension_sizes.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include <strobe/error.h>

namespace strobe {
namespace {

std::string symbol_of(const DeclaredInput& in, std::size_t dimension) {
  return dimension < in.symbols.size() && in.dims[dimension] < 0 ? in.symbols[dimension] : std::string();
}

bool says_batch(std::string symbol) {
  std::transform(symbol.begin(), symbol.end(), symbol.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return symbol.find("batch") != std::string::npos;
}

std::string batch_symbol(const DeclaredInput* in) {
  return in ? symbol_of(*in, *batch_dimension(*in)) : std::string();
}

// The first that calls a dimension its batch, else the first whose first dimension is dynamic.
const DeclaredInput* leading(const std::vector<DeclaredInput>& declared) {
  const DeclaredInput* first = nullptr;
  for (const DeclaredInput& in : declared) {
    if (!batch_dimension(in)) continue;
    if (says_batch(batch_symbol(&in))) return &in;
    if (!first) first = &in;
  }
  return first;
}

std::string shape_option(const OptionNames& own, const std::string& name, const std::vector<std::int64_t>& dims) {
  return own.with("shape", {{name, fmt::format("{}", fmt::join(dims, "x"))}});
}

std::int64_t one_size(const OptionNames& own, const std::string& name, const ShapeText& shape) {
  if (shape.dims.size() == 1 && shape.type.empty()) return shape.dims.front();
  throw Error(ErrorCode::usage, fmt::format("cannot use {}", shape_option(own, name, shape.dims)),
              fmt::format("'{}' is a dimension of the model, and a dimension has one size", name),
              fmt::format("Write {}, for example.", shape_option(own, name, {shape.dims.back()})));
}

}  // namespace

std::vector<std::string> dimension_names(const std::vector<DeclaredInput>& declared) {
  std::set<std::string> inputs, names;
  for (const DeclaredInput& in : declared) inputs.insert(in.name);
  for (const DeclaredInput& in : declared) {
    for (std::size_t d = 0; d < in.dims.size(); ++d) {
      const std::string symbol = symbol_of(in, d);
      if (!symbol.empty() && !inputs.contains(symbol)) names.insert(symbol);
    }
  }
  return {names.begin(), names.end()};
}

std::optional<std::size_t> batch_dimension(const DeclaredInput& in) {
  for (std::size_t d = 0; d < in.dims.size(); ++d) {
    if (says_batch(symbol_of(in, d))) return d;
  }
  if (in.dims.empty() || in.dims.front() >= 0) return std::nullopt;
  return 0;
}

DimensionSizes::DimensionSizes(const std::vector<DeclaredInput>& declared, const ModelOptions& o,
                               const ArraysByName& files)
    : o_(o), files_(files), lead_(leading(declared)) {
  collect(declared);
  if (!lead_) return;
  default_batch_ = own_size(*lead_, *batch_dimension(*lead_)).value_or(1);
  check_files(declared);
}

const std::vector<std::int64_t>* DimensionSizes::given(const DeclaredInput& in) const {
  if (const auto file = files_.find(in.name); file != files_.end()) return &file->second.shape;
  if (const auto shape = o_.shapes.find(in.name); shape != o_.shapes.end()) return &shape->second.dims;
  return nullptr;
}

std::string DimensionSizes::given_by(const DeclaredInput& in) const {
  if (files_.contains(in.name)) return fmt::format("'{}'", o_.input_files.at(in.name));
  return shape_option(o_.names, in.name, *given(in));
}

std::optional<std::int64_t> DimensionSizes::own_size(const DeclaredInput& in, std::size_t dimension) const {
  if (const auto* shape = given(in)) return shape->at(dimension);
  if (const auto said = named_.find(symbol_of(in, dimension)); said != named_.end()) return said->second.size;
  return std::nullopt;
}

void DimensionSizes::collect(const std::vector<DeclaredInput>& declared) {
  const std::string batch = batch_symbol(lead_);
  const auto overridden = [&](const std::string& name) { return o_.batch && name == batch; };
  for (const std::string& name : dimension_names(declared)) {
    const auto shape = o_.shapes.find(name);
    if (shape == o_.shapes.end()) continue;
    const std::int64_t size = one_size(o_.names, name, shape->second);
    if (!overridden(name)) note(name, size, shape_option(o_.names, name, shape->second.dims));
  }
  for (const DeclaredInput& in : declared) {
    const auto* shape = given(in);
    for (std::size_t d = 0; shape && d < in.dims.size(); ++d) {
      const std::string symbol = symbol_of(in, d);
      if (!symbol.empty() && !overridden(symbol)) note(symbol, shape->at(d), given_by(in));
    }
  }
}

void DimensionSizes::note(const std::string& name, std::int64_t size, const std::string& by) {
  const auto [said, is_new] = named_.try_emplace(name, Said{size, by});
  if (is_new || said->second.size == size) return;
  if (said->second.by == by)
    throw Error(ErrorCode::usage, fmt::format("cannot use {}", by),
                fmt::format("it gives the dimension '{}' two sizes, {} and {}", name, said->second.size, size));
  throw Error(ErrorCode::usage, fmt::format("{} and {} disagree", said->second.by, by),
              fmt::format("both set the dimension '{}'", name), "Leave one of them out.");
}

// What a file holds cannot be made more or less.
void DimensionSizes::check_files(const std::vector<DeclaredInput>& declared) const {
  for (const DeclaredInput& in : declared) {
    const auto file = files_.find(in.name);
    if (!o_.batch || file == files_.end() || !takes_batch(in)) continue;
    const std::int64_t items = file->second.shape.at(*batch_dimension(in));
    if (items == *o_.batch) continue;
    throw Error(ErrorCode::usage,
                fmt::format("{} and {} disagree", o_.names.with("batch", std::to_string(*o_.batch)), given_by(in)),
                fmt::format("the file has {} items", items));
  }
}

bool DimensionSizes::takes_batch(const DeclaredInput& in) const {
  const auto dimension = batch_dimension(in);
  if (!dimension || !lead_) return false;
  const std::string own = symbol_of(in, *dimension), batch = batch_symbol(lead_);
  if (in.name == lead_->name || (!own.empty() && own == batch)) return true;
  const auto size = own_size(in, *dimension);
  if (!size) return true;
  if (!own.empty() && says_batch(batch) && !says_batch(own)) return false;
  return *size == default_batch_;
}

std::optional<std::int64_t> DimensionSizes::of(const DeclaredInput& in, std::size_t dimension) const {
  if (in.dims[dimension] >= 0) return in.dims[dimension];
  if (batch_dimension(in) == dimension && takes_batch(in)) return o_.batch.value_or(default_batch_);
  if (const auto own = own_size(in, dimension)) return own;
  if (in.usual && in.usual->dims.size() == in.dims.size()) return in.usual->dims[dimension];
  return std::nullopt;
}

}  // namespace strobe
