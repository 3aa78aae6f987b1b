// SPDX-License-Identifier: Apache-2.0
// A Python callable as a workload. What Python knows of it (strobe/_work.py) answers what the library asks beside
// requests: a captured graph, outputs that repeat, memory that is asked for, facts for the record.
#pragma once

#include <memory>
#include <utility>

#include <nanobind/nanobind.h>

#include <strobe/workload.h>

#include "python/call.h"
#include "python/harness.h"

namespace strobe::python {

namespace nb = nanobind;

class PythonWork : public Workload {
 public:
  // `about`: a strobe._work.Work. The harness outlives the work.
  PythonWork(std::shared_ptr<Call> call, std::unique_ptr<Stream> stream, std::size_t items, nb::object about,
             Harness& harness);
  ~PythonWork() override;

  void submit(std::size_t) override {
    harness_.lock.take();  // the loops have done so, but for those that nobody times
    (*call_)();
  }
  Stream& stream() override { return *stream_; }
  std::size_t items() const override { return items_; }
  std::optional<std::uint64_t> device_allocations() const override;
  Replay replay() override;
  void counting() override;
  void complete(Record&) override;
  std::optional<OutputCheck> check() override;

 private:
  std::shared_ptr<Call> call_;
  std::unique_ptr<Stream> stream_;
  std::size_t items_;
  nb::object about_;
  Harness& harness_;
};

// On a stream of that address, or on a new one.
std::unique_ptr<PythonWork> work_on(Device&, void* stream, std::shared_ptr<Call>, std::size_t items, nb::object about,
                                    Harness&);

}  // namespace strobe::python
