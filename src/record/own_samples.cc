// SPDX-License-Identifier: Apache-2.0
#include "record/own_samples.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <strobe/error.h>

#include "record/metric_names.h"

namespace strobe {
namespace {

// As src/measure/samples_file.cc writes them.
enum SampleColumn : std::size_t {
  kPass,
  kRound,
  kState,
  kRequests,
  kBegin,
  kSubmitted,
  kDone,
  kDevice,
  kSampleColumns
};
constexpr std::array<std::string_view, kSampleColumns> kHeadings{"pass",     "round",        "state",   "requests",
                                                                 "begin_ns", "submitted_ns", "done_ns", "device_ns"};

[[noreturn]] void refuse_samples(std::string cause, std::string advice = {}) {
  throw Error(ErrorCode::bad_input, "cannot read the samples", std::move(cause), std::move(advice));
}

double sample_number(const CellRow& row, SampleColumn column) {
  const auto x = row.cells.size() == kSampleColumns ? read_number(row.cells[column], DecimalSign::point) : std::nullopt;
  if (!x || x->value < 0) refuse_samples(fmt::format("line {} is not as strobe writes it", row.line));
  return x->value;
}

// Marks on the device count where a pass has them.
double time_of(const CellRow& row) {
  const double device = sample_number(row, kDevice);
  const double time = device > 0 ? device : sample_number(row, kDone) - sample_number(row, kBegin);
  return time / std::max(1.0, sample_number(row, kRequests));
}

}  // namespace

bool is_samples(const CellTable& table) {
  return std::equal(table.heading.begin(), table.heading.end(), kHeadings.begin(), kHeadings.end());
}

ForeignTimes times_of_samples(const CellTable& table, const std::string& pass) {
  ForeignTimes t;
  t.tool = "strobe";
  t.name = pass.empty() ? metric::latency : pass;
  t.note = "samples of the kept requests and of the warm-up, per request";
  std::vector<std::string> passes;
  for (const CellRow& row : table.rows) {
    const std::string& its = row.cells.front();
    if (std::find(passes.begin(), passes.end(), its) == passes.end()) passes.push_back(its);
    if (its != t.name) continue;
    const double time = time_of(row), begin = sample_number(row, kBegin);
    if (row.cells[kState] != "kept" && row.cells[kState] != "warm-up") continue;
    t.ns.push_back(time);
    t.at_seconds.push_back(begin / 1e9);
  }
  if (t.ns.empty())
    refuse_samples(fmt::format("there are none of '{}'", t.name.substr(0, 40)),
                   fmt::format("Choose one with --name: {}.", fmt::join(passes, ", ")));
  return t;
}

}  // namespace strobe
