// SPDX-License-Identifier: Apache-2.0
// An option is a row of a table: what it is called, what it says, and how a member of a struct is read and written for
// it. The rows are all there is to know: the command line, the JSON form for workers, a record's settings, and refusals
// come from them (option/forms.h, cli/declared.h).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <strobe/record.h>

namespace strobe {

// Among a record's settings.
enum class Recorded { never, where_given, always };

// What is not the same of all options. The defaults are those of most.
struct OptionTraits {
  Recorded recorded = Recorded::never;
  bool may_differ = false;              // between stored records: it says how long was measured, not what
  bool handed_on = true;                // to workers
  bool positional = false;              // named by its place, and required
  bool needs_file = false;              // only a model file can take it
  bool of_candidates = false;           // a candidate of a comparison may have its own …
  std::string_view of_all = {};         // … and this is its help where all candidates share it
  bool of_stages = false;               // a stage of a pipeline file may have it, as a key
  bool one_for_all = false;             // of those with NAME=VALUE: a value without a name is for every name
  bool of_stored = false;               // it has a meaning for a comparison of stored records, too
  std::string_view not_callables = {};  // why a callable cannot take it …
  std::string_view instead = {};        // … and what to do
  std::vector<std::string> (*suggestions)() = nullptr;  // words that shells complete; others are possible
};

// How a member of T is read and written; `member` (option/member.h) makes it.
template <class T>
struct OptionForm {
  void (*read)(const std::vector<std::string>& typed, std::string_view option, T&);  // what a user typed
  void (*check)(const T&, std::string_view option);                                  // what a program has set
  bool (*given)(const T&);                                                           // it is not the default
  void (*write)(const T&, nlohmann::json& to);
  void (*take)(const nlohmann::json& from, T&);
  void (*describe)(const T&, const std::string& key, Scalars&);
  std::vector<std::string> (*words)();  // all that it may be; null: anything
  std::string_view suffix = {};         // of its key among the settings: its unit
  bool repeatable = false;
  bool flag = false;
};

template <class T>
struct Option {
  std::string_view name;   // "in-flight": --in-flight, in_flight in JSON and among the settings
  std::string_view value;  // what the help calls its value: N
  std::string_view group;  // its heading in the help
  std::string_view help;
  OptionForm<T> form;
  OptionTraits traits = {};

  std::string typed_name() const { return "--" + std::string(name); }
  std::string key() const {
    std::string key(name);
    std::replace(key.begin(), key.end(), '-', '_');
    return key;
  }
  std::string setting() const { return key() + std::string(form.suffix); }
};

}  // namespace strobe
