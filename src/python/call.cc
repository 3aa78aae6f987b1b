// SPDX-License-Identifier: Apache-2.0
#include "python/call.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace strobe::python {
namespace {

constexpr int kRepeats = 20, kCalls = 500;  // the quickest row of many: a slow start of the machine is no cost of ours

template <class F>
double quickest_of(F&& once) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepeats; ++i) {
    const auto begin = Clock::now();
    for (int n = 0; n < kCalls; ++n) once();
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / kCalls);
  }
  return best;
}

}  // namespace

Call::Call(nb::callable function, const nb::tuple& arguments) : function_(std::move(function)) {
  slots_.push_back(nullptr);
  for (const nb::handle argument : arguments) {
    arguments_.push_back(nb::borrow(argument));
    slots_.push_back(argument.ptr());
  }
}

Call::~Call() {
  Py_XDECREF(last_);
}

void Call::operator()() {
  PyObject* result = PyObject_Vectorcall(function_.ptr(), slots_.data() + 1,
                                         arguments_.size() | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
  if (!result) throw nb::python_error();
  PyObject* previous = std::exchange(last_, result);
  Py_XDECREF(previous);
  ++calls_;
}

std::shared_ptr<Call> shared_call(nb::callable function, const nb::tuple& arguments) {
  return {new Call(std::move(function), arguments), [](Call* call) {
            const nb::gil_scoped_acquire held;
            delete call;
          }};
}

std::function<void()> call(nb::callable function, const nb::tuple& arguments, InterpreterLock* lock) {
  const std::shared_ptr<Call> shared = shared_call(std::move(function), arguments);
  if (!lock) return [shared] { (*shared)(); };
  return [shared, lock] {
    lock->take();
    (*shared)();
  };
}

CallCost cost_of_calling(const nb::callable& empty) {
  const std::function<void()> request = call(empty, nb::tuple());
  CallCost cost;
  cost.bare_ns = quickest_of([&] {
    PyObject* result = PyObject_Vectorcall(empty.ptr(), nullptr, 0, nullptr);
    if (!result) throw nb::python_error();
    Py_DECREF(result);
  });
  cost.request_ns = quickest_of(request);
  return cost;
}

}  // namespace strobe::python
