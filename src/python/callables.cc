// SPDX-License-Identifier: Apache-2.0
// Python callables in the library's loops. On the CPU the GIL is held throughout: the work of a request is Python's
// own, and taking it for each call would cost more than the call of an empty function. Waits for a device give it away.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>

#include <strobe/measure.h>
#include <strobe/workload.h>

#include "python/call.h"
#include "python/error.h"
#include "python/functions.h"
#include "python/harness.h"
#include "python/hooks.h"
#include "python/keywords.h"
#include "python/python_work.h"

namespace strobe::python {
namespace {

// The work has these itself.
Options of_workload(Options o) {
  const Options none;
  o.device = none.device;
  o.stream = none.stream;
  o.items = none.items;
  return o;
}

// On the device that Python has found for it. `work` is a strobe._work.Work.
Record measure_callable(nb::callable function, const nb::tuple& arguments, const nb::dict& given, nb::callable empty,
                        nb::object progress, nb::object stop, const nb::object& work) {
  Harness harness(std::move(empty), std::move(progress), std::move(stop));
  Options options = read_keywords<Options>(given);
  harness.attach(options);
  const auto request = shared_call(std::move(function), arguments);
  return harness.run([&] {
    const std::shared_ptr<Device> device = open_device(options.device);
    return measure(*work_on(*device, options.stream, request, options.items, work, harness), of_workload(options));
  });
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

// `load()` gives a callable without arguments, and its strobe._work.Work. It is dropped with its last request, before
// the next load.
Record measure_loads(const nb::callable& load, const nb::dict& given, nb::callable empty, nb::object progress,
                     nb::object stop) {
  Harness harness(std::move(empty), std::move(progress), std::move(stop));
  Options options = read_keywords<Options>(given);
  harness.attach(options);
  return harness.run([&] {
    const std::shared_ptr<Device> device = open_device(options.device);
    const std::function<std::unique_ptr<Workload>()> fresh = [&] {
      harness.lock.take();
      const nb::object made = load();
      auto request = shared_call(nb::cast<nb::callable>(made[0]), nb::tuple());
      return work_on(*device, options.stream, std::move(request), options.items, made[1], harness);
    };
    return measure_fresh(fresh, of_workload(options));
  });
}

// A step that fails is an Error to the library, which names the stage; the user's own exception is kept beside it.
PipelineStep step_of(const nb::handle step, Harness& harness) {
  PipelineStep s = read_keywords<PipelineStep>(nb::cast<nb::dict>(step[2]));
  s.name = nb::cast<std::string>(step[0]);
  s.run = [work = call(nb::cast<nb::callable>(step[1]), nb::tuple(), &harness.lock), &harness] {
    try {
      work();
    } catch (const nb::python_error& e) {
      harness.hooks.keep(e);
      throw;
    }
  };
  return s;
}

// Steps are tuples (name, callable, {…}).
Record time_pipeline(const nb::list& steps, const nb::dict& given, nb::callable empty, nb::object progress,
                     nb::object stop) {
  Harness harness(std::move(empty), std::move(progress), std::move(stop));
  PipelineOptions options = read_keywords<PipelineOptions>(given);
  harness.attach(options);
  options.complete = [&](Record& r) {
    harness.lock.take();
    harness.describe(r);
  };
  std::vector<PipelineStep> all;
  for (const nb::handle step : steps) all.push_back(step_of(step, harness));
  return harness.run([&] { return pipeline(std::move(all), options); });
}

}  // namespace

void add_callables(nb::module_& m) {
  m.def("measure", measure_callable, nb::arg("function"), nb::arg("arguments"), nb::arg("options"), nb::arg("empty"),
        nb::arg("progress").none(), nb::arg("stop").none(), nb::arg("work"));
  m.def("measure_launches", measure_launched, nb::arg("launch"), nb::arg("options"), nb::arg("progress").none(),
        nb::arg("stop").none());
  m.def("measure_fresh", measure_loads, nb::arg("load"), nb::arg("options"), nb::arg("empty"),
        nb::arg("progress").none(), nb::arg("stop").none());
  m.def("pipeline", time_pipeline, nb::arg("steps"), nb::arg("options"), nb::arg("empty"), nb::arg("progress").none(),
        nb::arg("stop").none());
  m.def("cost_of_calling", [](const nb::callable& empty) {
    const CallCost cost = cost_of_calling(empty);
    return nb::make_tuple(cost.bare_ns, cost.request_ns);
  });
}

}  // namespace strobe::python
