// SPDX-License-Identifier: Apache-2.0
// The words against those that docs/record.schema.json allows.
#include "record/outcome_words.h"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace strobe {
namespace {

struct ClosedList {
  const char* where;
  std::vector<std::string> words;
};

TEST(OutcomeWords, AreThoseOfTheSchema) {
  const auto schema = nlohmann::json::parse(std::ifstream(STROBE_SOURCE "/docs/record.schema.json"));
  const std::vector<ClosedList> lists{
      {"/properties/answer/properties/bound", {bound_word::met, bound_word::not_met, bound_word::cannot_tell}},
      {"/$defs/case/properties/trial/properties/bound",
       {bound_word::met, bound_word::not_met, bound_word::cannot_tell}},
      {"/properties/pipeline/properties/marks", {marks_word::cheap, marks_word::dear, marks_word::cannot_tell}},
      {"/properties/pipeline/properties/overlap/properties/bound", {overlap_word::lane, overlap_word::in_flight}},
      {"/$defs/case/properties/stages/items/properties/bound", {stage_word::host, stage_word::device}},
      {"/$defs/comparison/properties/outcome",
       {change_word::faster, change_word::slower, change_word::smaller, change_word::larger, change_word::equivalent,
        change_word::cannot_tell}},
      {"/$defs/fail_on/properties/outcome",
       {condition_word::passed, condition_word::failed, condition_word::cannot_tell}},
  };
  for (const ClosedList& list : lists)
    EXPECT_EQ(schema.at(nlohmann::json::json_pointer(list.where)).at("enum"), list.words) << list.where;
}

}  // namespace
}  // namespace strobe
