// SPDX-License-Identifier: Apache-2.0
// The members of the public structs of options as keyword arguments of Python: a row each, with the name of the member.
// Defaults are the structs' own, because what is not given is not touched.
#pragma once

#include <span>
#include <string>

#include <nanobind/nanobind.h>

#include <strobe/measure.h>
#include <strobe/model.h>
#include <strobe/study.h>

#include "python/values.h"

namespace strobe::python {

template <class T>
struct Keyword {
  const char* name;
  void (*read)(nb::handle value, const char* name, T& to);
};

std::span<const Keyword<Model>> keywords_of(const Model&);
std::span<const Keyword<Options>> keywords_of(const Options&);
std::span<const Keyword<MethodsOptions>> keywords_of(const MethodsOptions&);
std::span<const Keyword<ThroughputOptions>> keywords_of(const ThroughputOptions&);
std::span<const Keyword<ProfileOptions>> keywords_of(const ProfileOptions&);
std::span<const Keyword<MemoryOptions>> keywords_of(const MemoryOptions&);
std::span<const Keyword<Candidate>> keywords_of(const Candidate&);
std::span<const Keyword<CompareOptions>> keywords_of(const CompareOptions&);
std::span<const Keyword<PipelineOptions>> keywords_of(const PipelineOptions&);
std::span<const Keyword<PipelineStep>> keywords_of(const PipelineStep&);
std::span<const Keyword<CompareRecordsOptions>> keywords_of(const CompareRecordsOptions&);
std::span<const Keyword<AuditOptions>> keywords_of(const AuditOptions&);

// {"options": ("name", "effort", …), …}: by which Python sorts keywords, and refuses what no struct has.
nb::dict keyword_tables();

// A struct with what was given. Names come from `keyword_tables`.
template <class T>
T read_keywords(const nb::dict& given, T to = {}) {
  for (const auto [key, value] : given) {
    for (const Keyword<T>& k : keywords_of(to)) {
      if (nb::borrow<nb::str>(key).equal(nb::str(k.name))) k.read(value, k.name, to);
    }
  }
  return to;
}

}  // namespace strobe::python
