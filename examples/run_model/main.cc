// SPDX-License-Identifier: Apache-2.0
// Measures a model file, prints the result, and writes it as a page and as a record.
//
//     run_model [SECONDS [MODEL]]     for at most this long, default 10; default a simulated model, which is always
//     there
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include <strobe/strobe.h>

int main(int argc, char** argv) try {
  const std::chrono::milliseconds at_most(argc > 1 ? static_cast<int>(1000 * std::atof(argv[1])) : 10'000);
  const char* model = argc > 2 ? argv[2] : "sim:device-bound";

  const strobe::Record r = strobe::run(model, {.effort = strobe::quick, .max_time = at_most});
  std::cout << strobe::text(r);
  std::ofstream("run_model.html") << strobe::html(r);
  std::ofstream("run_model.json") << strobe::json(r);

  // What a script would do with it.
  if (const strobe::Metric* latency = r.find("latency"))
    std::cout << "median " << latency->estimate.value / 1e3 << " us\n";
  return r.verdict == strobe::Verdict::invalid ? 1 : 0;
} catch (const strobe::Error& e) {
  std::cerr << "run_model: " << e.what() << '\n';
  return 3;
}
