#include <array>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/build_info.h"
#include "cli/verb.h"

namespace strobe::cli {
namespace {

constexpr std::array kVerbs{
    Verb{"run", "one model: latency, device time, throughput, verdict", declare_run},
    Verb{"methods", "every way to time it, side by side, and what each gets wrong", declare_methods},
    Verb{"compare", "models or settings in turns, or stored records; a word on each, an exit code for CI",
         declare_compare},
    Verb{"audit", "judge a stored record, or times from any other tool", declare_audit},
    Verb{"report", "a page (HTML), Markdown, CSV and others from stored records", declare_report},
    Verb{"doctor", "this machine: devices, runtimes, calibration, what would spoil a measurement", declare_doctor},
    Verb{"selftest", "what strobe itself gets right: known work, own error rates", declare_selftest},
    Verb{"zoo", "the models that come along", declare_zoo},
    Verb{"completion", "words for bash or zsh to complete", declare_completion},
    Verb{"worker", "", declare_worker},
};

}  // namespace

std::span<const Verb> verbs() {
  return kVerbs;
}

struct Parsed {
  CLI::App app{"Measures neural-network inference, and says whether to believe the number.", "strobe"};
  std::vector<std::pair<CLI::App*, Work>> verbs;
};

std::shared_ptr<Parsed> declare_all() {
  auto p = std::make_shared<Parsed>();
  p->app.set_version_flag("--version", fmt::format("strobe {} ({}, {})", kVersion, kCommit, kBuildType));
  p->app.require_subcommand(1);
  p->app.get_formatter()->column_width(34);
  for (const Verb& v : kVerbs) {
    CLI::App* sub = p->app.add_subcommand(std::string(v.name), std::string(v.summary));
    p->verbs.emplace_back(sub, v.declare(*sub));
  }
  return p;
}

void parse_into(Parsed& p, const std::vector<std::string>& words) {
  p.app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them backwards
}

const Work& work_of(const Parsed& p) {
  for (const auto& [sub, work] : p.verbs) {
    if (sub->parsed()) return work;
  }
  throw CLI::RequiredError("a verb");
}

CLI::App& app_of(Parsed& p) {
  return p.app;
}

}  // namespace strobe::cli
