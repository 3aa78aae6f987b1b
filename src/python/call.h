// SPDX-License-Identifier: Apache-2.0
// A Python callable and its arguments as a function of C++, for loops that hold the GIL while they call it. The
// arguments are put in place once, so that a request is the call and nothing else. As in `y = f(x)`, a result lives
// until the next one is there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <nanobind/nanobind.h>

#include "python/interpreter_lock.h"

namespace strobe::python {

namespace nb = nanobind;

class Call {
 public:
  Call(nb::callable function, const nb::tuple& arguments);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // Throws nb::python_error: the callable's own exception.
  void operator()();
  std::uint64_t calls() const { return calls_; }
  nb::object last() const { return last_ ? nb::borrow(last_) : nb::none(); }

 private:
  nb::callable function_;
  std::vector<nb::object> arguments_;
  std::vector<PyObject*> slots_;  // the first is free for the callee (PY_VECTORCALL_ARGUMENTS_OFFSET)
  PyObject* last_ = nullptr;
  std::uint64_t calls_ = 0;
};

// May end on a thread that does not hold the GIL.
std::shared_ptr<Call> shared_call(nb::callable function, const nb::tuple& arguments);
// As the library takes it. `lock`: taken before each call, where waits give it away.
std::function<void()> call(nb::callable function, const nb::tuple& arguments, InterpreterLock* lock = nullptr);

// What calling costs, by an empty function.
struct CallCost {
  double bare_ns = 0;     // called from C++ in a row
  double request_ns = 0;  // through a Call, as the library's loop does
};
CallCost cost_of_calling(const nb::callable& empty);

}  // namespace strobe::python
