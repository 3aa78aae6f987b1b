// SPDX-License-Identifier: Apache-2.0
#include "python/hooks.h"

#include <algorithm>
#include <utility>

#include <nanobind/stl/string.h>

#include <strobe/error.h>

namespace strobe::python {
namespace {

constexpr std::chrono::milliseconds kBetweenSignals(50);

bool is_known(const Metrics& metrics) {
  return std::any_of(metrics.begin(), metrics.end(), [](const auto& m) { return m.second.known() && m.second.n > 0; });
}

double seconds(std::chrono::nanoseconds t) {
  return std::chrono::duration<double>(t).count();
}

}  // namespace

bool has_result(const Record& r) {
  return is_known(r.metrics) ||
         std::any_of(r.cases.begin(), r.cases.end(), [](const Case& c) { return is_known(c.metrics); });
}

Hooks::Hooks(nb::object progress, nb::object stop) : progress_(std::move(progress)), stop_(std::move(stop)) {}

std::function<void(const Progress&)> Hooks::progress(std::function<void()> between_rounds) {
  if (progress_.is_none() && !between_rounds) return {};
  return [this, between_rounds = std::move(between_rounds)](const Progress& p) {
    const nb::gil_scoped_acquire held;
    if (between_rounds) between_rounds();
    if (progress_.is_none()) return;
    progress_(p.phase, seconds(p.elapsed), seconds(p.at_most), p.done, p.of, p.what, p.waiting, p.hint);
  };
}

std::function<bool()> Hooks::stop() {
  // Asked after each request: most of the time it only reads a clock.
  return [this] {
    const auto now = std::chrono::steady_clock::now();
    if (stopped_ || now < next_) return stopped_;
    next_ = now + kBetweenSignals;
    const nb::gil_scoped_acquire held;
    return stopped_ = ask();
  };
}

bool Hooks::ask() {
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return !stop_.is_none() && nb::cast<bool>(stop_());
  } catch (nb::python_error& e) {
    raised_.emplace(std::move(e));
    return true;
  }
}

void Hooks::keep(const nb::python_error& raised) {
  raised_.emplace(raised);
}

void Hooks::raise_pending() {
  if (!raised_) return;
  nb::python_error raised(std::move(*raised_));
  raised_.reset();
  throw nb::python_error(std::move(raised));
}

Record Hooks::run(const std::function<Record()>& study) {
  Record r;
  try {
    r = study();
  } catch (const Error&) {
    raise_pending();
    throw;
  }
  if (raised_ && raised_->matches(PyExc_KeyboardInterrupt) && has_result(r)) raised_.reset();
  raise_pending();
  return r;
}

}  // namespace strobe::python
