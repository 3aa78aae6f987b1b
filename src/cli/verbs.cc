// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/build_info.h"
#include "cli/choices.h"
#include "cli/verb.h"

namespace strobe::cli {
namespace {

constexpr std::array kVerbs{
    Verb{verb::run, "one model: latency, device time, throughput, verdict", declare_run,
         "  strobe run model.onnx\n"
         "  strobe run model.onnx --device cuda --batch 8 --json r.json\n"
         "  strobe run zoo:resnet18 --effort quick --threads 1\n"
         "  strobe run model.onnx --percentiles 99 --max-time 2min\n"
         "  strobe run model.onnx --sweep batch=1,2,4,8 --export batches.csv"},
    Verb{verb::methods, "every timing method, side by side, and what each gets wrong", declare_methods,
         "  strobe methods sim:launch-bound\n"
         "  strobe methods model.onnx --device cuda --methods naive,sync,event,gated"},
    Verb{verb::throughput, "best batch size, up to out-of-memory; best within a latency bound", declare_throughput,
         "  strobe throughput model.onnx\n"
         "  strobe throughput model.onnx --batches 1,2,4,8\n"
         "  strobe throughput model.onnx --max-latency 10ms --percentile 99"},
    Verb{verb::compare, "models or settings in turns, or stored records; faster, slower, equivalent or cannot tell",
         declare_compare,
         "  strobe compare a.onnx b.onnx\n"
         "  strobe compare model.onnx --vary threads=1,2\n"
         "  strobe compare 'a.onnx --threads 1' b.onnx --fail-on slower=2%\n"
         "  strobe compare base.json new.json --fail-on slower=2%"},
    Verb{verb::pipeline, "stages (models, CPU work, copies) timed without slowing the pipeline", declare_pipeline,
         "  strobe pipeline pipeline.yaml\n"
         "  strobe pipeline pipeline.yaml --device cpu --rounds 8 --max-time 10s"},
    Verb{verb::profile, "where the time of a request goes: layers, kernels, gaps", declare_profile,
         "  strobe profile model.onnx\n"
         "  strobe profile model.onnx --threads 1 --export profile.html\n"
         "  strobe profile sim:launch-bound"},
    Verb{verb::memory, "what memory goes to: its peak, phases, causes, growth; whether it fits", declare_memory,
         "  strobe memory model.onnx\n"
         "  strobe memory model.onnx --batch 32 --limit 2GiB\n"
         "  strobe memory sim:memory --export memory.html"},
    Verb{verb::audit, "judge a stored record, or times from any other tool", declare_audit,
         "  strobe audit r.json\n"
         "  strobe audit --times times.txt --unit ms\n"
         "  strobe audit --times gbench.json --name BM_Infer"},
    Verb{"report", "a page (HTML), Markdown, CSV and others from stored records", declare_report,
         "  strobe report r.json\n"
         "  strobe report a.json b.json --export both.html\n"
         "  strobe report r.json --format md"},
    Verb{verb::doctor, "this machine: devices, runtimes, calibration, what would spoil a measurement", declare_doctor,
         "  strobe doctor\n"
         "  strobe doctor --json machine.json"},
    Verb{verb::selftest, "what strobe itself gets right: known work, own error rates", declare_selftest,
         "  strobe selftest --runs 20\n"
         "  strobe selftest --device cuda"},
    Verb{"zoo", "the built-in models", declare_zoo,
         "  strobe zoo\n"
         "  strobe zoo path resnet18\n"
         "  strobe zoo export resnet50 --format pt2"},
    Verb{"completion", "a completion script for bash or zsh", declare_completion, "  source <(strobe completion bash)"},
    Verb{"worker", "", declare_worker, ""},
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
  p->app.footer("'strobe VERB --help' lists the options of a verb, with examples.");
  p->app.require_subcommand(1);
  p->app.get_formatter()->column_width(34);
  for (const Verb& v : kVerbs) {
    const auto sub = std::make_shared<VerbApp>(std::string(v.summary), std::string(v.name));
    sub->formatter(p->app.get_formatter());
    p->app.add_subcommand(sub);
    if (!v.examples.empty()) sub->footer(fmt::format("\nExamples:\n{}", v.examples));
    p->verbs.emplace_back(sub.get(), v.declare(*sub));
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
