// SPDX-License-Identifier: Apache-2.0
// Python callables in the library's loops. The GIL is held throughout: the work of a request on the CPU is Python's
// own, and taking it for each call would cost more than the call of an empty function.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <strobe/measure.h>

#include "python/call.h"
#include "python/error.h"
#include "python/functions.h"
#include "python/garbage.h"
#include "python/hooks.h"
#include "python/keywords.h"

namespace strobe::python {
namespace {

// The library's own empty request knows nothing of Python: without this a callable that does nothing would look like
// one that does something.
void describe_calling(const nb::callable& empty, const GarbagePause& garbage, Record& r) {
  const CallCost cost = cost_of_calling(empty);
  auto& calibration = r.device.calibration;
  calibration["python_call_ns"] = cost.bare_ns;
  calibration["harness_ns"] = cost.request_ns - cost.bare_ns;
  if (r.device.kind == "cpu") calibration["empty_request_ns"] = cost.request_ns;
  const std::string version = Py_GetVersion();  // "3.11.7 (main, …"
  r.model.facts["python"] = version.substr(0, version.find(' '));
  if (garbage.collections() > 0) {
    r.model.facts["garbage_collections"] = static_cast<std::int64_t>(garbage.collections());
    r.model.facts["garbage_collection_ns"] = std::chrono::duration<double, std::nano>(garbage.time()).count();
  }
}

// The hooks and the pause of the collector, for as long as a study of callables takes.
struct Session {
  Session(nb::object progress, nb::object stop) : hooks(std::move(progress), std::move(stop)) {}

  template <class T>
  void attach(T& options) {
    options.progress = hooks.progress([this] { garbage.between_rounds(); });
    options.stop = hooks.stop();
  }

  GarbagePause garbage;
  Hooks hooks;
};

// What Python knows of the callable and of its last result: {"training": True}.
void add_facts(const nb::object& describe, const nb::object& last, Scalars& facts) {
  if (describe.is_none()) return;
  for (const auto [key, value] : nb::cast<nb::dict>(describe(last))) {
    Scalar& fact = facts[nb::cast<std::string>(key)];
    if (nb::isinstance<nb::bool_>(value))
      fact = nb::cast<bool>(value);
    else if (nb::isinstance<nb::int_>(value))
      fact = nb::cast<std::int64_t>(value);
    else
      fact = nb::cast<std::string>(nb::str(value));
  }
}

// `describe` gives facts for the last result. `loading`: how long the function took to come, in seconds, where it was
// made for this.
Record measure_callable(nb::callable function, const nb::tuple& arguments, const nb::dict& given,
                        const nb::callable& empty, nb::object progress, nb::object stop, const nb::object& describe,
                        std::optional<double> loading) {
  Session session(std::move(progress), std::move(stop));
  Options options = read_keywords<Options>(given);
  session.attach(options);
  const auto request = std::make_shared<Call>(std::move(function), arguments);
  Record r = session.hooks.run([&] { return measure(function_of(request), options); });
  add_facts(describe, request->last(), r.model.facts);
  describe_calling(empty, session.garbage, r);
  if (loading) r.startup.load_ns = *loading * 1e9;
  judge(r);
  return r;
}

// `launch(number, of, max_time, patience)` brings a record from a fresh process. What it raises as an Error of ours is
// that to the library, too: launches before it count.
Record launch_through(const nb::callable& launch, const Launch& l) {
  const auto seconds = [](std::chrono::nanoseconds t) { return std::chrono::duration<double>(t).count(); };
  const nb::object max_time = l.max_time ? nb::object(nb::float_(seconds(*l.max_time))) : nb::none();
  try {
    return nb::cast<Record>(launch(l.number, l.of, max_time, seconds(l.patience)));
  } catch (nb::python_error& e) {
    throw_as_error(e);
    throw;
  }
}

Record measure_launched(const nb::callable& launch, const nb::dict& given, nb::object progress, nb::object stop) {
  Hooks hooks(std::move(progress), std::move(stop));
  Options options = read_keywords<Options>(given);
  options.progress = hooks.progress();
  options.stop = hooks.stop();
  return hooks.run(
      [&] { return measure_launches([&](const Launch& l) { return launch_through(launch, l); }, options); });
}

// What a load made is dropped with its last request, before the next load.
Record measure_loads(const nb::callable& make, const nb::tuple& arguments, const nb::dict& given,
                     const nb::callable& empty, nb::object progress, nb::object stop) {
  Session session(std::move(progress), std::move(stop));
  Options options = read_keywords<Options>(given);
  session.attach(options);
  const std::function<std::function<void()>()> load = [&] {
    const nb::object made = make(*arguments);
    if (PyCallable_Check(made.ptr()) == 0)
      throw nb::type_error("make() must return what is to be measured: a callable");
    return call(nb::borrow<nb::callable>(made), nb::tuple());
  };
  Record r = session.hooks.run([&] { return measure_fresh(load, options); });
  describe_calling(empty, session.garbage, r);
  return r;
}

// A step that fails is an Error to the library, which names the stage; the user's own exception is kept beside it.
PipelineStep step_of(const nb::handle step, Hooks& hooks) {
  PipelineStep s = read_keywords<PipelineStep>(nb::cast<nb::dict>(step[2]));
  s.name = nb::cast<std::string>(step[0]);
  s.run = [work = call(nb::cast<nb::callable>(step[1]), nb::tuple()), &hooks] {
    try {
      work();
    } catch (const nb::python_error& e) {
      hooks.keep(e);
      throw;
    }
  };
  return s;
}

// Steps are tuples (name, callable, {…}).
Record time_pipeline(const nb::list& steps, const nb::dict& given, const nb::callable& empty, nb::object progress,
                     nb::object stop) {
  Session session(std::move(progress), std::move(stop));
  PipelineOptions options = read_keywords<PipelineOptions>(given);
  session.attach(options);
  std::vector<PipelineStep> all;
  for (const nb::handle step : steps) all.push_back(step_of(step, session.hooks));
  Record r = session.hooks.run([&] { return pipeline(std::move(all), options); });
  describe_calling(empty, session.garbage, r);
  return r;
}

}  // namespace

void add_callables(nb::module_& m) {
  m.def("measure", measure_callable, nb::arg("function"), nb::arg("arguments"), nb::arg("options"), nb::arg("empty"),
        nb::arg("progress").none(), nb::arg("stop").none(), nb::arg("describe").none() = nb::none(),
        nb::arg("loading").none() = nb::none());
  m.def("measure_launches", measure_launched, nb::arg("launch"), nb::arg("options"), nb::arg("progress").none(),
        nb::arg("stop").none());
  m.def("measure_fresh", measure_loads, nb::arg("make"), nb::arg("arguments"), nb::arg("options"), nb::arg("empty"),
        nb::arg("progress").none(), nb::arg("stop").none());
  m.def("pipeline", time_pipeline, nb::arg("steps"), nb::arg("options"), nb::arg("empty"), nb::arg("progress").none(),
        nb::arg("stop").none());
  m.def("cost_of_calling", [](const nb::callable& empty) {
    const CallCost cost = cost_of_calling(empty);
    return nb::make_tuple(cost.bare_ns, cost.request_ns);
  });
}

}  // namespace strobe::python
