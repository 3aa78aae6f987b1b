// SPDX-License-Identifier: Apache-2.0
// The verbs. What works on models alone runs without the GIL: other threads of the program go on meanwhile.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>

#include <strobe/study.h>
#include <strobe/workload.h>

#include "python/call.h"
#include "python/functions.h"
#include "python/harness.h"
#include "python/hooks.h"
#include "python/keywords.h"
#include "python/python_work.h"

namespace strobe::python {
namespace {

// A verb that takes a model and a struct of options.
template <class T, Record (*Verb)(const Model&, const T&)>
Record study(const nb::dict& model, const nb::dict& given, nb::object progress, nb::object stop) {
  const Model which = read_keywords<Model>(model);
  T options = read_keywords<T>(given);
  Hooks hooks(std::move(progress), std::move(stop));
  options.progress = hooks.progress();
  options.stop = hooks.stop();
  return hooks.run([&] {
    const nb::gil_scoped_release free;
    return Verb(which, options);
  });
}

Record run_model(const Model& model, const Options& options) {
  return run(model, options);
}

// A callable, and what is known of it. Copies of a candidate are made and dropped on threads that do not hold the GIL.
struct Callee {
  std::shared_ptr<Call> call;
  nb::object about;
};

std::shared_ptr<Callee> callee_of(const nb::handle tuple) {
  auto call = shared_call(nb::cast<nb::callable>(tuple[1]), nb::cast<nb::tuple>(tuple[2]));
  return {new Callee{std::move(call), tuple[4]}, [](Callee* callee) {
            const nb::gil_scoped_acquire held;
            delete callee;
          }};
}

MakeWorkload maker_of(const nb::handle tuple, const Candidate& c, Harness& harness) {
  return [callee = callee_of(tuple), stream = c.stream, items = c.items, &harness](Device& device) {
    harness.lock.take();
    return work_on(device, stream, callee->call, items, callee->about, harness);
  };
}

bool is_model(const nb::handle tuple) {
  return nb::isinstance<nb::dict>(tuple[1]);
}

// Candidates are tuples: name, the dictionary of a model, nothing, {…}; or name, callable, arguments, {…}, its
// strobe._work.Work. Without a callable among them there is no harness.
Candidate candidate_of(const nb::handle tuple, Harness* harness) {
  Candidate c = read_keywords<Candidate>(nb::cast<nb::dict>(tuple[3]));
  c.name = nb::cast<std::string>(tuple[0]);
  if (is_model(tuple))
    c.what = read_keywords<Model>(nb::cast<nb::dict>(tuple[1]));
  else
    c.what = maker_of(tuple, c, *harness);
  return c;
}

std::vector<Candidate> candidates_of(const nb::list& tuples, Harness* harness) {
  std::vector<Candidate> all;
  for (const nb::handle tuple : tuples) all.push_back(candidate_of(tuple, harness));
  return all;
}

Record compare_callables(const nb::list& tuples, CompareOptions options, Harness& harness) {
  harness.attach(options);
  const std::vector<Candidate> candidates = candidates_of(tuples, &harness);
  return harness.run([&] { return compare(candidates, options); });
}

Record compare_models(const nb::list& tuples, CompareOptions options, Hooks& hooks) {
  options.progress = hooks.progress();
  options.stop = hooks.stop();
  const std::vector<Candidate> candidates = candidates_of(tuples, nullptr);
  return hooks.run([&] {
    const nb::gil_scoped_release free;
    return compare(candidates, options);
  });
}

Record compare_all(const nb::list& tuples, const nb::dict& given, nb::callable empty, nb::object progress,
                   nb::object stop) {
  const auto options = read_keywords<CompareOptions>(given);
  if (std::all_of(tuples.begin(), tuples.end(), is_model)) {
    Hooks hooks(std::move(progress), std::move(stop));
    return compare_models(tuples, options, hooks);
  }
  Harness harness(std::move(empty), std::move(progress), std::move(stop));
  return compare_callables(tuples, options, harness);
}

template <class T, Record (*Verb)(const Model&, const T&)>
void add_verb(nb::module_& m, const char* name) {
  m.def(name, study<T, Verb>, nb::arg("model"), nb::arg("options"), nb::arg("progress").none(), nb::arg("stop").none());
}

}  // namespace

void add_studies(nb::module_& m) {
  add_verb<Options, run_model>(m, "run");
  add_verb<MethodsOptions, methods>(m, "methods");
  add_verb<ThroughputOptions, throughput>(m, "throughput");
  add_verb<ProfileOptions, profile>(m, "profile");
  add_verb<MemoryOptions, memory>(m, "memory");
  m.def("compare", compare_all, nb::arg("candidates"), nb::arg("options"), nb::arg("empty"), nb::arg("progress").none(),
        nb::arg("stop").none());
}

}  // namespace strobe::python
