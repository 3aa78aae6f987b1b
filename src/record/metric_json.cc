// SPDX-License-Identifier: Apache-2.0
// Figures and metrics of a record as JSON.
#include <algorithm>
#include <vector>

#include "record/json_fields.h"
#include "record/metric_info.h"

namespace strobe::record_json {
Json write(const Estimate& e) {
  Writer w;
  w.put("value", e.value);
  w.json["low"] = e.low ? number(*e.low) : Json();
  w.json["high"] = e.high ? number(*e.high) : Json();
  if (!e.valid) w.put("valid", false);
  w.put("why", e.why);
  return w.json;
}

void read(const Json& j, const std::string& path, Estimate& e) {
  const Reader r(j, path);
  r.get("value", e.value);
  r.get("low", e.low);
  r.get("high", e.high);
  r.get("valid", e.valid);
  r.get("why", e.why);
}

namespace {

using record_json::read;
using record_json::write;

Json write(const Percentile& p) {
  Json j = Json::object();
  j["p"] = p.p;
  if (p.estimate) j.update(write(*p.estimate));
  if (p.needs) j["needs"] = *p.needs;
  return j;
}

void read(const Json& j, const std::string& path, Percentile& p) {
  const Reader r(j, path);
  r.get("p", p.p);
  r.get("needs", p.needs);
  if (j.contains("value")) read(j, path, p.estimate.emplace());
}

Json write(const Facts& f) {
  Writer w;
  w.put("warmup_end_s", f.warmup_end_seconds);
  w.put("warmup_state", f.warmup_state);
  w.put("warmup_bias", f.warmup_bias);
  w.put("drift", f.drift);
  w.put("drift_per_minute", f.drift_per_minute);
  if (f.drift) w.put("drifting", f.drifting);
  Json shifts = Json::array();
  for (const LevelShift& s : f.shifts)
    shifts.push_back(Json::object({{"at_s", number(s.at_seconds)}, {"ratio", number(s.ratio)}}));
  w.put("shifts", shifts);
  if (f.regime_switching) w.put("regime_switching", true);
  Json modes = Json::array();
  for (const Mode& m : f.modes) modes.push_back(Json::object({{"value", number(m.value)}, {"share", number(m.share)}}));
  w.put("modes", modes);
  if (!f.modes.empty()) w.put("modes_ordered", f.modes_ordered);
  w.put("lag1", f.lag1);
  w.put("tick", f.tick);
  w.put("tau", f.n_eff_tau);
  w.put("coupling", f.coupling);
  if (f.coupled) w.put("coupled", true);
  return w.json;
}

void read(const Json& j, const std::string& path, Facts& f) {
  const Reader r(j, path);
  r.get("warmup_end_s", f.warmup_end_seconds);
  r.get("warmup_state", f.warmup_state);
  r.get("warmup_bias", f.warmup_bias);
  r.get("drift", f.drift);
  r.get("drift_per_minute", f.drift_per_minute);
  r.get("drifting", f.drifting);
  r.each("shifts", [&](const Json& x, const std::string& p) {
    const Reader s(x, p);
    LevelShift& shift = f.shifts.emplace_back();
    s.get("at_s", shift.at_seconds);
    s.get("ratio", shift.ratio);
  });
  r.get("regime_switching", f.regime_switching);
  r.each("modes", [&](const Json& x, const std::string& p) {
    const Reader s(x, p);
    Mode& mode = f.modes.emplace_back();
    s.get("value", mode.value);
    s.get("share", mode.share);
  });
  r.get("modes_ordered", f.modes_ordered);
  r.get("lag1", f.lag1);
  r.get("tick", f.tick);
  r.get("tau", f.n_eff_tau);
  r.get("coupling", f.coupling);
  r.get("coupled", f.coupled);
}

Json write(const Metric& m) {
  Writer w;
  if (!m.known()) {
    w.put("unknown", m.unknown);
    return w.json;
  }
  w.put("unit", m.unit);
  w.put("n", m.n);
  w.put("n_eff", m.n_eff);
  w.put("median", write(m.median));
  if (m.mean) w.put("mean", write(*m.mean));
  if (m.max == 0) return w.json;  // a rate over the whole window: it has no distribution
  w.put("stddev", m.stddev);
  w.put("min", m.min);
  w.put("max", m.max);
  w.put("outliers", Json{{"count", m.outliers.count},
                         {"share", number(m.outliers.share)},
                         {"time_share", number(m.outliers.time_share)},
                         {"largest", number(m.outliers.largest)}});
  Json percentiles = Json::array();
  for (const Percentile& p : m.percentiles) percentiles.push_back(write(p));
  w.put("percentiles", percentiles);
  w.put("facts", write(m.facts));
  Json curve = Json::array();
  for (const CurveBucket& b : m.curve) {
    curve.push_back(Json::object({{"t", number(b.at_seconds)},
                                  {"low", number(b.low)},
                                  {"median", number(b.median)},
                                  {"high", number(b.high)},
                                  {"n", b.n}}));
  }
  w.put("curve", curve);
  if (!m.histogram.counts.empty()) {
    Json edges = Json::array();
    for (const double e : m.histogram.edges) edges.push_back(number(e));
    w.put("histogram", Json{{"edges", edges}, {"counts", m.histogram.counts}});
  }
  return w.json;
}

void read(const Json& j, const std::string& path, Metric& m) {
  const Reader r(j, path);
  r.get("unknown", m.unknown);
  r.get("unit", m.unit);
  r.get("n", m.n);
  r.get("n_eff", m.n_eff);
  r.with("median", [&](const Json& x, const std::string& p) { read(x, p, m.median); });
  r.with("mean", [&](const Json& x, const std::string& p) { read(x, p, m.mean.emplace()); });
  r.get("stddev", m.stddev);
  r.get("min", m.min);
  r.get("max", m.max);
  r.with("outliers", [&](const Json& x, const std::string& p) {
    const Reader o(x, p);
    o.get("count", m.outliers.count);
    o.get("share", m.outliers.share);
    o.get("time_share", m.outliers.time_share);
    o.get("largest", m.outliers.largest);
  });
  r.each("percentiles", [&](const Json& x, const std::string& p) { read(x, p, m.percentiles.emplace_back()); });
  r.with("facts", [&](const Json& x, const std::string& p) { read(x, p, m.facts); });
  r.each("curve", [&](const Json& x, const std::string& p) {
    const Reader b(x, p);
    CurveBucket& bucket = m.curve.emplace_back();
    b.get("t", bucket.at_seconds);
    b.get("low", bucket.low);
    b.get("median", bucket.median);
    b.get("high", bucket.high);
    b.get("n", bucket.n);
  });
  r.with("histogram", [&](const Json& x, const std::string& p) {
    const Reader h(x, p);
    h.get("edges", m.histogram.edges);
    h.get("counts", m.histogram.counts);
  });
}

}  // namespace

Json write(const Metrics& metrics) {
  std::vector<const Metrics::value_type*> order;
  for (const auto& m : metrics) order.push_back(&m);
  std::stable_sort(order.begin(), order.end(),
                   [](auto* a, auto* b) { return metric_order(a->first) < metric_order(b->first); });
  Json j = Json::object();
  for (const auto* m : order) j[m->first] = write(m->second);
  return j;
}

void read(const Json& j, const std::string& path, Metrics& metrics) {
  const Reader r(j, path);
  for (const auto& [key, x] : j.items()) read(x, path + key + ".", metrics[key]);
}

}  // namespace strobe::record_json
