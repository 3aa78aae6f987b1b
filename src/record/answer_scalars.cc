// SPDX-License-Identifier: Apache-2.0
#include "record/answer_scalars.h"

#include <optional>

#include "record/field_lists.h"

namespace strobe {
namespace {

// What is absent or empty has no key.
struct AnswerLister {
  Scalars all = {};

  void operator()(const char* key, const std::string& x) {
    if (!x.empty()) all[key] = x;
  }
  void operator()(const char* key, const std::optional<double>& x) {
    if (x) all[key] = *x;
  }
  template <class Whole>
  void operator()(const char* key, const std::optional<Whole>& x) {
    if (x) all[key] = static_cast<std::int64_t>(*x);
  }
};

}  // namespace

Scalars scalars_of(const SearchAnswer& answer) {
  AnswerLister lister;
  record_fields::fields(lister, answer);
  return lister.all;
}

}  // namespace strobe
