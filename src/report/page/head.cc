#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/format.h"
#include "record/names.h"
#include "report/page/sections.h"
#include "report/words.h"

namespace strobe::page {
namespace {

// The one thing a stranger should see first.
struct Headline {
  std::string label;
  Html figure, interval;
  std::string aside;
};

std::optional<Headline> of_comparison(const Record& r) {
  if (r.comparisons.empty()) return {};
  const Comparison& c = r.comparisons.front();
  const std::string words = fmt::format("{:.3f}×", c.ratio.value);
  Headline h{fmt::format("{} against {}: {}", c.b, c.a, full_title(c.metric)),
             number(c.ratio.value, c.metric, "ratio", words),
             {},
             c.outcome};
  if (c.ratio.bounded()) h.interval = escaped(fmt::format("[{:.3f}, {:.3f}]", *c.ratio.low, *c.ratio.high));
  if (r.comparisons.size() > 1) h.aside += fmt::format("; {} more below", r.comparisons.size() - 1);
  return h;
}

// What a search calls best_batch, best_streams and so on are this case's settings.
bool is_best(const Case& c, const Scalars& answer) {
  for (const auto& [key, value] : answer) {
    const auto mine = key.starts_with("best_") ? c.settings.find(key.substr(5)) : c.settings.end();
    if (mine != c.settings.end() && scalar_text(mine->second) != scalar_text(value)) return false;
  }
  return true;
}

std::optional<Headline> of_search(const Record& r) {
  const std::string best = setting(r.answer, "best_batch");
  if (best.empty()) return {};
  Headline h{"best batch", escaped(best), {}, {}};
  for (const Case& c : r.cases) {
    const Metric* rate = known_metric(c.metrics, "throughput");
    if (!rate || !is_best(c, r.answer)) continue;
    h.aside = "throughput " + figure(rate->median.value, rate->unit, rate->median.low, rate->median.high).plain();
    break;
  }
  return h;
}

std::optional<Headline> of_metric(const Record& r) {
  const Metric* m = r.headline();
  if (!m) return {};
  const char* name = r.find("latency") ? "latency" : "reading";
  const Figure f = figure(m->median.value, m->unit, m->median.low, m->median.high);
  Headline h{fmt::format("{}, median", full_title(name)),
             number(m->median.value, name, "median", f.number + " " + f.unit),
             interval(m->median, name, "median", m->unit),
             fmt::format("{} sample{}", format_count(m->n), m->n == 1 ? "" : "s")};
  if (r.window_ns > 0) h.aside += fmt::format(" in a window of {}", format_time(r.window_ns));
  if (r.startup.warmup_requests) h.aside += fmt::format(", steady after {}", format_count(*r.startup.warmup_requests));
  if (!m->median.valid) h.aside += "; the interval is void: " + m->median.why;
  return h;
}

std::optional<Headline> of_checks(const Record& r) {
  if (r.verb != "selftest") return {};
  std::size_t passed = 0;
  for (const Case& c : r.cases) passed += c.error.empty();
  return Headline{"checks passed", escaped(fmt::format("{} of {}", passed, r.cases.size())), {}, {}};
}

std::optional<Headline> of_parts(const Record& r) {
  if (r.verb != "doctor") return {};
  std::size_t present = 0;
  for (const Case& c : r.cases) present += c.error.empty();
  return Headline{"devices and runtimes", escaped(fmt::format("{} of {}", present, r.cases.size())), {}, "are present"};
}

std::optional<Headline> of_cases(const Record& r) {
  if (r.cases.empty()) return Headline{"figures", escaped("none"), {}, "nothing was measured"};
  std::size_t failed = 0;
  for (const Case& c : r.cases) failed += !c.error.empty();
  return Headline{"cases",
                  escaped(fmt::format("{}", r.cases.size())),
                  {},
                  failed ? fmt::format("{} could not be measured", failed) : ""};
}

// The first that has something to say.
constexpr std::array kHeadlines{of_comparison, of_search, of_metric, of_checks, of_parts, of_cases};

std::string figure_box(const Record& r) {
  for (const auto make : kHeadlines) {
    const auto h = make(r);
    if (!h) continue;
    std::string out =
        fmt::format(R"(<div><p class="aside">{}</p><p class="figure">{})", escaped(h->label).text, h->figure.text);
    if (!h->interval.text.empty()) out += fmt::format(R"( <small>95 % interval {}</small>)", h->interval.text);
    return out + fmt::format(R"(</p><p class="aside">{}</p></div>)", escaped(h->aside).text);
  }
  return {};
}

// What makes the verdict what it is: findings about the workload never count.
std::string reasons(const Record& r) {
  std::string ids;
  for (const Finding& f : r.findings) {
    if (f.about != About::workload && f.severity != Severity::note && ids.find(f.id) == std::string::npos)
      ids += (ids.empty() ? "" : ", ") + f.id;
  }
  return ids.empty() ? "" : ": " + ids;
}

struct VerdictWords {
  std::string_view icon, run, doctor, selftest;
};

// Circle with a tick, triangle with a mark, octagon with a cross: told apart without colour.
constexpr std::array kVerdicts{
    VerdictWords{R"(<circle cx="12" cy="12" r="10"/><path d="M7 12.5l3.5 3.5L17 8.5"/>)",
                 "Nothing was seen that could move the figure by more than its interval",
                 "Nothing here would spoil a measurement", "Every check passed"},
    VerdictWords{R"(<path d="M12 2.5L22.5 21h-21z"/><path d="M12 9v6M12 17.6v.6"/>)",
                 "Read the warnings before you use the figure", "Something here would spoil a measurement",
                 "Some checks are in doubt"},
    VerdictWords{R"(<path d="M8 2h8l6 6v8l-6 6H8l-6-6V8z"/><path d="M8.5 8.5l7 7M15.5 8.5l-7 7"/>)",
                 "Do not use the figure", "This machine cannot measure", "A check failed"},
};

std::string verdict_box(const Record& r) {
  const VerdictWords& w = kVerdicts[static_cast<std::size_t>(r.verdict)];
  const std::string_view sentence = r.verb == "doctor" ? w.doctor : r.verb == "selftest" ? w.selftest : w.run;
  std::string status{name(r.status)};
  if (!r.status_reason.empty()) status += ": " + r.status_reason;
  return fmt::format(
      R"(<div class="verdict {0}"><p class="aside">verdict</p><p class="word"><svg viewBox="0 0 24 24" fill="none" )"
      R"(stroke="currentColor" stroke-width="2.2" aria-hidden="true">{1}</svg><span data-verdict="{0}">{0}</span></p>)"
      R"(<p>{2}{3}.</p><p class="aside">{4}</p></div>)",
      name(r.verdict), w.icon, sentence, escaped(reasons(r)).text, escaped("status: " + status).text);
}

struct FindingWords {
  std::string_view style, tag;
};

FindingWords words_for(const Finding& f) {
  if (f.about == About::workload) return {"note", "→ advice"};
  constexpr std::array kBySeverity{FindingWords{"note", "● note"}, FindingWords{"warning", "▲ warning"},
                                   FindingWords{"bad", "✖ invalid"}};
  return kBySeverity[static_cast<std::size_t>(f.severity)];
}

}  // namespace

std::string head_section(const Record& r, const Outline& o) {
  const std::string name = r.model.name.empty() ? "strobe " + r.verb : r.model.name;
  return fmt::format("<header>{}<p class=\"subject\">{}</p></header>\n<div class=\"hero\">{}{}</div>\n",
                     o.heading(0, name), escaped(fmt::format("{}", fmt::join(subject(r), " · "))).text, figure_box(r),
                     verdict_box(r));
}

std::string findings_section(const Record& r, const Outline& o) {
  if (r.findings.empty()) return {};
  std::string out = "<section>" + o.heading(1, "Findings") + "<ul class=\"findings\">";
  for (const Finding& f : r.findings) {
    const FindingWords w = words_for(f);
    out += fmt::format(
        R"(<li class="finding {}"><p><span class="tag">{}: {}</span> <span class="aside">about the {}</span></p><p>{}.</p>)",
        w.style, w.tag, escaped(f.id).text, name(f.about), escaped(f.message).text);
    if (!f.advice.empty()) out += fmt::format(R"(<p class="aside">{}</p>)", escaped(f.advice).text);
    out += "</li>";
  }
  return out + "</ul><p class=\"aside\">docs/findings.md has a section for each.</p></section>\n";
}

}  // namespace strobe::page
