// SPDX-License-Identifier: Apache-2.0
#include "record/printable_record.h"

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/printable.h"
#include "record/field_lists.h"

namespace strobe {
namespace record_fields {
namespace {

// Visits the fields of a struct and replaces every text.
struct Mender {
  void operator()(const char*, auto& x) const { mend(x); }
  void always(const char*, auto& x) const { mend(x); }
  void or_null(const char*, auto& x) const { mend(x); }
  void merged(const char*, auto& x) const { mend(x); }
  static bool leaves_out(bool) { return false; }

 private:
  static void mend(std::string& text) { text = printable(text); }
  static void mend(Scalar& x) {
    if (auto* text = std::get_if<std::string>(&x)) mend(*text);
  }
  template <class T>
  static void mend(std::optional<T>& x) {
    if (x) mend(*x);
  }
  template <class T>
  static void mend(std::vector<T>& list) {
    for (T& x : list) mend(x);
  }
  // Names are keys, too.
  template <class T>
  static void mend(std::map<std::string, T, std::less<>>& map) {
    std::map<std::string, T, std::less<>> mended;
    for (auto& [key, x] : map) {
      mend(x);
      mended.emplace(printable(key), std::move(x));
    }
    map = std::move(mended);
  }
  static void mend(Metric& m) {
    const Mender inside;
    fields(inside, m, MetricKind::sample);  // every kind has the same texts
  }
  template <class T>
  static void mend(T& x) {
    if constexpr (std::is_class_v<T>) {
      const Mender inside;
      fields(inside, x);
    }
  }
};

}  // namespace
}  // namespace record_fields

Record printable(Record r) {
  const record_fields::Mender mend;
  record_fields::fields(mend, r);
  return r;
}

}  // namespace strobe
