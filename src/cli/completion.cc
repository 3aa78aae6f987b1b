// SPDX-License-Identifier: Apache-2.0
// strobe completion bash|zsh: a script that completes verbs, options, their values and models. Made from what verbs
// declare, so it is never stale.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "cli/choices.h"
#include "cli/verb.h"
#include "device/simulated/parameters.h"
#include "workload/zoo.h"

namespace strobe::cli {
namespace {

std::string completed_options(const CLI::App& app) {
  std::string words;
  for (const CLI::Option* o : app.get_options()) {
    if (o->get_group().empty()) continue;  // refused, or not for people
    for (const std::string& name : o->get_lnames()) words += fmt::format("{}--{}", words.empty() ? "" : " ", name);
  }
  return words;
}

// zsh runs the bash script through its own emulation.
constexpr const char* kScript = R"(# Completion of strobe for {shell}. Load it with: source <(strobe completion {shell})
{prelude}_strobe() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} options= values=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{verbs} help version --help --version" -- "$word"))
    return
  fi
  # bash takes --effort=quick for three words
  if [ "$word" = "=" ]; then word=
  elif [ "$before" = "=" ]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  case $verb in
    help) COMPREPLY=($(compgen -W "{verbs}" -- "$word")); return ;;
{cases}  esac
  case "$verb $before" in
{values}  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
    return
  fi
  case $word in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "{models}" -- "$word") $(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -o default -F _strobe strobe
)";

std::string zoo_words() {
  std::string words;
  try {
    for (const ZooModel& m : zoo_models()) words += fmt::format(" zoo:{}", m.name);
  } catch (const Error&) {  // an installation without the zoo's table: the rest is worth completing
  }
  return words;
}

// A line for each option of a verb whose words are known. A positional follows the verb.
std::string values_of(const VerbApp& verb) {
  std::string lines;
  for (const auto& [option, words] : verb.choices) {
    const std::string before = option.starts_with("-") ? option : verb.get_name();
    lines += fmt::format("    \"{} {}\") values=\"{}\" ;;\n", verb.get_name(), before, fmt::join(words, " "));
  }
  return lines;
}

std::string script(const std::string& shell) {
  const auto all = declare_all();
  std::string names, cases, values, models = "work:null work:spin= work:sleep=" + zoo_words();
  for (const CLI::App* sub : app_of(*all).get_subcommands({})) {
    if (sub->get_group().empty()) continue;
    names += (names.empty() ? "" : " ") + sub->get_name();
    cases += fmt::format("    {}) options=\"{}\" ;;\n", sub->get_name(), completed_options(*sub));
    if (const auto* verb = dynamic_cast<const VerbApp*>(sub)) values += values_of(*verb);
  }
  for (const SimScenario& s : sim_scenarios()) models += fmt::format(" sim:{}", s.name);
  return fmt::format(
      fmt::runtime(kScript), fmt::arg("shell", shell),
      fmt::arg("prelude", shell == "zsh" ? "autoload -Uz compinit bashcompinit && compinit && bashcompinit\n" : ""),
      fmt::arg("verbs", names), fmt::arg("cases", cases), fmt::arg("values", values), fmt::arg("models", models));
}

}  // namespace

Work declare_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  one_of(app, app.add_option("SHELL", *shell, "bash or zsh")->required(), {"bash", "zsh"});
  return {.act = [=] {
    print(script(*shell));
    return static_cast<int>(kMeasured);
  }};
}

}  // namespace strobe::cli
