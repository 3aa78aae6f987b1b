// A verb of the program: a row of a table. Each declares its options and returns an exit code.
#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace CLI {
class App;
}

namespace strobe::cli {

// What the shell sees.
enum Exit { kMeasured = 0, kNotUsable = 1, kUsage = 2, kCannot = 3, kInterrupted = 130 };

struct Verb {
  std::string_view name, summary;
  // Declares the options; the function given back does the work after parsing.
  std::function<int()> (*declare)(CLI::App&);
};
std::span<const Verb> verbs();

std::function<int()> declare_run(CLI::App&);
std::function<int()> declare_zoo(CLI::App&);

}  // namespace strobe::cli
