// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/errors.h"

#include <new>
#include <regex>

#include "base/format.h"
#include "base/parse.h"

namespace strobe::torch_plugin {
namespace {

// TorchScript's interpreter throws a plain runtime_error whose last lines are "RuntimeError: message"; the lines before
// are a traceback of the model's own source. The kind of the exception is lost there, so memory is told by its words.
std::string telling_line(const std::string& message) {
  static const std::regex kKind(R"((?:^|\n)[\w.]*(?:Error|Exception): ([^\n]+))");
  std::smatch found;
  std::string line, rest = message;
  while (std::regex_search(rest, found, kKind)) {
    line = found[1];
    rest = found.suffix();
  }
  return line.empty() ? message.substr(0, message.find('\n')) : line;
}

}  // namespace

std::string readable(const std::string& message) {
  std::string line = telling_line(message);
  // "[enforce fail at alloc_cpu.cpp:121] err == 0. message", "… INTERNAL ASSERT FAILED at "/pytorch/x.cpp":12, please
  // …"
  line = std::regex_replace(line, std::regex(R"(^\[enforce fail at [^\]]*\] [^.]*\. )"), "");
  line = std::regex_replace(line, std::regex(R"( ?at "[^"]*":\d+,?)"), "");
  line = std::regex_replace(line, std::regex(R"( at /[^ ,]*\.cpp,? line \d+)"), "");
  std::string text(trim(line));
  while (!text.empty() && text.back() == '.') text.pop_back();
  return cut_text(text, 300);
}

Error error_from(const std::exception& e, const std::string& what) {
  const auto* torch = dynamic_cast<const c10::Error*>(&e);
  const std::string cause = readable(torch ? torch->what_without_backtrace() : e.what());
  if (dynamic_cast<const c10::OutOfMemoryError*>(&e) || dynamic_cast<const std::bad_alloc*>(&e))
    return Error(ErrorCode::out_of_memory, what, cause, "Use a smaller batch or shape.");
  return error_by_words(what, cause);
}

}  // namespace strobe::torch_plugin
