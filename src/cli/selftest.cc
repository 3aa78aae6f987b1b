// SPDX-License-Identifier: Apache-2.0
// strobe selftest
#include "study/selftest/selftest.h"

#include <CLI/CLI.hpp>

#include "cli/choices.h"
#include "cli/verb.h"
#include "host/interrupt.h"
#include "option/kinds.h"
#include "study/selftest/cuda_selftest.h"

namespace strobe::cli {

Work declare_selftest(CLI::App& app) {
  auto runs = std::make_shared<std::string>();
  auto device = std::make_shared<std::string>();
  auto output = std::make_shared<OutputArguments>();
  begin_group(app, "What to check");
  app.add_option("--runs", *runs, "simulated runs behind each rate (default 100)")->type_name("N");
  suggest(
      app,
      app.add_option("--device", *device, "a GPU to test with kernels of known length, instead of the simulated device")
          ->type_name("DEVICE"),
      {"cuda"});
  output->declare(app, study_info(verb::selftest));
  const auto record = [=] {
    SelftestOptions o;
    if (!runs->empty()) o.runs = static_cast<std::size_t>(kinds::read_count(*runs, "--runs", 5, INT64_MAX));
    o.stop = [] { return Interrupt::requested(); };
    o.progress = output->progress();
    return device->empty() ? selftest(o) : cuda_selftest(*device, o.stop, o.progress);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
