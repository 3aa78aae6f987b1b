// SPDX-License-Identifier: Apache-2.0
// Python callables in the library's loops. On the CPU the GIL is held throughout: the work of a request is Python's
// own, and taking it for each call would cost more than the call of an empty function. Waits for a device give it away.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <strobe/measure.h>
#include <strobe/workload.h>

#include "python/call.h"
#include "python/error.h"
#include "python/functions.h"
#include "python/garbage.h"
#include "python/hooks.h"
#include "python/interpreter_lock.h"
#include "python/keywords.h"
#include "python/python_work.h"

namespace strobe::python {
namespace {

// What there is for as long as a study of callables takes: hooks, the pause of the collector, the GIL to be lent.
struct Session {
  Session(nb::object progress, nb::object stop) : hooks(std::move(progress), std::move(stop)) {}

  template <class T>
  void attach(T& options) {
    options.progress = hooks.progress([this] { garbage.between_rounds(); });
    options.stop = hooks.stop();
  }
  Record run(const std::function<Record()>& study) {
    return hooks.run([&] {
      const LendWhileWaiting lend(lock);
      return study();
    });
  }

  GarbagePause garbage;
  Hooks hooks;
  InterpreterLock lock;
};

// The library's own empty request knows nothing of Python: without this a callable that does nothing would look like
// one that does something.
void describe_calling(const nb::callable& empty, const Session& session, Record& r) {
  const CallCost cost = cost_of_calling(empty);
  const GarbagePause& garbage = session.garbage;
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
  if (session.lock.contended() > 0) {
    r.model.facts["gil_contended"] = static_cast<std::int64_t>(session.lock.contended());
    r.model.facts["gil_wait_ns"] = std::chrono::duration<double, std::nano>(session.lock.waited()).count();
  }
}

// What Python knows of the callable and of its last result: {"training": True}.
void add_facts(const nb::object& describe, const nb::object& last, Scalars& facts) {
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

std::unique_ptr<Workload> work_on(Device& device, const Options& o, std::shared_ptr<Call> request,
                                  const nb::object& about, InterpreterLock& lock) {
  auto stream = o.stream ? adopt_stream(device, o.stream) : open_stream(device);
  return std::make_unique<PythonWork>(std::move(request), std::move(stream), o.items, about, lock);
}

// The work has these itself.
Options of_workload(Options o) {
  const Options none;
  o.device = none.device;
  o.stream = none.stream;
  o.items = none.items;
  return o;
}

// On the device that Python has found for it. `work` is a strobe._work.Work. In seconds: how long the callable took to
// come, where it was made for this, and its first call, where that was made to find the device.
Record measure_callable(nb::callable function, const nb::tuple& arguments, const nb::dict& given,
                        const nb::callable& empty, nb::object progress, nb::object stop, const nb::object& work,
                        std::optional<double> loading, std::optional<double> first) {
  Session session(std::move(progress), std::move(stop));
  Options options = read_keywords<Options>(given);
  session.attach(options);
  const auto request = shared_call(std::move(function), arguments);
  Record r = session.run([&] {
    const std::shared_ptr<Device> device = open_device(options.device);
    return measure(*work_on(*device, options, request, work, session.lock), of_workload(options));
  });
  add_facts(work.attr("facts"), request->last(), r.model.facts);
  describe_calling(empty, session, r);
  if (options.items != 1) r.settings["items"] = static_cast<std::int64_t>(options.items);
  if (loading) r.startup.load_ns = *loading * 1e9;
  if (first) r.startup.first_ns = *first * 1e9;
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
    session.lock.take();
    const nb::object made = make(*arguments);
    if (PyCallable_Check(made.ptr()) == 0)
      throw nb::type_error("make() must return what is to be measured: a callable");
    return call(nb::borrow<nb::callable>(made), nb::tuple(), &session.lock);
  };
  Record r = session.run([&] { return measure_fresh(load, options); });
  describe_calling(empty, session, r);
  return r;
}

// A step that fails is an Error to the library, which names the stage; the user's own exception is kept beside it.
PipelineStep step_of(const nb::handle step, Session& session) {
  PipelineStep s = read_keywords<PipelineStep>(nb::cast<nb::dict>(step[2]));
  s.name = nb::cast<std::string>(step[0]);
  s.run = [work = call(nb::cast<nb::callable>(step[1]), nb::tuple(), &session.lock), &session] {
    try {
      work();
    } catch (const nb::python_error& e) {
      session.hooks.keep(e);
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
  for (const nb::handle step : steps) all.push_back(step_of(step, session));
  Record r = session.run([&] { return pipeline(std::move(all), options); });
  describe_calling(empty, session, r);
  return r;
}

}  // namespace

void add_callables(nb::module_& m) {
  m.def("measure", measure_callable, nb::arg("function"), nb::arg("arguments"), nb::arg("options"), nb::arg("empty"),
        nb::arg("progress").none(), nb::arg("stop").none(), nb::arg("work"), nb::arg("loading").none() = nb::none(),
        nb::arg("first").none() = nb::none());
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
