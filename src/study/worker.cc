// SPDX-License-Identifier: Apache-2.0
#include "study/worker.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/build_info.h"
#include "base/format.h"
#include "base/parse.h"
#include "host/interrupt.h"
#include "record/json_of.h"
#include "study/worker_program.h"

namespace strobe {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr int kNoMemory = 71;           // exit code: no result of strobe has it
constexpr nanoseconds kLastWords = 8s;  // after a signal: less than we are given ourselves

std::string last_line(std::string_view text) {
  text = trim(text);
  const std::size_t at = text.rfind('\n');
  return cut_text(at == std::string_view::npos ? text : text.substr(at + 1), 300);
}

std::string how(const ProcessResult& end, bool hung) {
  if (hung) return "it stopped answering and was ended";
  const std::string said = last_line(end.err);
  if (end.exit_code == kNoMemory) return "it ran out of memory, which a library did not expect";
  std::string text = end.signal ? fmt::format("it was ended by signal {} ({})", end.signal, ::strsignal(end.signal))
                                : fmt::format("it ended with exit code {}", end.exit_code);
  if (end.signal == SIGKILL) text += ", as the kernel does when memory runs out";
  return said.empty() ? text : text + ": " + said;
}

// Text from outside (file names, library messages) may not be UTF-8.
template <class AnyJson>
std::string line_of(const AnyJson& j) {
  return j.dump(-1, ' ', false, AnyJson::error_handler_t::replace) + "\n";
}

}  // namespace

WorkerLost::WorkerLost(const ProcessResult& end, bool hung_)
    : Error(ErrorCode::failed, "a worker process was lost", how(end, hung_)),
      signal(end.signal),
      hung(hung_),
      out_of_memory(!hung_ && end.exit_code == kNoMemory) {}

Worker::Worker(std::string_view job, const Json& options, const std::vector<std::string>& environment)
    : child_({strobe_program(), "worker"}, environment) {
  child_.send(line_of(Json{{"job", job}, {"options", options}, {"build", kBuildId}}));
}

Json Worker::ask(const Json& question, nanoseconds patience, const std::function<bool()>& stop) {
  child_.resume();
  child_.send(question.dump() + "\n");
  return answer(patience, stop);
}

Json Worker::answer(nanoseconds patience, const std::function<bool()>& stop) {
  std::string line;
  Child::Heard heard = child_.hear(line, patience, stop);
  if (heard == Child::Heard::stopped) {
    child_.signal(SIGINT);
    heard = child_.hear(line, std::min<nanoseconds>(patience, kLastWords), [] { return Interrupt::urgent(); });
  }
  if (heard != Child::Heard::line) {
    const bool hung = heard != Child::Heard::ended;
    throw WorkerLost(child_.end(hung ? 1ms : 5s), hung);
  }
  Json j = Json::parse(line, nullptr, false);
  if (!j.is_object()) throw Error(ErrorCode::failed, "a worker process answered something else", line.substr(0, 100));
  if (const auto e = j.find("error"); e != j.end())
    throw Error(error_code_of(e->value("code", "")), e->value("thing", ""), e->value("cause", ""),
                e->value("advice", ""));
  return j;
}

void tell_when_memory_ends() {
  std::set_terminate([] {
    try {
      if (const auto e = std::current_exception()) std::rethrow_exception(e);
    } catch (const std::bad_alloc&) {
      ::_exit(kNoMemory);
    } catch (...) {
    }
    __gnu_cxx::__verbose_terminate_handler();
  });
}

std::string error_line(const Error& e) {
  const Json j{
      {"error",
       {{"code", error_code_word(e.code())}, {"thing", e.thing()}, {"cause", e.cause()}, {"advice", e.advice()}}}};
  return line_of(j);
}

std::string record_line(const Record& r) {
  return line_of(OrderedJson{{"record", json_of(r)}});
}

Record record_in(const Json& answer) {
  return record_of(answer.at("record"));
}

}  // namespace strobe
