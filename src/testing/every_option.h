// SPDX-License-Identifier: Apache-2.0
// A value for every option of a table, whatever the table has: tests that use it need no change for a new option.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <strobe/error.h>

#include "option/option.h"

namespace strobe::testing {

// Sets it to something that is not the default. False: none of these texts is one.
template <class T>
bool set_somehow(const Option<T>& o, T& t) {
  static const std::array<std::vector<std::string>, 10> kTexts{
      {{"7"}, {"50%"}, {"3s"}, {"2GiB"}, {"2"}, {"1"}, {"x=1x3", "y=2"}, {"x=0..9", "-1..1"}, {"x=y"}, {"text"}}};
  std::vector<std::vector<std::string>> texts(kTexts.begin(), kTexts.end());
  if (o.form.words) texts.clear();
  for (const std::string& word : o.form.words ? o.form.words() : std::vector<std::string>{}) texts.push_back({word});
  for (const std::vector<std::string>& text : texts) {
    try {
      T trial = t;
      o.form.read(text, o.typed_name(), trial);
      o.form.check(trial, o.typed_name());
      if (!o.form.given(trial)) continue;
      t = trial;
      return true;
    } catch (const Error&) {  // of another kind
    }
  }
  return false;
}

}  // namespace strobe::testing
