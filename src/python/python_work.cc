// SPDX-License-Identifier: Apache-2.0
#include "python/python_work.h"

#include <optional>
#include <string>

#include <nanobind/stl/string.h>

namespace strobe::python {
namespace {

// {"training": True}
void add_facts(const nb::dict& known, Scalars& facts) {
  for (const auto [key, value] : known) {
    Scalar& fact = facts[nb::cast<std::string>(key)];
    if (nb::isinstance<nb::bool_>(value))
      fact = nb::cast<bool>(value);
    else if (nb::isinstance<nb::int_>(value))
      fact = nb::cast<std::int64_t>(value);
    else
      fact = nb::cast<std::string>(nb::str(value));
  }
}

void add_seconds(const nb::object& seconds, std::optional<double>& ns) {
  if (!seconds.is_none()) ns = nb::cast<double>(seconds) * 1e9;
}

}  // namespace

PythonWork::PythonWork(std::shared_ptr<Call> call, std::unique_ptr<Stream> stream, std::size_t items, nb::object about,
                       Harness& harness)
    : call_(std::move(call)), stream_(std::move(stream)), items_(items), about_(std::move(about)), harness_(harness) {}

// What the callable made may be freed with its last use; a graph's memory must not be while it is replayed.
PythonWork::~PythonWork() {
  stream_.reset();  // waits, and gives the lock away
  harness_.lock.take();
}

std::optional<std::uint64_t> PythonWork::device_allocations() const {
  const nb::gil_scoped_acquire held;
  const nb::object count = about_.attr("allocations")();
  return count.is_none() ? std::nullopt : std::optional(nb::cast<std::uint64_t>(count));
}

// The graph is launched on the stream of the work; it keeps its own memory.
Replay PythonWork::replay() {
  harness_.lock.take();
  try {
    auto replayed = std::make_shared<Call>(nb::cast<nb::callable>(about_.attr("capture")()), nb::tuple());
    auto stream = adopt_stream(stream_->device(), stream_->native());
    return {std::make_unique<PythonWork>(std::move(replayed), std::move(stream), items_, about_, harness_), {}};
  } catch (const nb::python_error& e) {
    if (!e.matches(PyExc_Exception)) throw;  // somebody wants to end, which is no answer
    return {nullptr, nb::cast<std::string>(nb::str(e.value()))};
  }
}

void PythonWork::counting() {
  harness_.lock.take();
  about_.attr("counting")();
}

void PythonWork::complete(Record& r) {
  harness_.lock.take();
  add_facts(nb::cast<nb::dict>(about_.attr("facts")(call_->last())), r.model.facts);
  harness_.describe(r, call_->calls());
  if (items_ != 1) r.settings["items"] = static_cast<std::int64_t>(items_);
  add_seconds(about_.attr("loading"), r.startup.load_ns);
  add_seconds(about_.attr("first"), r.startup.first_ns);
}

// Nothing where the outputs cannot be told apart: the callable may return none.
std::optional<OutputCheck> PythonWork::check() {
  harness_.lock.take();
  const nb::object seen = about_.attr("check_outputs")(call_->last());
  if (seen.is_none()) return std::nullopt;
  OutputCheck check;
  check.may_vary = true;
  check.finite = nb::cast<bool>(seen.attr("finite"));
  check.worst_difference = nb::cast<double>(seen.attr("worst_difference"));
  check.repeatable = nb::cast<bool>(seen.attr("repeatable"));
  return check;
}

std::unique_ptr<PythonWork> work_on(Device& device, void* stream, std::shared_ptr<Call> call, std::size_t items,
                                    nb::object about, Harness& harness) {
  auto queue = stream ? adopt_stream(device, stream) : open_stream(device);
  return std::make_unique<PythonWork>(std::move(call), std::move(queue), items, std::move(about), harness);
}

}  // namespace strobe::python
