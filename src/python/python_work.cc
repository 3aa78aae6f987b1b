// SPDX-License-Identifier: Apache-2.0
#include "python/python_work.h"

#include <optional>
#include <string>

#include <nanobind/stl/string.h>

namespace strobe::python {

PythonWork::PythonWork(std::shared_ptr<Call> call, std::unique_ptr<Stream> stream, std::size_t items, nb::object about,
                       InterpreterLock& lock)
    : call_(std::move(call)), stream_(std::move(stream)), items_(items), about_(std::move(about)), lock_(lock) {}

// What the callable made may be freed with its last use; a graph's memory must not be while it is replayed.
PythonWork::~PythonWork() {
  stream_.reset();  // waits, and gives the lock away
  lock_.take();
}

std::optional<std::uint64_t> PythonWork::device_allocations() const {
  const nb::gil_scoped_acquire held;
  const nb::object count = about_.attr("allocations")();
  return count.is_none() ? std::nullopt : std::optional(nb::cast<std::uint64_t>(count));
}

// The graph is launched on the stream of the work; it keeps its own memory.
Replay PythonWork::replay() {
  lock_.take();
  try {
    auto replayed = std::make_shared<Call>(nb::cast<nb::callable>(about_.attr("capture")()), nb::tuple());
    auto stream = adopt_stream(stream_->device(), stream_->native());
    return {std::make_unique<PythonWork>(std::move(replayed), std::move(stream), items_, about_, lock_), {}};
  } catch (const nb::python_error& e) {
    return {nullptr, nb::cast<std::string>(nb::str(e.value()))};
  }
}

void PythonWork::counting() {
  lock_.take();
  about_.attr("counting")();
}

// Nothing where the outputs cannot be told apart: the callable may return none.
std::optional<OutputCheck> PythonWork::check() {
  lock_.take();
  const nb::object seen = about_.attr("check_outputs")(call_->last());
  if (seen.is_none()) return std::nullopt;
  OutputCheck check;
  check.may_vary = true;
  check.finite = nb::cast<bool>(seen.attr("finite"));
  check.worst_difference = nb::cast<double>(seen.attr("worst_difference"));
  check.repeatable = nb::cast<bool>(seen.attr("repeatable"));
  return check;
}

}  // namespace strobe::python
