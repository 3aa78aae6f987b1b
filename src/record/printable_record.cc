// SPDX-License-Identifier: Apache-2.0
#include "record/printable_record.h"

#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/printable.h"

namespace strobe {
namespace {

template <class... Texts>
void mend(Texts&... texts) {
  static_assert((std::is_same_v<Texts, std::string> && ...));
  ((texts = printable(texts)), ...);
}

// Names are keys, too.
template <class Map, class F>
void mend_entries(Map& map, F&& mend_value) {
  Map mended;
  for (auto& [key, value] : map) {
    mend_value(value);
    mended.emplace(printable(key), std::move(value));
  }
  map = std::move(mended);
}

void mend(Scalars& scalars) {
  mend_entries(scalars, [](Scalar& s) {
    if (auto* text = std::get_if<std::string>(&s)) mend(*text);
  });
}

void mend(std::map<std::string, double, std::less<>>& numbers) {
  mend_entries(numbers, [](double) {});
}

void mend(Metric& m) {
  mend(m.unit, m.unknown, m.median.why);
  if (m.mean) mend(m.mean->why);
  for (Percentile& p : m.percentiles) {
    if (p.estimate) mend(p.estimate->why);
  }
  if (m.facts.warmup_state) mend(*m.facts.warmup_state);
}

void mend(Metrics& metrics) {
  mend_entries(metrics, [](Metric& m) { mend(m); });
}

void mend(Finding& f) {
  mend(f.id, f.message, f.advice);
  mend(f.evidence);
}

void mend(Stage& s) {
  mend(s.name, s.about);
  mend(s.metrics);
}

void mend(Comparison& c) {
  mend(c.a, c.b, c.metric, c.outcome, c.ratio.why);
}

void mend(FailOn& f) {
  mend(f.condition, f.candidate, f.metric, f.outcome, f.why);
}

void mend(TimelineSpan& s) {
  mend(s.lane, s.name);
}

void mend(TensorInfo& t) {
  mend(t.name, t.type, t.source);
}

void mend(ModelInfo& m) {
  mend(m.path, m.name, m.sha256, m.runtime, m.runtime_version);
  for (auto& x : m.inputs) mend(x);
  for (auto& x : m.outputs) mend(x);
  mend(m.facts);
  for (ModelFile& f : m.files) mend(f.name, f.sha256);
}

void mend(DeviceInfo& d) {
  mend(d.kind, d.name);
  mend(d.facts);
  mend(d.calibration);
}

void mend(Case& c) {
  mend(c.name, c.error, c.about, c.outcome);
  mend(c.settings);
  mend(c.metrics);
  for (auto& x : c.findings) mend(x);
  for (auto& x : c.stages) mend(x);
  mend(c.answer);
  if (c.model) mend(*c.model);
  if (c.device) mend(*c.device);
}

void mend(Observations& o) {
  if (o.gate) mend(o.gate->why_not);
  if (o.outputs) mend(o.outputs->detail);
  if (o.work)
    for (auto& x : o.work->uncounted) mend(x);
  mend(o.clocks_per_pass);
  if (o.disturbances)
    for (auto& x : o.disturbances->libraries) mend(x);
  for (auto& x : o.other_devices) mend(x);
}

void mend(Telemetry& t) {
  mend_entries(t.columns, [](std::vector<double>&) {});
  mend(t.facts);
}

}  // namespace

Record printable(Record r) {
  mend(r.verb, r.strobe.version, r.strobe.commit, r.strobe.build, r.strobe.compiler, r.started_at, r.status_reason);
  for (auto& x : r.command) mend(x);
  mend(r.host);
  mend(r.device);
  mend(r.model);
  mend(r.settings);
  mend(r.metrics);
  mend(r.observations);
  mend(r.telemetry);
  for (auto& x : r.cases) mend(x);
  for (auto& x : r.comparisons) mend(x);
  for (auto& x : r.fail_on) mend(x);
  for (auto& x : r.launches) mend(x);
  for (auto& x : r.timeline) mend(x);
  mend(r.answer);
  for (auto& x : r.findings) mend(x);
  return r;
}

}  // namespace strobe
