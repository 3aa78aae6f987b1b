// SPDX-License-Identifier: Apache-2.0
// strobe doctor
#include "study/doctor.h"

#include <CLI/CLI.hpp>

#include "cli/verb.h"

namespace strobe::cli {

Work declare_doctor(CLI::App& app) {
  auto output = std::make_shared<OutputArguments>();
  output->declare(app, study_info(verb::doctor));
  return {.record = [] { return examine_machine(); }, .output = output};
}

}  // namespace strobe::cli
