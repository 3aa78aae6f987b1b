// SPDX-License-Identifier: Apache-2.0
#include "report/prom.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "base/unit_names.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "record/outcome_words.h"
#include "report/method_errors.h"
#include "report/search_answer.h"
#include "report/words.h"

namespace strobe {
namespace {

std::string escaped_label(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

std::string escaped_help(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

// What may stand in the name of a metric.
std::string plain(std::string_view name) {
  std::string out(name);
  std::replace_if(
      out.begin(), out.end(),
      [](char c) { return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')); }, '_');
  return out;
}

struct Unit {
  std::string_view unit, suffix;
  double scale;
};
constexpr std::array kUnits{Unit{unit::ns, "_seconds", 1e-9}, Unit{unit::items_per_second, "_items_per_second", 1},
                            Unit{unit::bytes, "_bytes", 1},   Unit{unit::joules, "_joules", 1},
                            Unit{unit::watts, "_watts", 1},   Unit{unit::items_per_joule, "", 1}};

using Labels = std::vector<std::pair<std::string, std::string>>;

Labels with(Labels labels, std::string key, std::string value) {
  labels.emplace_back(std::move(key), std::move(value));
  return labels;
}

std::string text_of(const Labels& labels) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : labels) parts.push_back(fmt::format("{}=\"{}\"", key, escaped_label(value)));
  return fmt::format("{{{}}}", fmt::join(parts, ","));
}

// Series by name: the format wants all of one name together, under one HELP and one TYPE.
class Families {
 public:
  void add(const std::string& name, std::string_view help, const Labels& labels, double value) {
    Family& f = families_[name];
    if (f.help.empty()) f.help = escaped_help(help);
    f.lines += fmt::format("{}{} {}\n", name, text_of(labels), value);
  }

  std::string text() const {
    std::string out;
    for (const auto& [name, f] : families_)
      out += fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n{2}", name, f.help, f.lines);
    return out;
  }

 private:
  struct Family {
    std::string help, lines;
  };
  std::map<std::string, Family> families_;
};

void add_estimate(Families& out, const std::string& name, const std::string& help, const Labels& labels,
                  const Estimate& e, double scale) {
  out.add(name, help, labels, e.value * scale);
  if (e.low) out.add(name + "_low", help + " Lower end of the 95 % interval.", labels, *e.low * scale);
  if (e.high) out.add(name + "_high", help + " Upper end of the 95 % interval.", labels, *e.high * scale);
}

void add_metrics(Families& out, const Metrics& metrics, const Labels& labels) {
  for (const auto& [metric, m] : metrics) {
    const auto unit =
        std::find_if(kUnits.begin(), kUnits.end(), [&, &unit_of = m.unit](const Unit& u) { return u.unit == unit_of; });
    if (!m.known() || unit == kUnits.end()) continue;
    const MetricInfo* word = metric_info(metric);
    const std::string help(word ? word->definition : metric),
        name = fmt::format("strobe_{}{}", plain(metric), unit->suffix);
    add_estimate(out, name, help, with(labels, "quantile", "0.5"), m.estimate, unit->scale);
    for (const Percentile& q : m.percentiles) {
      if (q.estimate)
        add_estimate(out, name, help, with(labels, "quantile", fmt::format("{:g}", q.p)), *q.estimate, unit->scale);
    }
    out.add(fmt::format("strobe_{}_samples", plain(metric)), "Number of samples.", labels, static_cast<double>(m.n));
  }
}

void add_answer(Families& out, const Record& r, const Labels& labels) {
  for (const AnswerNumber& n : search_numbers(r))
    out.add(fmt::format("strobe_{}", n.name), n.help, labels, static_cast<double>(n.value));
  const auto outcome = bound_outcome(r);
  if (!outcome) return;
  for (const char* o : {bound_word::met, bound_word::not_met, bound_word::cannot_tell})
    out.add("strobe_bound", "1 for the outcome of --max-latency, 0 for the others.", with(labels, "outcome", o),
            *outcome == o ? 1 : 0);
}

// Ratios, what they mean, and what became of the user's conditions.
void add_comparisons(Families& out, const Record& r, const Labels& labels) {
  for (const Comparison& c : r.comparisons) {
    Labels own = with(with(with(labels, "case", c.b), "against", c.a), "metric", c.metric);
    own = with(own, "quantile", c.percentile ? fmt::format("{:g}", *c.percentile) : "0.5");
    add_estimate(out, "strobe_ratio", "This case divided by the one it is compared with.", own, c.ratio, 1);
    out.add("strobe_outcome", "1 for the outcome of the comparison.", with(own, "outcome", c.outcome), 1);
  }
  for (const FailOn& f : r.fail_on)
    out.add("strobe_fail_on", "1 for the outcome of the condition: passed, failed or cannot-tell.",
            with(with(with(labels, "case", f.candidate), "condition", f.condition), "outcome", f.outcome), 1);
}

void add_method_errors(Families& out, const Record& r, const Labels& labels) {
  for (const Case& c : r.cases) {
    if (const auto e = method_error(c))
      out.add("strobe_method_error_ratio", "How far the method reads from its reference: 0.1 is 10 % too much.",
              with(with(with(labels, "case", c.name), "from", e->from), "of", std::string(e->of)), e->off);
  }
}

void add_record(Families& out, const Record& r, const Labels& labels) {
  add_answer(out, r, labels);
  add_metrics(out, r.metrics, labels);
  for (const Case& c : r.cases) add_metrics(out, c.metrics, with(labels, "case", c.name));
  for (const Case& c : r.launches) add_metrics(out, c.metrics, with(labels, "launch", c.name));
  add_comparisons(out, r, labels);
  add_method_errors(out, r, labels);
  for (const Verdict v : {Verdict::trusted, Verdict::caution, Verdict::invalid})
    out.add("strobe_verdict", "1 for the verdict of the record, 0 for the others.",
            with(labels, "verdict", std::string(name(v))), r.verdict == v ? 1 : 0);
  for (const Severity s : {Severity::note, Severity::warning, Severity::invalid})
    out.add("strobe_findings", "Findings of this severity.", with(labels, "severity", std::string(name(s))),
            static_cast<double>(std::count_if(r.findings.begin(), r.findings.end(),
                                              [&](const Finding& f) { return f.severity == s; })));
  out.add("strobe_duration_seconds", "Time of the whole measurement.", labels, r.duration_ns * 1e-9);
}

}  // namespace

std::string prom_of(std::span<const Record> records) {
  Families out;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Record& r = records[i];
    Labels labels{{"model", r.model.name}, {"verb", r.verb}, {"device", r.device.name}};
    if (records.size() > 1) labels.emplace_back("record", fmt::format("{}", i + 1));  // no two series may be equal
    add_record(out, r, labels);
  }
  return out.text();
}

}  // namespace strobe
