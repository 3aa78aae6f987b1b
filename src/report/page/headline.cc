#include "report/page/headline.h"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/format.h"
#include "record/scalars.h"
#include "report/comparison_answer.h"
#include "report/comparison_text.h"
#include "report/page/markup.h"
#include "report/throughput_text.h"
#include "report/words.h"

namespace strobe::page {
namespace {

struct Headline {
  std::string label;
  Html figure, interval;
  std::string aside;
};

// Led by the median of a metric.
Headline of_median(std::string label, const std::string& name, const Metric& m) {
  const Figure f = figure(m.median, m.unit);
  return {std::move(label),
          number(m.median.value, name, "median", f.number + " " + f.unit),
          interval(m.median, name, "median", m.unit),
          {}};
}

std::optional<Headline> of_comparison(const Record& r) {
  if (r.comparisons.empty()) return {};
  const Comparison c = leading(r.comparisons);
  const std::string words = fmt::format("{:.3f}×", c.ratio.value);
  Headline h{fmt::format("{} against {}: {}", c.b, c.a, full_title(c.metric)),
             number(c.ratio.value, c.metric, "ratio", words),
             {},
             comparison_phrase(c, r)};
  if (c.ratio.bounded()) h.interval = escaped(fmt::format("[{:.3f}, {:.3f}]", *c.ratio.low, *c.ratio.high));
  for (const FailOn& f : r.fail_on) h.aside += fmt::format("; {}", fail_on_text(f));
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

// "large 2.42 ms · noise 37.6 ms · small 1.88 ms", as the method reads them.
std::string split(const Record& r, std::string_view method) {
  std::string text;
  for (const Case& c : r.cases) {
    if (c.name != method) continue;
    for (const Stage& stage : c.stages) {
      if (const Metric* m = known_metric(stage.metrics, "reading"))
        text += fmt::format("{}{} {}", text.empty() ? "" : " · ", stage.name, figure(m->median.value, m->unit).plain());
    }
  }
  return text;
}

std::optional<Headline> of_pipeline(const Record& r) {
  const Metric* m = r.find("latency");
  if (r.verb != "pipeline" || !m) return {};
  Headline h = of_median("one iteration, undisturbed", "latency", *m);
  h.aside = split(r, "event");
  h.aside += fmt::format("{}{}", h.aside.empty() ? "" : "; ", counted(m->n, "iteration", "iterations"));
  if (const auto most = fact<double>(r.answer, "marks_cost_at_most"))
    h.aside += fmt::format("; marks around the stages cost at most {}", format_percent(*most));
  return h;
}

std::optional<Headline> of_bound(const Record& r) {
  const std::string bound = setting(r.answer, "bound");
  if (bound.empty()) return {};
  const std::string label =
      fmt::format("most with {} within {}", percentile_label(fact<double>(r.settings, "percentile").value_or(0.99)),
                  format_time(fact<double>(r.settings, "max_latency_ns").value_or(0)));
  const Metric* rate = r.find("throughput");
  if (bound != "met" || !rate)
    return Headline{label, escaped(bound == "cannot-tell" ? "cannot tell" : "not met"), {}, {}};
  Headline h = of_median(label, "throughput", *rate);
  const std::string undecided = undecided_text(r);
  h.aside = "by " + setting(r.answer, "bound_point") + (undecided.empty() ? "" : "; " + undecided);
  return h;
}

std::optional<Headline> of_search(const Record& r) {
  const std::string best = setting(r.answer, "best_batch");
  if (best.empty()) return {};
  Headline h{"best batch", escaped(best), {}, {}};
  for (const Case& c : r.cases) {
    const Metric* rate = known_metric(c.metrics, "throughput");
    if (!rate || !is_best(c, r.answer)) continue;
    h.aside = "throughput " + figure(rate->median, rate->unit).plain();
    break;
  }
  const std::string fastest = setting(r.answer, "fastest_batch");
  if (!fastest.empty() && fastest != best)
    h.aside += fmt::format("; the smallest within 5 % of the fastest, {}", fastest);
  return h;
}

std::optional<Headline> of_metric(const Record& r) {
  const Metric* m = r.headline();
  if (!m) return {};
  const char* name = r.find("latency") ? "latency" : "reading";
  Headline h = of_median(fmt::format("{}, median{}", full_title(name), r.device.asynchronous ? ", without copies" : ""),
                         name, *m);
  h.aside = fmt::format("{} sample{}", format_count(m->n), m->n == 1 ? "" : "s");
  if (r.window_ns > 0) h.aside += fmt::format(" in a window of {}", format_time(r.window_ns));
  if (r.startup.warmup_requests)
    h.aside += fmt::format(", steady after {}", counted(*r.startup.warmup_requests, "request", "requests"));
  if (!m->median.valid) h.aside += "; not bounded: " + m->median.why;
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
  const Case *low = nullptr, *high = nullptr;
  const auto latency = [](const Case* c) { return c->metrics.at("latency").median.value; };
  std::size_t failed = 0;
  for (const Case& c : r.cases) {
    failed += !c.error.empty();
    if (!known_metric(c.metrics, "latency")) continue;
    if (!low || latency(&c) < latency(low)) low = &c;
    if (!high || latency(&c) > latency(high)) high = &c;
  }
  const std::string failures = failed ? fmt::format("; {} could not be measured", failed) : "";
  if (!low) return Headline{"cases", escaped(fmt::format("{}", r.cases.size())), {}, failures.substr(failed ? 2 : 0)};
  const std::string least = format_time(latency(low)), most = format_time(latency(high));
  return Headline{fmt::format("latency of {} cases", r.cases.size()),
                  escaped(least == most ? least : fmt::format("{} to {}", least, most)),
                  {},
                  fmt::format("lowest: {}; highest: {}{}", low->name, high->name, failures)};
}

// The first that has something to say.
constexpr std::array kHeadlines{of_pipeline, of_comparison, of_bound, of_search,
                                of_metric,   of_checks,     of_parts, of_cases};

}  // namespace

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

}  // namespace strobe::page
