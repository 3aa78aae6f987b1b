// SPDX-License-Identifier: Apache-2.0
#include "study/method_table.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "measure/idle.h"
#include "measure/method_axes.h"
#include "record/idle_words.h"
#include "record/metric_names.h"
#include "record/reported.h"

namespace strobe {
namespace {

using Wait = Method::Wait;
using Read = Method::Read;

constexpr std::array kWaits{Wait::none, Wait::event, Wait::stream, Wait::device};

struct Reference {
  Method method;
  std::string_view metric;
  bool on_demand = false;  // only where a row is taken for it
};

constexpr std::array kReferences{
    Reference{kLatencyPass.method, metric::latency}, Reference{kDeviceTimePass.method, metric::device_time},
    Reference{kReplayPass.method, metric::replay_time}, Reference{kPeriodPass.method, metric::period},
    Reference{kReplayLatencyPass.method, metric::replay_latency, true}};

// Without warm-up only the mean shows what the first requests did to it, and the mean is what people print.
std::string usual_statistic(const Method& m) {
  return m.once ? statistic::once : m.warmup ? statistic::median : statistic::mean;
}

ShownMethod shown(const Method& m, std::string name, const char* group, bool asynchronous) {
  return {.row = {.method = m, .name = std::move(name)},
          .claims = std::string(claim_of(m)),
          .about = std::string(about(m, asynchronous)),
          .statistic = usual_statistic(m),
          .group = group};
}

ShownMethod shown(const NamedMethod& n) {
  ShownMethod s = shown(n.method, std::string(n.method.name), method_group::named, true);
  s.claims = n.claims;
  s.about = n.about;
  return s;
}

std::string matrix_name(const Method& m) {
  std::string name = m.clock == Method::Clock::host ? "host" : "device";
  name += m.wait == Wait::none     ? ", no wait"
          : m.wait == Wait::event  ? ", event"
          : m.wait == Wait::stream ? ", stream"
                                   : ", device-wide";
  if (m.clock == Method::Clock::device) name += m.read == Read::request ? ", read at once" : ", read at the end";
  return name + (m.warmup ? "" : ", no warm-up");
}

// Every combination of warm-up, clock, wait and reading. A host clock is always read at once.
void add_matrix(std::vector<ShownMethod>& rows) {
  for (const bool warmup : {true, false}) {
    for (const Method::Clock clock : {Method::Clock::host, Method::Clock::device}) {
      for (const Wait wait : kWaits) {
        for (const Read read : {Read::request, Read::end}) {
          if (clock == Method::Clock::host && read == Read::end) continue;
          const Method m{.name = "matrix", .clock = clock, .wait = wait, .read = read, .warmup = warmup};
          rows.push_back(shown(m, matrix_name(m), method_group::combination, true));
        }
      }
    }
  }
}

// On an inline device all waits and clocks read the same, so only what differs is shown.
std::vector<ShownMethod> inline_rows() {
  const Method once{.name = "request", .wait = Wait::none};
  Method cold = once, block = once;
  cold.warmup = false;
  block.scope = Method::Scope::block;
  std::vector<ShownMethod> rows{shown(once, "request", method_group::named, false),
                                shown(cold, "request, no warm-up", method_group::named, false),
                                shown(block, "block", method_group::named, false), shown(first_call())};
  rows[2].about = "one pair of clock readings around a block";
  return rows;
}

// All that have a name, those that not every device has last.
std::vector<NamedMethod> known_methods() {
  std::vector<NamedMethod> known(named_methods().begin(), named_methods().end());
  known.push_back(first_call());
  known.insert(known.end(), special_methods().begin(), special_methods().end());
  return known;
}

void check_names(const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const NamedMethod& n : known_methods()) names.emplace_back(n.method.name);
  for (const std::string& name : wanted) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw Error(ErrorCode::usage, fmt::format("there is no method '{}'", name.substr(0, 40)), {},
                fmt::format("The methods are {}.{}", fmt::join(names, ", "), did_you_mean(name, names)));
  }
}

void add_named(const std::vector<std::string>& wanted, std::vector<ShownMethod>& rows) {
  for (const NamedMethod& n : known_methods()) {
    if (std::find(wanted.begin(), wanted.end(), n.method.name) != wanted.end()) rows.push_back(shown(n));
  }
}

void add_chosen(const std::vector<std::string>& texts, bool asynchronous, std::vector<ShownMethod>& rows) {
  for (const std::string& text : texts) {
    const Method m = parse_method(text);
    const std::string name = method_text(m);
    const auto same = [&](const ShownMethod& s) { return s.row.name == name; };
    if (std::any_of(rows.begin(), rows.end(), same))
      throw Error(ErrorCode::usage, fmt::format("the method {} is given twice", name), {}, "Leave one of them out.");
    rows.push_back(shown(m, name, method_group::chosen, asynchronous));
  }
}

std::vector<ShownMethod> every_row(const Device& device) {
  if (!device.can().asynchronous) return inline_rows();
  std::vector<ShownMethod> rows;
  for (const NamedMethod& n : known_methods()) {
    if (is_usual(n.method, device)) rows.push_back(shown(n));
  }
  add_matrix(rows);
  return rows;
}

// A further row for each pause before a request.
void add_idle(const std::vector<IdlePause>& pauses, bool asynchronous, std::vector<ShownMethod>& rows) {
  for (const IdlePause& p : pauses)
    rows.push_back(
        shown(idle_pass(p).method, idle_label(to_double(p.length), p.random), method_group::named, asynchronous));
}

std::vector<ShownMethod> rows_of(const MethodsOptions& o, const Device& device) {
  const bool asynchronous = static_cast<bool>(device.can().asynchronous);
  const bool none_named = o.methods.empty() || !asynchronous;
  std::vector<ShownMethod> rows;
  if (none_named && o.method.empty()) rows = every_row(device);
  if (asynchronous) add_named(o.methods, rows);
  add_chosen(o.method, asynchronous, rows);
  add_idle(o.idle, asynchronous, rows);
  return rows;
}

// Without a queue nobody stops the clock too early.
std::string_view about_on(const Device& device, const Listing& l) {
  if (l.method.wait != Wait::none || device.can().asynchronous) return l.about;
  return l.method.warmup ? "on the CPU the work is done when the call returns"
                         : "the first call of the process is counted";
}

ShownMethod row_of(const Listing& l, const Device& device) {
  ShownMethod s = shown(l.method, std::string(l.name), method_group::listing, true);
  s.claims = l.claims;
  s.about = about_on(device, l);
  s.statistic = l.statistic;
  s.listing = &l;
  return s;
}

}  // namespace

std::vector<MethodRow> MethodTable::rows() const {
  std::vector<MethodRow> all;
  for (const ShownMethod& s : shown) all.push_back(s.row);
  all.insert(all.end(), references.begin(), references.end());
  return all;
}

void check_methods(const MethodsOptions& o) {
  check_names(o.methods);
  std::vector<ShownMethod> chosen;
  add_chosen(o.method, true, chosen);
  if (o.like.empty()) return;
  if (o.like != kEveryListing) find_listing(o.like);
  if (!o.methods.empty() || !o.method.empty() || !o.idle.empty())
    throw Error(ErrorCode::usage, "cannot use --like with --methods, --method or --idle",
                "a listing is run alone, before anything else", "Take one of them.");
  if (o.warmup != MethodsOptions{}.warmup)
    throw Error(ErrorCode::usage, "cannot use --warmup with --like", "the listing has its own warm-up");
}

MethodTable method_table(const MethodsOptions& o, const Device& device) {
  check_methods(o);
  MethodTable t;
  if (o.like.empty()) {
    t.shown = rows_of(o, device);
  } else {
    const Listing& l = find_listing(o.like);
    t.shown.push_back(row_of(l, device));
    t.script = l.script;
  }
  const bool asynchronous = static_cast<bool>(device.can().asynchronous);
  for (const Reference& r : kReferences) {
    const bool taken = std::any_of(t.shown.begin(), t.shown.end(), [&](const auto& s) { return s.claims == r.metric; });
    if (!asynchronous && r.metric != metric::latency) continue;
    if (!r.on_demand || taken)
      t.references.push_back({.method = r.method, .name = std::string(r.metric), .reference = true});
  }
  return t;
}

}  // namespace strobe
