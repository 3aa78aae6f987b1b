// SPDX-License-Identifier: Apache-2.0
#include "report/markdown_answer.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/unit_names.h"
#include "report/comparison_answer.h"
#include "report/memory_parts.h"
#include "report/method_errors.h"
#include "report/profile_parts.h"
#include "report/search_answer.h"
#include "report/text/comparison_text.h"
#include "report/text/overlap_text.h"
#include "report/text/pipeline_text.h"
#include "report/words.h"

namespace strobe {

std::string escaped_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("|<>*_`[]\\").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string no_markdown(const Record&) {
  return {};
}

std::string methods_markdown(const Record& r) {
  const std::string off = methods_sentence(r);
  return off.empty() ? "" : fmt::format("**{}**\n\n", off);
}

std::string search_markdown(const Record& r) {
  return escaped_cell(search_sentence(r)) + "\n\n";
}

std::string comparison_markdown(const Record& r) {
  if (r.comparisons.empty()) return {};
  std::string text;
  for (const std::string& sentence : comparison_sentences(r)) text += fmt::format("**{}**\n\n", escaped_cell(sentence));
  for (const FailOn& f : r.fail_on) text += fmt::format("- fail-on {}\n", escaped_cell(fail_on_text(f)));
  if (!r.fail_on.empty()) text += "\n";
  text += "| candidate | against | metric | ratio | 95 % interval | outcome |\n|---|---|---|---:|---|---|\n";
  for (const Comparison& c : r.comparisons) {
    const std::string interval = c.ratio.bounded() ? fmt::format("[{:.3f}, {:.3f}]", *c.ratio.low, *c.ratio.high) : "";
    text += fmt::format("| {} | {} | {} | {:.3f} | {} | {} |\n", escaped_cell(c.b), escaped_cell(c.a),
                        compared_title(c), c.ratio.value, escaped_cell(interval), comparison_word(c, r));
  }
  return text + "\n";
}

std::string profile_markdown(const Record& r) {
  if (r.profile.layers.empty()) return {};
  std::string text = "| layer | type | share | time | 95 % interval | calls |\n|---|---|---:|---:|---|---:|\n";
  for (const LayerResult* l : hottest(r)) {
    const Figure f = figure(l->time, unit::ns);
    text += fmt::format("| {} | {} | {} | {} {} | {} | {:.4g} |\n", escaped_cell(l->name), escaped_cell(l->type),
                        format_percent(l->share), f.number, f.unit, escaped_cell(f.interval), l->calls);
  }
  for (const std::string& sentence : activity_sentences(r)) text += fmt::format("\n- {}\n", escaped_cell(sentence));
  return text + "\n";
}

std::string memory_markdown(const Record& r) {
  if (r.memory.places.empty()) return {};
  std::string text = "| memory | phase | peak | at its end |\n|---|---|---:|---:|\n";
  for (const MemoryPlace& place : r.memory.places) {
    for (const MemoryPhase& p : place.phases)
      text += fmt::format("| {} | {} | {} | {} |\n", place.name, p.name, escaped_cell(memory_text(p.peak)),
                          escaped_cell(memory_text(p.end)));
  }
  for (const std::string& sentence :
       {fit_sentence(r), growth_sentence(r.memory.places.front()), parts_text(r.memory.parts), allocator_sentence(r)}) {
    if (!sentence.empty()) text += fmt::format("\n- {}\n", escaped_cell(sentence));
  }
  return text + "\n";
}

namespace {

std::string slowdowns_table(const Record& r) {
  const std::vector<Slowdown> list = slowdowns_of(r);
  if (list.empty()) return {};
  std::string text = "| method | slows by | 95 % interval | |\n|---|---:|---|---|\n";
  for (const Slowdown& s : list)
    text += fmt::format("| {} | {} | {} | {} |\n", escaped_cell(s.way), s.by, escaped_cell(s.interval), s.says);
  return text + "\n";
}

}  // namespace

std::string pipeline_markdown(const Record& r) {
  std::vector<std::string> sentences;
  if (r.pipeline.overlap) {
    sentences.push_back(overlap_rates(r));
    for (std::string& sentence : overlap_sentences(r)) sentences.push_back(std::move(sentence));
  }
  if (std::string marks = marks_sentence(r); !marks.empty()) sentences.push_back(std::move(marks));
  if (std::string gain = gain_sentence(r); !gain.empty()) sentences.push_back(std::move(gain));
  std::string text = slowdowns_table(r);
  for (const std::string& sentence : sentences) text += fmt::format("- {}\n", escaped_cell(sentence));
  return sentences.empty() ? text : text + "\n";
}

}  // namespace strobe
