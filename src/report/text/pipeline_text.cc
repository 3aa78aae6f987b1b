// SPDX-License-Identifier: Apache-2.0
#include "report/text/pipeline_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "record/marks_cost.h"
#include "record/metric_names.h"
#include "record/names.h"
#include "record/outcome_words.h"
#include "record/pipeline_ways.h"
#include "report/standing_text.h"
#include "report/text/head_text.h"
#include "report/text/overlap_text.h"
#include "report/text/run_text.h"
#include "report/text/table.h"
#include "report/text/timeline_text.h"
#include "report/text/verdict_text.h"
#include "report/words.h"

namespace strobe {
namespace {

const Metric* known(const Metrics& metrics, const char* name) {
  const auto it = metrics.find(name);
  return it != metrics.end() && it->second.known() ? &it->second : nullptr;
}

std::string median(const Metrics& metrics, const char* name) {
  const Metric* m = known(metrics, name);
  return !m ? "-" : m->estimate.value == 0 ? "0" : format_time(m->estimate.value);
}

std::string latency_line(const Record& r) {
  const Metric* m = r.find(metric::latency);
  if (!m) return "nothing was measured\n";
  const Figure f = figure(m->estimate, m->unit);
  std::vector<std::string> parts{f.plain()};
  if (!r.launches.empty()) {  // one launch is said once, in the head line
    parts.push_back(standing_text(*m));
    if (const std::string cause = standing_cause(metric::latency, r); !cause.empty()) parts.push_back(cause);
  }
  parts.push_back(fmt::format("n {}, {} window", format_count(m->n), format_time(r.window_ns)));
  return fmt::format("one iteration, undisturbed: {}\n", fmt::join(parts, "   "));
}

// Stages down, methods across; what only marks can tell stands behind.
std::string stages_table(const Record& r) {
  const Case *naive = case_of_way(r, pipeline_way::naive), *sync = case_of_way(r, pipeline_way::sync),
             *event = case_of_way(r, pipeline_way::event), *waits = case_of_way(r, pipeline_way::event_wait);
  if (!naive || !sync || !event || event->stages.empty()) return {};
  const bool device = r.device.asynchronous;
  std::vector<const Case*> ways{naive, sync, event};
  if (waits) ways.insert(ways.end() - 1, waits);
  Table table(std::string("l") + std::string(ways.size(), 'r') + (device ? "rrrll" : "l"));
  std::vector<std::string> head{"stage"};
  for (const Case* way : ways) head.push_back(way->name);
  for (const char* column : {"submit", "device", "waits", "bound"}) {
    if (device) head.emplace_back(column);
  }
  head.emplace_back();
  table.add(std::move(head));
  for (std::size_t i = 0; i < event->stages.size(); ++i) {
    const Stage& s = event->stages[i];
    const auto read = [&](const Case* c) {
      return i < c->stages.size() ? median(c->stages[i].metrics, metric::reading) : "-";
    };
    std::vector<std::string> row{s.name};
    for (const Case* way : ways) row.push_back(read(way));
    if (device) {
      for (const char* metric : {metric::submit, metric::device_time, metric::waiting})
        row.push_back(median(s.metrics, metric));
      row.push_back(s.bound.empty() ? "-" : s.bound);
    }
    row.push_back(s.about == s.name ? "" : s.about);
    table.add(std::move(row));
  }
  std::vector<std::string> whole{"iteration"};
  for (const Case* way : ways) whole.push_back(median(way->metrics, metric::latency));
  table.add(std::move(whole));
  const char* why =
      device ? ""
             : "  on the CPU work is done when the call returns: all of them read the same thing, at different times\n";
  return "\nwhat each method reads\n" + table.render("  ") + why;
}

std::string percent_signed(double x) {
  return (x < 0 ? "−" : "+") + format_percent(x < 0 ? -x : x);
}

Slowdown slowdown_by(const Comparison& c) {
  Slowdown s{.way = c.b, .by = percent_signed(c.ratio.value - 1)};
  if (c.ratio.bounded())
    s.interval = fmt::format("[{}, {}]", percent_signed(*c.ratio.low - 1), percent_signed(*c.ratio.high - 1));
  s.says = c.outcome == change_word::slower       ? "it slows the pipeline"
           : c.outcome == change_word::equivalent ? "within 1 %"
           : c.outcome == change_word::faster     ? "faster than undisturbed: something else differs, too"
                                                  : "cannot tell";
  return s;
}

// Of the methods; iterations in flight have another period, not another latency.
std::vector<const Comparison*> of_methods(const Record& r) {
  std::vector<const Comparison*> list;
  for (const Comparison& c : r.comparisons) {
    if (c.metric == metric::latency) list.push_back(&c);
  }
  return list;
}

std::string slowdowns(const Record& r) {
  const std::vector<Slowdown> list = slowdowns_of(r);
  if (list.empty()) return {};
  std::size_t name_width = 0;
  for (const Slowdown& s : list) name_width = std::max(name_width, width(s.way));
  std::string text = "\nhow much each slows the iteration it measures\n";
  for (const Slowdown& s : list)
    text += fmt::format("  {}  {}  {}  {}\n", padded(s.way, name_width), padded(s.by, 7, true), s.interval, s.says);
  const std::string marks = marks_sentence(r);
  return text + (marks.empty() ? "" : fmt::format("  {}\n", marks));
}

std::string union_sentence(const Metric& m) {
  if (!m.known()) return fmt::format("no common time line: {}", m.unknown);
  return fmt::format("host or device is busy for {} (union); the rest is waiting", format_time(m.estimate.value));
}

std::string timeline(const Record& r) {
  const auto& until = r.pipeline.timeline_latency_ns;
  if (!until || r.timeline.empty()) return {};
  std::string text = "\na typical iteration, with marks\n" + timeline_text(r.timeline, *until, kTimelineWidth);
  for (const std::string& sentence : idle_sentences(r)) text += fmt::format("  {}\n", sentence);
  return text;
}

std::string gains(const Record& r) {
  const std::string sentence = gain_sentence(r);
  return sentence.empty() ? "" : fmt::format("\n{}\n", sentence);
}

constexpr std::string_view kPipelineWays =
    "undisturbed: no clock but around the iteration; naive: host clock around each stage; sync: the same with a wait "
    "for the device before and after each; event: marks on the streams, read after the turn; event-wait: the same "
    "with a wait for the device behind each stage. Turns of all alternate.";

// The cases of a sweep carry the names of its points, and are one row each.
bool is_swept_pipeline(const Record& r) {
  return !r.cases.empty() && !case_of_way(r, pipeline_way::undisturbed);
}

}  // namespace

std::vector<Slowdown> slowdowns_of(const Record& r) {
  std::vector<Slowdown> list;
  for (const Comparison* c : of_methods(r)) list.push_back(slowdown_by(*c));
  return list;
}

std::string marks_sentence(const Record& r) {
  const std::string& marks = r.pipeline.marks;
  const auto& most = r.pipeline.marks_cost_at_most;
  if (marks.empty()) return {};
  if (marks == marks_word::cheap)
    return fmt::format("marks cost at most {} (upper 95 % limit, {} {})", format_percent(most.value_or(0)),
                       of_methods(r).front()->pairs, r.launches.empty() ? "rounds" : "launches");
  if (marks == marks_word::dear) return "marks cost more than 1 %: what they read is that much too long";
  // A low limit from few rounds is no proof: there the rounds are what is missing.
  const std::string takes = r.launches.empty()
                                ? fmt::format("{} rounds", kRoundsForMarks)
                                : fmt::format("{} launches and {} rounds", kLaunchesForMarks, kRoundsForMarks);
  const std::string why = most && *most > kMarksMayCost
                              ? fmt::format("the upper 95 % limit is {}", format_percent(*most))
                              : fmt::format("it takes {}", takes);
  return fmt::format("cannot tell whether marks cost less than 1 %: {}", why);
}

std::vector<std::string> idle_sentences(const Record& r) {
  std::vector<std::string> sentences;
  if (const auto it = r.metrics.find(metric::union_time); it != r.metrics.end())
    sentences.push_back(union_sentence(it->second));
  for (const LaneIdle& idle : r.pipeline.idle)
    sentences.push_back(fmt::format("{} idles {} of it{}", idle.lane, format_percent(idle.share),
                                    idle.during.empty() ? "" : ", most of that during " + idle.during));
  return sentences;
}

std::string gain_sentence(const Record& r) {
  const Case* event = case_of_way(r, pipeline_way::event);
  const auto& off = r.pipeline.replay_error;
  if (!event || !off || event->stages.empty()) return {};
  std::vector<std::string> parts;
  for (const Stage& s : event->stages) {
    if (s.gain) parts.push_back(fmt::format("{} {}", s.name, format_percent(*s.gain)));
  }
  if (parts.empty())
    return fmt::format("what a faster stage would gain is not given: the replayed schedule is {} off",
                       percent_signed(*off));
  return fmt::format("{}a stage 10 % faster would gain: {} (replayed schedule, {} off)",
                     r.pipeline.overlap ? "one at a time, " : "", fmt::join(parts, ", "), percent_signed(*off));
}

std::string pipeline_text(const Record& r) {
  return latency_line(r) + stages_table(r) + slowdowns(r) + timeline(r) + gains(r) + overlap_text(r) + "\n";
}

std::string show_pipeline(const Record& r, const RenderOptions& o, const Painter& p) {
  if (is_swept_pipeline(r)) return show_measurement(r, o, p);
  const std::string how =
      o.explain
          ? explained({metric::submit, metric::device_time, metric::waiting, metric::union_time}, kPipelineWays, p)
          : "";
  return head_line(r, p) + pipeline_text(r) + how + verdict_lines(r, o, p) + launches_line(r);
}

}  // namespace strobe
