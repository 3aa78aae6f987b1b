// SPDX-License-Identifier: Apache-2.0
// What a measurement asks Python meanwhile: how far it is goes to a callable, and signals that arrived are handled
// about twenty times a second, also where the callable is C code and no bytecode runs.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include <nanobind/nanobind.h>

#include <strobe/measure.h>
#include <strobe/record.h>

namespace strobe::python {

namespace nb = nanobind;

// Is there anything that was measured?
bool has_result(const Record&);

class Hooks {
 public:
  // `progress` gets the members of Progress, `stop` is asked whether to end; either may be None.
  Hooks(nb::object progress, nb::object stop);
  Hooks(const Hooks&) = delete;
  Hooks& operator=(const Hooks&) = delete;

  // For any thread, with the GIL or without it. Neither outlives the hooks.
  std::function<void(const Progress&)> progress(std::function<void()> between_rounds = {});
  std::function<bool()> stop();

  // To be thrown by `run`, because the library may make something else of it.
  void keep(const nb::python_error&);

  // Makes a study. What a signal's handler raised meanwhile had to wait for its end, and is thrown now; but of a
  // KeyboardInterrupt the user gets what was measured until then, if there is something.
  Record run(const std::function<Record()>& study);

 private:
  bool ask();
  void raise_pending();

  nb::object progress_, stop_;
  std::chrono::steady_clock::time_point next_{};
  bool stopped_ = false;
  std::optional<nb::python_error> raised_;
};

}  // namespace strobe::python
