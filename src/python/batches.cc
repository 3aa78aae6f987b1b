// SPDX-License-Identifier: Apache-2.0
// throughput of callables: the library's search, with work that Python makes for each batch.
#include <memory>
#include <string>
#include <utility>

#include <nanobind/stl/string.h>

#include <strobe/error.h>
#include <strobe/study.h>

#include "python/call.h"
#include "python/functions.h"
#include "python/harness.h"
#include "python/keywords.h"
#include "python/python_work.h"

namespace strobe::python {
namespace {

// Throws on: as the library's own error where Python says that the memory was exhausted. What the exception held, such
// as the half of a batch, is free with it.
[[noreturn]] void rethrow(const nb::python_error& e, const nb::object& is_exhausted) {
  if (nb::cast<bool>(is_exhausted(e.value())))
    throw Error(ErrorCode::out_of_memory, nb::cast<std::string>(nb::str(e.value())));
  throw;
}

class Batch final : public PythonWork {
 public:
  Batch(std::shared_ptr<Call> call, std::unique_ptr<Stream> stream, std::size_t items, nb::object about,
        Harness& harness, nb::object is_exhausted)
      : PythonWork(std::move(call), std::move(stream), items, std::move(about), harness),
        is_exhausted_(std::move(is_exhausted)) {}

  void submit(std::size_t request) override {
    try {
      PythonWork::submit(request);
    } catch (const nb::python_error& e) {
      rethrow(e, is_exhausted_);
    }
  }

 private:
  nb::object is_exhausted_;
};

// What makes work of a batch: `make(batch)` gives the callable, its arguments and a strobe._work.Work. References only:
// copies may be made and dropped without the GIL.
struct Maker {
  const nb::object &make, &is_exhausted;
  const Options& where;
  Device& device;
  Harness& harness;

  std::unique_ptr<Workload> operator()(std::int64_t batch) const {
    harness.lock.take();
    try {
      const nb::tuple made(make(batch));
      auto stream = where.stream ? adopt_stream(device, where.stream) : open_stream(device);
      return std::make_unique<Batch>(shared_call(nb::cast<nb::callable>(made[0]), nb::cast<nb::tuple>(made[1])),
                                     std::move(stream), static_cast<std::size_t>(batch), nb::object(made[2]), harness,
                                     is_exhausted);
    } catch (const nb::python_error& e) {
      rethrow(e, is_exhausted);
    }
  }
};

// `place`: name, device and stream.
Record search_batches(nb::object make, nb::object is_exhausted, const nb::dict& given, const nb::dict& place,
                      nb::callable empty, nb::object progress, nb::object stop) {
  Harness harness(std::move(empty), std::move(progress), std::move(stop));
  ThroughputOptions options = read_keywords<ThroughputOptions>(given);
  const Options where = read_keywords<Options>(place);
  harness.attach(options);
  Record r = harness.run([&] {
    const std::shared_ptr<Device> device = open_device(where.device);
    return throughput(BatchedWork{where.name, Maker{make, is_exhausted, where, *device, harness}}, options);
  });
  harness.describe(r);
  return r;
}

}  // namespace

void add_batches(nb::module_& m) {
  m.def("search_batches", search_batches, nb::arg("make"), nb::arg("is_exhausted"), nb::arg("options"),
        nb::arg("place"), nb::arg("empty"), nb::arg("progress").none(), nb::arg("stop").none());
}

}  // namespace strobe::python
