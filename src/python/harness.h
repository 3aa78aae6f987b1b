// SPDX-License-Identifier: Apache-2.0
// What there is for as long as a study of callables takes: hooks, the pause of the collector, the GIL to be lent. And
// what Python adds to a call, for the record: the library's own empty request knows nothing of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include <nanobind/nanobind.h>

#include <strobe/record.h>
#include <strobe/workload.h>

#include "python/call.h"
#include "python/garbage.h"
#include "python/hooks.h"
#include "python/interpreter_lock.h"

namespace strobe::python {

namespace nb = nanobind;

class Harness {
 public:
  // `empty` is a function of Python that does nothing. What may be none is as of Hooks.
  Harness(nb::callable empty, nb::object progress, nb::object stop)
      : hooks(std::move(progress), std::move(stop)), empty_(std::move(empty)) {}

  template <class T>
  void attach(T& options) {
    options.progress = hooks.progress([this] { garbage_.between_rounds(); });
    options.stop = hooks.stop();
  }
  Record run(const std::function<Record()>& study);

  // Without this a callable that does nothing would look like one that does something. The GIL is held.
  void describe(Record&, std::uint64_t requests = 0);  // as many calls as made the garbage; 0: nobody counted them

  Hooks hooks;
  InterpreterLock lock;

 private:
  GarbagePause garbage_;
  nb::callable empty_;
  std::optional<CallCost> cost_;  // measured once
};

}  // namespace strobe::python
