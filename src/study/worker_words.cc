// SPDX-License-Identifier: Apache-2.0
#include "study/worker_words.h"

#include <fmt/format.h>

#include "study/efforts.h"

namespace strobe {
namespace {

using Words = std::vector<std::string>;

// A word that begins with a dash would be taken for an option.
std::string as_model(const std::string& model) {
  return model.starts_with('-') ? "./" + model : model;
}

void add(Words& words, const char* option, const std::string& value) {
  if (!value.empty()) words.push_back(fmt::format("{}={}", option, value));
}

template <class Number>
void add(Words& words, const char* option, const std::optional<Number>& value) {
  if (value) add(words, option, fmt::format("{}", *value));
}

void add(Words& words, const char* option, const std::optional<nanoseconds>& value) {
  if (value) add(words, option, fmt::format("{}ns", value->count()));
}

void add_flag(Words& words, const char* option, bool set) {
  if (set) words.emplace_back(option);
}

std::string percentages(const std::vector<double>& shares) {
  Words texts;
  for (const double p : shares) texts.push_back(fmt::format("{:.12g}", 100 * p));
  return fmt::format("{}", fmt::join(texts, ","));
}

void add_model_options(Words& words, const OpenOptions& o) {
  add(words, "--device", o.device);
  add(words, "--pin", o.pin);
  add(words, "--runtime", o.runtime);
  add(words, "--batch", o.batch);
  add(words, "--threads", o.threads);
  add(words, "--seed", fmt::format("{}", o.seed));
  add(words, "--dtype", o.dtype);
  add(words, "--layout", o.layout);
  for (const auto& [name, shape] : o.shape) add(words, "--shape", fmt::format("{}={}", name, shape));
  for (const auto& [name, file] : o.input) add(words, "--input", fmt::format("{}={}", name, file));
  for (const auto& [name, r] : o.input_range)
    add(words, "--input-range", fmt::format("{}={}..{}", name, r.low, r.high));
  for (const auto& [key, value] : o.set) add(words, "--set", fmt::format("{}={}", key, value));
  add_flag(words, "--no-optimize", o.no_optimize);
}

void add_measure_options(Words& words, const Options& o) {
  add(words, "--effort", std::string(effort_row(o.effort).word));
  add(words, "--margin", o.margin);
  add(words, "--warmup", o.warmup);
  add(words, "--requests", o.requests);
  add(words, "--min-time", o.min_time);
  add(words, "--max-time", o.max_time);
  if (o.percentiles_gate) add(words, "--percentiles", percentages(o.percentiles));
  add(words, "--in-flight", fmt::format("{}", o.in_flight));
  add(words, "--cache", o.cold_cache ? "cold" : "hot");
  add(words, "--io", o.host_io ? "runtime" : "");
  add(words, "--flops", o.flops);
  add_flag(words, "--graph", o.graph);
  add_flag(words, "--copies", o.copies);
}

}  // namespace

std::vector<std::string> words_of(const OpenOptions& o) {
  Words words{as_model(o.model)};
  add_model_options(words, o);
  return words;
}

std::vector<std::string> words_of(const OpenOptions& o, const Options& measure) {
  Words words = words_of(o);
  add_measure_options(words, measure);
  return words;
}

}  // namespace strobe
