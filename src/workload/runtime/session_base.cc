// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/session_base.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/format.h"
#include "host/facts.h"
#include "record/precision.h"
#include "workload/runtime/error_words.h"
#include "workload/tensor/fill.h"
#include "workload/tensor/input_sets.h"
#include "workload/tensor/value_count.h"

namespace strobe {
namespace {

std::unique_ptr<Stream> stream_for(const ModelOptions& options, Device& device) {
  return options.stream ? device.adopt(options.stream) : device.stream();
}

}  // namespace

SessionBase::SessionBase(const Runtime& runtime, const ModelOptions& options, Device& device,
                         std::unique_ptr<Stream> of_runtime)
    : runtime_(runtime),
      options_(options),
      device_(device),
      own_memory_(device.memory().has_value()),
      stream_(of_runtime ? std::move(of_runtime) : stream_for(options, device)) {}

// "cannot run 'model.onnx'"
std::string SessionBase::about(const char* what) const {
  return fmt::format("{} '{}'", what, options_.path);
}

template <class F>
auto SessionBase::translated(const char* what, F&& f) const {
  return guarded([this](const std::exception& e, const std::string& about) { return error_from(e, about); },
                 about(what), std::forward<F>(f));
}

void SessionBase::prepare(const std::vector<DeclaredInput>& declared) {
  planned_ = plan_inputs(declared, options_);
  items_ = items_of(planned_);
  const std::size_t sets = count_sets(options_.input_sets, bytes_of_a_set(), device_, options_.names);
  check_memory(sets);
  translated("cannot prepare the tensors of", [&] {
    for (std::size_t s = 0; s < sets; ++s) sets_.push_back({bind(s), {}});
  });
  touch_outputs();
}

Bytes SessionBase::bytes_of_a_set() const {
  Bytes one;
  for (const PlannedInput& in : planned_) one.count += in.bytes();
  return one;
}

// On the CPU the first request that writes into fresh memory waits for its pages. With many sets that would be within
// what is measured.
void SessionBase::touch_outputs() {
  if (own_memory_) return;
  for (const Set& set : sets_) {
    for (const OutputView& out : set.memory.outputs) std::memset(out.bytes.data(), 0, out.bytes.size());
  }
}

void SessionBase::check_memory(std::size_t sets) const {
  const auto memory = device_.memory();
  check_fits(planned_, sets, memory ? memory->free : available_memory(), sets * output_bytes());
}

std::span<std::byte> SessionBase::new_buffer(std::size_t bytes) {
  return buffers_.emplace_back(device_.buffer(bytes, Place::device)).bytes();
}

std::span<std::byte> SessionBase::new_input(const PlannedInput& in, std::size_t set) {
  const auto bytes = new_buffer(in.bytes());
  fill(in, bytes, set);
  return bytes;
}

void SessionBase::fill(const PlannedInput& in, std::span<std::byte> to, std::size_t set) {
  fill_input(*stream_, in, to, options_.seed, set, options_.repeat_items ? items_ : 1);
}

void SessionBase::submit(std::size_t request) {
  try {
    run(request % sets_.size());
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    throw seen_through(error_from(e, about("cannot run")), *stream_);
  }
}

std::size_t SessionBase::copy_in(std::size_t request, Stream& on, HostMemory memory) {
  if (!own_memory_) return 0;
  Set& set = sets_[request % sets_.size()];
  return set.twins.copy_in(set.memory.inputs, on, memory);
}

std::size_t SessionBase::copy_out(std::size_t request, Stream& on, HostMemory memory) {
  if (!own_memory_) return 0;
  const std::size_t set = request % sets_.size();
  found_.clear();
  translated("cannot copy the outputs of", [&] { find_outputs(set, on, found_); });
  return sets_[set].twins.copy_out(found_, on, memory);
}

void SessionBase::find_outputs(std::size_t set, Stream&, std::vector<OutputView>& found) {
  const auto& outputs = sets_[set].memory.outputs;
  found.insert(found.end(), outputs.begin(), outputs.end());
}

// A request that writes nothing must not look as if it had.
void SessionBase::poison(const Set& set) {
  for (const OutputView& out : set.memory.outputs) {
    const std::vector<std::byte> nan(out.bytes.size(), std::byte{0xff});  // in every float type
    stream_->copy(out.bytes, nan);
    stream_->synchronize();
  }
}

Outputs SessionBase::outputs_of(std::size_t set) {
  poison(sets_[set]);
  submit(set);
  stream_->synchronize();
  return translated("cannot read the outputs of", [&] { return read_outputs(set); });
}

Outputs SessionBase::read_outputs(std::size_t set) {
  std::vector<OutputView> found;
  find_outputs(set, *stream_, found);
  Outputs copies;
  for (const OutputView& out : found) copies.push_back({out.type, read_back(*stream_, out.bytes)});
  return copies;
}

std::optional<OutputCheck> SessionBase::check() {
  const auto run = [this](std::size_t set) { return outputs_of(set); };
  return check_outputs(planned_, sets_.size(), run, allows_tf32(info()), &first_outputs_);
}

void SessionBase::check_again(OutputCheck& check) {
  compare_late(first_outputs_, outputs_of(0), allows_tf32(info()), check);
}

std::string SessionBase::why_too_many_graphs() const {
  constexpr std::size_t kMostGraphs = 256;
  if (sets_.size() <= kMostGraphs) return {};
  return fmt::format("a graph would be captured of each of {} input sets, and {} are the most",
                     format_count(sets_.size()), kMostGraphs);
}

OutputCheck SessionBase::check_form(const Run& run) const {
  return check_outputs(planned_, sets_.size(), run, allows_tf32(info()));
}

std::string SessionBase::why_graph_differs(const Run& run) {
  const bool tf32 = allows_tf32(info());
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    const Outputs replayed = run(s);
    const std::string why = why_outputs_differ(outputs_of(s), replayed, tf32);
    if (!why.empty()) return fmt::format("the graph does not compute what the model does: {}", why);
  }
  return {};
}

// On a device, random values without a range are ordinary numbers, and not worth a copy.
std::optional<std::uint64_t> SessionBase::input_bytes() const {
  std::uint64_t bytes = 0;
  for (const Set& set : sets_) {
    for (const std::span<std::byte> input : set.memory.inputs) bytes += input.size();
  }
  return bytes;
}

std::optional<ValueShares> SessionBase::input_values() const {
  ValueCount count;
  for (const Set& set : sets_) {
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      const PlannedInput& in = planned_[i];
      if (!is_float(in.type)) continue;
      const auto look = [&](std::span<const std::byte> values) { count.add(in.type, values); };
      if (!own_memory_)
        look(set.memory.inputs[i]);
      else if (in.values)
        look(std::as_bytes(std::span(in.values->data)));
      else if (in.range)
        read_pieces(*stream_, set.memory.inputs[i], look);
      else
        count.add_ordinary(in.type, in.bytes());
    }
  }
  return count.shares();
}

ModelInfo SessionBase::info() const {
  ModelInfo info;
  info.runtime = runtime_.name();
  info.runtime_version = runtime_.version();
  for (const PlannedInput& in : planned_) {
    info.inputs.push_back(
        {in.name, std::string(name(in.type)), in.shape, in.values ? options_.input_files.at(in.name) : in.source()});
  }
  if (!options_.dtype.empty()) info.facts["dtype"] = options_.dtype;
  if (!options_.layout.empty()) info.facts["layout"] = options_.layout;
  for (const auto& [key, value] : options_.settings) info.facts["set." + key] = value;
  describe(info);
  return info;
}

bool SessionBase::drain() noexcept {
  try {
    stream_->synchronize();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace strobe
