// SPDX-License-Identifier: Apache-2.0
#include "report/study_view.h"

#include <algorithm>
#include <array>

#include "record/study_info.h"
#include "report/text/cases_text.h"
#include "report/text/comparison_text.h"
#include "report/text/memory_text.h"
#include "report/text/pipeline_text.h"
#include "report/text/profile_text.h"
#include "report/text/throughput_text.h"

namespace strobe {
namespace {

constexpr std::array kViews{
    StudyView{.verb = verb::run},
    StudyView{.verb = verb::methods,
              .text = show_methods,
              .markdown = methods_markdown,
              .headline = page::methods_headline,
              .pictures = page::methods_pictures,
              .tables = page::methods_tables,
              .figures = "References"},
    StudyView{.verb = verb::throughput,
              .text = show_search,
              .markdown = search_markdown,
              .headline = page::search_headline,
              .pictures = page::search_pictures,
              .tables = page::search_tables},
    StudyView{.verb = verb::compare, .text = show_comparison, .markdown = comparison_markdown},
    StudyView{.verb = verb::pipeline,
              .text = show_pipeline,
              .markdown = pipeline_markdown,
              .headline = page::pipeline_headline},
    StudyView{.verb = verb::profile,
              .text = show_profile,
              .markdown = profile_markdown,
              .headline = page::profile_headline,
              .pictures = page::profile_pictures,
              .tables = page::profile_tables},
    StudyView{.verb = verb::memory,
              .text = show_memory,
              .markdown = memory_markdown,
              .headline = page::memory_headline,
              .pictures = page::memory_pictures,
              .tables = page::memory_tables},
    StudyView{.verb = verb::audit},
    StudyView{.verb = verb::doctor,
              .text = show_doctor,
              .passed = "nothing here would spoil a measurement",
              .headline = page::doctor_headline,
              .pictures = page::nothing,
              .tables = page::doctor_tables,
              .opens_environment = true},
    StudyView{.verb = verb::selftest,
              .text = show_selftest,
              .passed = "every check passed",
              .unexplained = failed_checks,
              .headline = page::selftest_headline,
              .pictures = page::nothing,
              .tables = page::selftest_tables},
    StudyView{.verb = verb::measure},
};

constexpr StudyView kAnyView{};

}  // namespace

std::span<const StudyView> study_views() {
  return kViews;
}

const StudyView& study_view(const Record& r) {
  const auto it = std::find_if(kViews.begin(), kViews.end(), [&](const StudyView& v) { return v.verb == r.verb; });
  return it == kViews.end() ? kAnyView : *it;
}

}  // namespace strobe
