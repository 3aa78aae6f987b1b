// SPDX-License-Identifier: Apache-2.0
#include "cli/yaml_map.h"

#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include "base/parse.h"

namespace strobe::cli::yaml {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

std::string place(const std::string& file, const YAML::Mark& mark) {
  return mark.is_null() ? file : fmt::format("{}:{}:{}", file, mark.line + 1, mark.column + 1);
}

[[noreturn]] void refuse_at(const std::string& where, const std::string& what, std::string cause, std::string advice) {
  throw Error(ErrorCode::usage, fmt::format("{}: {}", where, what), std::move(cause), std::move(advice));
}

// The first pass: counts documents, refuses aliases, builds nothing.
class Look final : public YAML::EventHandler {
 public:
  explicit Look(const std::string& file) : file_(file) {}
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      refuse_at(place(file_, mark), "a second document begins", "a file describes one pipeline", {});
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse_at(place(file_, mark), "cannot read an alias", "aliases are not supported", "Write it out.");
  }
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  const std::string& file_;
  int documents_ = 0;
};

const char* kind_of(const YAML::Node& n) {
  return n.IsMap() ? "a map" : n.IsSequence() ? "a list" : n.IsScalar() ? "a single value" : "nothing";
}

}  // namespace

std::string Value::where() const {
  return place(*file, node.Mark());
}

void Value::refuse(const std::string& what, std::string cause, std::string advice) const {
  refuse_at(where(), what, std::move(cause), std::move(advice));
}

void Value::refuse_key(const std::string& what, std::string cause, std::string advice) const {
  refuse_at(key_mark.is_null() ? where() : place(*file, key_mark), what, std::move(cause), std::move(advice));
}

std::string Value::text() const {
  if (!node.IsScalar())
    refuse(fmt::format("expected a single value for '{}'", key), fmt::format("found {}", kind_of(node)));
  if (node.Scalar().empty()) refuse(fmt::format("expected a value for '{}'", key), "found an empty text");
  return node.Scalar();
}

std::vector<Value> Value::list() const {
  std::vector<Value> values;
  if (node.IsScalar()) return {*this};
  if (!node.IsSequence()) refuse(fmt::format("expected a list for '{}'", key), fmt::format("found {}", kind_of(node)));
  for (const YAML::Node& n : node) values.push_back({n, key, file});
  return values;
}

std::vector<std::pair<std::string, Value>> Value::map() const {
  if (!node.IsMap())
    refuse(fmt::format("expected keys with values for '{}'", key), fmt::format("found {}", kind_of(node)));
  std::vector<std::pair<std::string, Value>> entries;
  std::set<std::string> seen;
  for (const auto& entry : node) {
    const Value name{entry.first, "a key", file};
    const std::string word = name.text();
    if (!seen.insert(word).second)
      name.refuse(fmt::format("'{}' is given twice", word.substr(0, 40)), {}, "Leave one of them out.");
    Value value{entry.second, word, file, entry.first.Mark()};
    // A value that is missing has no place of its own.
    if (!value.node.IsDefined() || value.node.IsNull())
      name.refuse(fmt::format("expected a value for '{}'", word.substr(0, 40)), "nothing follows it");
    entries.emplace_back(word, std::move(value));
  }
  return entries;
}

std::int64_t Value::integer(std::int64_t least, std::int64_t most) const {
  const std::int64_t n = read(parse_integer);
  if (n < least || n > most)
    refuse(fmt::format("cannot read '{}' '{}'", key, n), fmt::format("expected {} to {}", least, most));
  return n;
}

void unknown_key(const Value& value, std::string_view of, const std::vector<std::string>& known) {
  value.refuse_key(fmt::format("unknown key '{}' of {}", value.key.substr(0, 40), of), {},
                   fmt::format("Take {}.{}", fmt::join(known, ", "), did_you_mean(value.key, known)));
}

Value parse(const std::string& text, const std::string& file) {
  if (text.size() > kMostBytes)
    throw Error(ErrorCode::bad_input, fmt::format("cannot read '{}'", file), "it is larger than 1 MiB",
                "Is it a file that describes a pipeline?");
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    Look look(file);
    while (parser.HandleNextDocument(look)) {
    }
    return {YAML::Load(text), file, &file};
  } catch (const YAML::Exception& e) {
    refuse_at(place(file, e.mark), "this is not YAML", e.msg, {});
  }
}

}  // namespace strobe::cli::yaml
