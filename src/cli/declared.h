// SPDX-License-Identifier: Apache-2.0
// A table of options on the command line: declares them, keeps what was typed, and reads it once all has been parsed,
// so that a mistake among the words comes before one in a value.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/choices.h"
#include "option/option.h"

namespace strobe::cli {

// What was typed for one option.
struct Typed {
  std::optional<std::string> one;  // the value …
  std::vector<std::string> many;   // … or all of them, where it may be given several times …
  bool flag = false;               // … or that it was given

  bool given() const { return flag || one || !many.empty(); }
  std::vector<std::string> all() const { return one ? std::vector<std::string>{*one} : many; }
};

template <class T>
class Declared {
 public:
  explicit Declared(std::vector<Option<T>> rows) : rows_(std::move(rows)) {}
  explicit Declared(std::span<const Option<T>> table) : rows_(table.begin(), table.end()) {}

  // The app writes into this object when it parses.
  void declare(CLI::App& app) {
    for (const Option<T>& o : rows_) declare(app, o, typed_[std::string(o.name)]);
  }

  // What was typed for all holds for one of them that does not say otherwise.
  void begin_with(const Declared<T>& all) { typed_ = all.typed_; }

  // What was typed, once more: for another command line.
  std::vector<std::string> words() const {
    std::vector<std::string> words;
    for (const Option<T>& o : rows_) {
      const auto found = typed_.find(std::string(o.name));
      if (found == typed_.end() || !found->second.given()) continue;
      if (found->second.flag) words.push_back(o.typed_name());
      for (const std::string& value : found->second.all()) {
        if (!o.traits.positional) words.push_back(o.typed_name());
        words.push_back(value);
      }
    }
    return words;
  }

  T read() const {
    T t;
    for (const Option<T>& o : rows_) {
      const auto typed = typed_.find(std::string(o.name));
      if (typed != typed_.end() && typed->second.given()) o.form.read(typed->second.all(), o.typed_name(), t);
    }
    return t;
  }

 private:
  static void declare(CLI::App& app, const Option<T>& o, Typed& typed) {
    const std::string name = o.traits.positional ? std::string(o.value) : o.typed_name(), help(o.help);
    CLI::Option* added = o.form.flag         ? app.add_flag(name, typed.flag, help)
                         : o.form.repeatable ? app.add_option(name, typed.many, help)->allow_extra_args(false)
                                             : app.add_option(name, typed.one, help);
    if (o.traits.positional) {
      added->required();
      return;
    }
    added->group(std::string(o.group));
    if (!o.form.flag) added->type_name(std::string(o.value));
    if (o.form.words) one_of(app, added, o.form.words());
    if (o.traits.suggestions) suggest(app, added, o.traits.suggestions());
  }

  std::vector<Option<T>> rows_;
  std::map<std::string, Typed> typed_;
};

// Those of a table that `wanted` is true of.
template <class T, class Wanted>
std::vector<Option<T>> rows_where(std::span<const Option<T>> table, Wanted&& wanted) {
  std::vector<Option<T>> rows;
  for (const Option<T>& o : table) {
    if (wanted(o.traits)) rows.push_back(o);
  }
  return rows;
}

}  // namespace strobe::cli
