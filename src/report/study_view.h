// SPDX-License-Identifier: Apache-2.0
// How the record of each verb is shown: one row of one table. A row names what is special about it; what it leaves out
// is shown as of any measurement. What else is known of a verb is in record/study_info.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <strobe/record.h>

#include "report/formats.h"
#include "report/markdown_answer.h"
#include "report/page/studies.h"
#include "report/text/painter.h"
#include "report/text/run_text.h"
#include "report/verdict_sentence.h"

namespace strobe {

struct StudyView {
  std::string_view verb{};
  std::string (*text)(const Record&, const RenderOptions&, const Painter&) = show_measurement;
  std::string (*markdown)(const Record&) = no_markdown;  // the answer, above the figures

  // The verdict: why it is trusted where nothing was measured, and why it is not where no finding says so.
  std::string_view passed{};
  std::string (*unexplained)(const Record&) = no_reason;

  // The page.
  std::optional<page::Headline> (*headline)(const Record&) = page::measurement_headline;
  std::string (*pictures)(const Record&, page::Outline&) = page::measurement_pictures;
  std::string (*tables)(const Record&, page::Outline&) = page::measurement_tables;
  std::string_view figures = "Figures";  // what the table of metrics is called
  bool opens_environment = false;        // the machine is what the page is about
};

std::span<const StudyView> study_views();
const StudyView& study_view(const Record&);

}  // namespace strobe
