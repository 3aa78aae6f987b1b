// SPDX-License-Identifier: Apache-2.0
#include "cli/foreign_words.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace strobe::cli {
namespace {

// Written without dashes, underscores and capitals: --warmUp, --warm_up and --warm-up are one word. A # is a number, as
// in --p99.
struct ForeignOption {
  std::string_view word, option, use;  // the option that the verb must have, and what to type
};

constexpr std::array kForeignOptions{
    ForeignOption{"iterations", "--requests", "--requests N"},
    ForeignOption{"iters", "--requests", "--requests N"},
    ForeignOption{"niter", "--requests", "--requests N"},
    ForeignOption{"numiters", "--requests", "--requests N"},
    ForeignOption{"runs", "--requests", "--requests N"},
    ForeignOption{"repeat", "--requests", "--requests N"},
    ForeignOption{"repetitions", "--requests", "--requests N"},
    ForeignOption{"n", "--requests", "--requests N"},
    ForeignOption{"iterations", "--rounds", "--rounds N"},
    ForeignOption{"runs", "--rounds", "--rounds N"},
    ForeignOption{"minruns", "--rounds", "--rounds N"},
    ForeignOption{"iterations", "--pairs", "--pairs N"},
    ForeignOption{"runs", "--pairs", "--pairs N"},
    ForeignOption{"minruns", "--pairs", "--pairs N"},
    ForeignOption{"rounds", "--pairs", "--pairs N: each launches every candidate in a fresh process, for four turns"},
    ForeignOption{"loads", "--pairs", "--pairs N: each loads every candidate once, in a fresh process"},
    ForeignOption{"workers", "--pairs", "nothing: every candidate has a process of its own"},
    ForeignOption{"avgruns", "--requests", "--requests N"},
    ForeignOption{"duration", "--min-time", "--min-time TIME or --max-time TIME"},
    ForeignOption{"duration", "--max-time", "--max-time TIME"},
    ForeignOption{"time", "--max-time", "--max-time TIME"},
    ForeignOption{"timeout", "--max-time", "--max-time TIME"},
    ForeignOption{"t", "--max-time", "--max-time TIME"},
    ForeignOption{"warmupiterations", "--warmup", "--warmup N, or nothing: the warm-up is found"},
    ForeignOption{"warmupiters", "--warmup", "--warmup N, or nothing: the warm-up is found"},
    ForeignOption{"warmupruns", "--warmup", "--warmup N, or nothing: the warm-up is found"},
    ForeignOption{"warmup", "--warmup", "--warmup N, or nothing: the warm-up is found"},
    ForeignOption{"w", "--warmup", "--warmup N, or nothing: the warm-up is found"},
    ForeignOption{"b", "--batch", "--batch N"},
    ForeignOption{"bs", "--batch", "--batch N"},
    ForeignOption{"batchsize", "--batch", "--batch N"},
    ForeignOption{"b", "--batches", "--batches LIST, or nothing: the best is searched"},
    ForeignOption{"bs", "--batches", "--batches LIST, or nothing: the best is searched"},
    ForeignOption{"batchsize", "--batches", "--batches LIST, or nothing: the best is searched"},
    ForeignOption{"gpu", "--device", "--device cuda"},
    ForeignOption{"cuda", "--device", "--device cuda"},
    ForeignOption{"cpu", "--device", "--device cpu"},
    ForeignOption{"d", "--device", "--device DEVICE"},
    ForeignOption{"e", "--device", "--device cuda"},
    ForeignOption{"provider", "--device", "--device cuda"},
    ForeignOption{"backend", "--runtime", "--runtime NAME"},
    ForeignOption{"framework", "--runtime", "--runtime NAME"},
    ForeignOption{"model", "MODEL", "the model as a word of its own: strobe run MODEL"},
    ForeignOption{"m", "MODEL", "the model as a word of its own: strobe run MODEL"},
    ForeignOption{"onnx", "MODEL", "the model as a word of its own: strobe run MODEL"},
    ForeignOption{"loadengine", "MODEL", "a model that strobe reads: an .onnx, .pt or .pt2 file"},
    ForeignOption{"shapes", "--shape", "--shape NAME=1x3x224x224, once for each input"},
    ForeignOption{"datashape", "--shape", "--shape NAME=1x3x224x224, once for each input"},
    ForeignOption{"inputshape", "--shape", "--shape NAME=1x3x224x224, once for each input"},
    ForeignOption{"loadinputs", "--input", "--input NAME=FILE.npy"},
    ForeignOption{"i", "--input", "--input NAME=FILE.npy"},
    ForeignOption{"fp16", "--dtype", "--dtype fp16 (torch), or a model of that type"},
    ForeignOption{"half", "--dtype", "--dtype fp16 (torch), or a model of that type"},
    ForeignOption{"bf16", "--dtype", "--dtype bf16 (torch), or a model of that type"},
    ForeignOption{"precision", "--dtype", "--dtype fp16 or bf16 (torch), or a model of that type"},
    ForeignOption{"numthreads", "--threads", "--threads N"},
    ForeignOption{"nthreads", "--threads", "--threads N"},
    ForeignOption{"intraopnumthreads", "--threads", "--threads N"},
    ForeignOption{"usecudagraph", "--graph", "--graph"},
    ForeignOption{"cudagraph", "--graph", "--graph"},
    ForeignOption{"cudagraphs", "--graph", "--graph"},
    ForeignOption{"includedatatransfers", "--copies", "--copies"},
    ForeignOption{"nodatatransfers", "--copies", "nothing: copies are measured only with --copies"},
    ForeignOption{"nireq", "--in-flight", "--in-flight N"},
    ForeignOption{"concurrency", "--in-flight", "--in-flight N"},
    ForeignOption{"infstreams", "--streams", "--streams N"},
    ForeignOption{"nstreams", "--streams", "--streams N"},
    ForeignOption{"streams", "--in-flight", "'strobe throughput MODEL --streams 1,2,4'"},
    ForeignOption{"percentile", "--percentiles", "--percentiles LIST"},
    ForeignOption{"latencypercentile", "--percentiles", "--percentiles LIST"},
    ForeignOption{"p#", "--percentiles", "--percentiles #"},
    ForeignOption{"p#", "--percentile", "--max-latency TIME --percentile #"},
    ForeignOption{"p#", "--fail-on", "--fail-on p#=5%"},
    ForeignOption{"exporttimes", "--samples", "--samples FILE"},
    ForeignOption{"exportjson", "--json", "--json FILE"},
    ForeignOption{"exportcsv", "--export", "--export FILE.csv"},
    ForeignOption{"exportmarkdown", "--export", "--export FILE.md"},
    ForeignOption{"jsonstats", "--json", "--json FILE"},
    ForeignOption{"output", "--export", "--export FILE, or --json FILE"},
    ForeignOption{"out", "--export", "--export FILE, or --json FILE"},
    ForeignOption{"o", "--export", "--export FILE, or --json FILE"},
    ForeignOption{"latencythreshold", "--max-latency", "--max-latency TIME"},
    ForeignOption{"parameterlist", "--vary", "--vary OPTION=LIST"},
    ForeignOption{"parameterlist", "--sweep", "--sweep OPTION=LIST"},
    ForeignOption{"l", "--vary", "--vary OPTION=LIST"},
};

struct ForeignVerb {
  std::string_view word, use;
};

constexpr std::array kForeignVerbs{
    ForeignVerb{"bench", "strobe run MODEL"},
    ForeignVerb{"benchmark", "strobe run MODEL"},
    ForeignVerb{"measure", "strobe run MODEL"},
    ForeignVerb{"time", "strobe run MODEL"},
    ForeignVerb{"latency", "strobe run MODEL"},
    ForeignVerb{"perf", "strobe run MODEL"},
    ForeignVerb{"infer", "strobe run MODEL"},
    ForeignVerb{"diff", "strobe compare A B"},
    ForeignVerb{"ab", "strobe compare A B"},
    ForeignVerb{"batch", "strobe throughput MODEL"},
    ForeignVerb{"sweep", "strobe run MODEL --sweep batch=1,8"},
    ForeignVerb{"load", "strobe throughput MODEL --max-latency 10ms"},
    ForeignVerb{"check", "strobe audit RECORD, or strobe doctor for this machine"},
    ForeignVerb{"info", "strobe doctor"},
    ForeignVerb{"devices", "strobe doctor"},
    ForeignVerb{"env", "strobe doctor"},
    ForeignVerb{"models", "strobe zoo"},
    ForeignVerb{"list", "strobe zoo"},
    ForeignVerb{"export", "strobe report RECORD --export FILE, or strobe zoo export NAME"},
    ForeignVerb{"html", "strobe report RECORD"},
    ForeignVerb{"test", "strobe selftest"},
};

// As the tables have them.
std::string plain_word(std::string_view word) {
  std::string text;
  for (const char c : word.substr(0, word.find('='))) {
    if (c != '-' && c != '_') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

// What stands for the # of a row; nothing where the word does not fit.
std::optional<std::string> number_of(std::string_view row, std::string_view word) {
  if (row == word) return "";
  if (!row.ends_with('#')) return std::nullopt;
  row.remove_suffix(1);
  if (!word.starts_with(row) || word.size() == row.size()) return std::nullopt;
  const std::string_view number = word.substr(row.size());
  if (number.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
  return std::string(number);
}

// What to type.
std::string use_of(const ForeignOption& f, std::string_view word) {
  std::string use(f.use);
  if (const auto at = use.find('#'); at != std::string::npos) use.replace(at, 1, number_of(f.word, word).value_or("N"));
  return use;
}

const ForeignOption* find_option(std::string_view word, const std::vector<std::string>& known) {
  const ForeignOption* any = nullptr;
  for (const ForeignOption& f : kForeignOptions) {
    if (!number_of(f.word, word)) continue;
    if (std::find(known.begin(), known.end(), f.option) != known.end()) return &f;
    if (!any) any = &f;
  }
  return any;
}

}  // namespace

std::optional<std::string> answer_foreign_option(std::string_view word, const std::vector<std::string>& known) {
  const std::string_view typed = word.substr(0, word.find('='));
  // Ours, but with other dashes or capitals: --maxTime.
  for (const std::string& ours : known) {
    if (ours.starts_with("-") && ours != typed && plain_word(ours) == plain_word(typed))
      return fmt::format("strobe has no {}; use {}", typed.substr(0, 40), ours);
  }
  const ForeignOption* f = find_option(plain_word(typed), known);
  // -b8, -t20
  if (!f && typed.size() > 2 && typed[1] != '-') f = find_option(plain_word(typed.substr(0, 2)), known);
  if (!f) return std::nullopt;
  if (std::find(known.begin(), known.end(), f->option) != known.end())
    return fmt::format("strobe has no {}; use {}", typed.substr(0, 40), use_of(*f, plain_word(typed)));
  return fmt::format("strobe has no {}; other verbs have {}", typed.substr(0, 40), f->option);
}

std::optional<std::string> answer_foreign_verb(std::string_view word) {
  const std::string w = plain_word(word);
  for (const ForeignVerb& f : kForeignVerbs) {
    if (f.word == w) return fmt::format("strobe has no verb '{}'; use {}", word.substr(0, 40), f.use);
  }
  return std::nullopt;
}

}  // namespace strobe::cli
