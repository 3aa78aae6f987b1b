// strobe completion bash|zsh: a script that completes verbs, options and models. Made from the tables, so it is never
// stale.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "cli/verb.h"
#include "device/simulated/parameters.h"
#include "workload/zoo.h"

namespace strobe::cli {
namespace {

std::string options_of(const CLI::App& app) {
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
  local word=${{COMP_WORDS[COMP_CWORD]}} verb=${{COMP_WORDS[1]}} options=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{verbs} --help --version" -- "$word"))
    return
  fi
  case $verb in
{cases}  esac
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

std::string script(const std::string& shell) {
  const auto all = declare_all();
  std::string names, cases, models = "work:null work:spin= work:sleep=" + zoo_words();
  for (const CLI::App* sub : app_of(*all).get_subcommands({})) {
    if (sub->get_group().empty()) continue;
    names += (names.empty() ? "" : " ") + sub->get_name();
    cases += fmt::format("    {}) options=\"{}\" ;;\n", sub->get_name(), options_of(*sub));
  }
  for (const SimScenario& s : sim_scenarios()) models += fmt::format(" sim:{}", s.name);
  return fmt::format(
      fmt::runtime(kScript), fmt::arg("shell", shell),
      fmt::arg("prelude", shell == "zsh" ? "autoload -Uz compinit bashcompinit && compinit && bashcompinit\n" : ""),
      fmt::arg("verbs", names), fmt::arg("cases", cases), fmt::arg("models", models));
}

}  // namespace

Work declare_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash or zsh")->required();
  return {.act = [=] {
    if (*shell != "bash" && *shell != "zsh")
      throw Error(ErrorCode::usage, fmt::format("cannot complete for '{}'", shell->substr(0, 20)), {},
                  "Take bash or zsh.");
    print(script(*shell));
    return static_cast<int>(kMeasured);
  }};
}

}  // namespace strobe::cli
