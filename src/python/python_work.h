// SPDX-License-Identifier: Apache-2.0
// A Python callable as a workload. What Python knows of it (strobe/_work.py) answers what the library asks beside
// requests: a captured graph, outputs that repeat, memory that is asked for.
#pragma once

#include <memory>
#include <utility>

#include <nanobind/nanobind.h>

#include <strobe/workload.h>

#include "python/call.h"
#include "python/interpreter_lock.h"

namespace strobe::python {

namespace nb = nanobind;

class PythonWork final : public Workload {
 public:
  // `about`: a strobe._work.Work. The lock outlives the work.
  PythonWork(std::shared_ptr<Call> call, std::unique_ptr<Stream> stream, std::size_t items, nb::object about,
             InterpreterLock& lock);
  ~PythonWork() override;

  void submit(std::size_t) override {
    lock_.take();  // the loops have done so, but for those that nobody times
    (*call_)();
  }
  Stream& stream() override { return *stream_; }
  std::size_t items() const override { return items_; }
  std::optional<std::uint64_t> device_allocations() const override;
  Replay replay() override;
  void counting() override;
  std::optional<OutputCheck> check() override;

 private:
  std::shared_ptr<Call> call_;
  std::unique_ptr<Stream> stream_;
  std::size_t items_;
  nb::object about_;
  InterpreterLock& lock_;
};

}  // namespace strobe::python
