// SPDX-License-Identifier: Apache-2.0
// The record as Python holds it: its formats. Fields are read from its JSON, which is the documented form.
#include <string>
#include <vector>

#include <nanobind/stl/string.h>

#include <strobe/record.h>
#include <strobe/study.h>

#include "python/functions.h"
#include "python/hooks.h"
#include "python/keywords.h"

namespace strobe::python {
namespace {

using Seconds = std::chrono::duration<double>;

// Any iterable of numbers, an array of numpy's included.
std::vector<Seconds> seconds_of(const nb::iterable& times) {
  std::vector<Seconds> all;
  for (const nb::handle time : times) {
    double seconds = 0;
    if (nb::hasattr(time, "total_seconds"))
      seconds = nb::cast<double>(time.attr("total_seconds")());
    else
      read(time, "a time", seconds);
    all.emplace_back(seconds);
  }
  return all;
}

}  // namespace

void add_record(nb::module_& m) {
  nb::class_<Record>(m, "Record")
      .def("text", [](const Record& r) { return text(r); })
      .def("html", [](const Record& r) { return html(r); })
      .def("json", [](const Record& r) { return json(r); })
      .def("has_result", [](const Record& r) { return has_result(r); });
  m.def("nanoseconds", [](nb::handle time, const char* name) {
    std::chrono::nanoseconds t{};
    read(time, name, t);
    return t.count();
  });
  m.def("parse_record", [](const std::string& text) { return parse_record(text); });
  // Records with the names that the comparison shows.
  m.def("compare_records", [](const nb::list& records, const nb::dict& options) {
    std::vector<StoredRecord> all;
    for (const nb::handle r : records) all.push_back({nb::cast<std::string>(r[0]), nb::cast<Record>(r[1])});
    return compare_records(all, read_keywords<CompareRecordsOptions>(options));
  });
  m.def("audit_file", [](const std::string& file, const nb::dict& options) {
    return audit(file, read_keywords<AuditOptions>(options));
  });
  m.def("audit_times", [](const nb::iterable& times, const nb::dict& options) {
    return audit(seconds_of(times), read_keywords<AuditOptions>(options));
  });
}

}  // namespace strobe::python
