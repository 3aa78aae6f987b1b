// SPDX-License-Identifier: Apache-2.0
// The verbs. What works on models alone runs without the GIL: other threads of the program go on meanwhile.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>

#include <strobe/study.h>

#include "python/call.h"
#include "python/functions.h"
#include "python/garbage.h"
#include "python/hooks.h"
#include "python/interpreter_lock.h"
#include "python/keywords.h"

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

// Candidates are tuples (name, callable or the dictionary of a model, arguments, {…}).
Candidate candidate_of(const nb::handle tuple, InterpreterLock& lock) {
  Candidate c = read_keywords<Candidate>(nb::cast<nb::dict>(tuple[3]));
  c.name = nb::cast<std::string>(tuple[0]);
  const nb::object what = tuple[1];
  if (nb::isinstance<nb::dict>(what))
    c.what = read_keywords<Model>(nb::cast<nb::dict>(what));
  else
    c.what = call(nb::cast<nb::callable>(what), nb::cast<nb::tuple>(tuple[2]), &lock);
  return c;
}

bool has_callable(const std::vector<Candidate>& candidates) {
  for (const Candidate& c : candidates) {
    if (!std::holds_alternative<Model>(c.what)) return true;
  }
  return false;
}

Record compare_all(const nb::list& given_candidates, const nb::dict& given, nb::object progress, nb::object stop) {
  InterpreterLock lock;
  std::vector<Candidate> candidates;
  for (const nb::handle c : given_candidates) candidates.push_back(candidate_of(c, lock));
  CompareOptions options = read_keywords<CompareOptions>(given);
  Hooks hooks(std::move(progress), std::move(stop));
  options.stop = hooks.stop();
  if (has_callable(candidates)) {
    GarbagePause garbage;
    options.progress = hooks.progress([&] { garbage.between_rounds(); });
    return hooks.run([&] {
      const LendWhileWaiting lend(lock);
      return compare(candidates, options);
    });
  }
  options.progress = hooks.progress();
  return hooks.run([&] {
    const nb::gil_scoped_release free;
    return compare(candidates, options);
  });
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
  m.def("compare", compare_all, nb::arg("candidates"), nb::arg("options"), nb::arg("progress").none(),
        nb::arg("stop").none());
}

}  // namespace strobe::python
