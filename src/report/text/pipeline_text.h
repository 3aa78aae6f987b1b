// SPDX-License-Identifier: Apache-2.0
// A pipeline's record as text: stages by method, what each method costs, the time line, idle times, gains. What is said
// of costs, idle times and gains is for the page and for Markdown, too.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

#include "report/formats.h"
#include "report/text/painter.h"

namespace strobe {

// The whole text.
std::string show_pipeline(const Record&, const RenderOptions&, const Painter&);

std::string pipeline_text(const Record&);

// By how much a method slows the iteration that it measures.
struct Slowdown {
  std::string way, by, interval = {}, says = {};  // interval: empty where there is none
};
std::vector<Slowdown> slowdowns_of(const Record&);

// Whether marks are cheap enough to be believed; empty where nothing is known of them.
std::string marks_sentence(const Record&);

// Of the iteration on the time line, "it": how long anything is busy, how much of it each resource idles.
std::vector<std::string> idle_sentences(const Record&);

// What each stage gains when it is 10 % faster, or why that is not given; empty where no schedule was replayed.
std::string gain_sentence(const Record&);

}  // namespace strobe
