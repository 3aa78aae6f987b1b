// Timing one workload by many methods at once. A row is a method and what it read; the first requests of all are timed
// once, for the rows that leave the warm-up out.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <strobe/workload.h>

#include "measure/method.h"
#include "measure/sample.h"

namespace strobe {

struct MethodRow {
  Method method;
  std::string name;
  std::string error;             // not empty: it cannot be used, and this is why
  std::vector<double> readings;  // ns per request
};

struct MethodRows {
  std::vector<MethodRow> rows;
  std::size_t block = 1;  // requests in one block
  bool asynchronous = false;
  std::string gate_why_not, graph_why_not;  // of the eager workload's gate; of the capture
  double first_ns = 0;
  double tick = 1;
  bool stopped = false;
};

// `warmup` cold requests, then `requests` for every method in rounds. Methods without warm-up count the cold ones
// instead of their first requests.
MethodRows time_by_methods(Workload&, std::vector<MethodRow> rows, std::size_t warmup, std::size_t requests,
                           const std::function<bool()>& stop);

}  // namespace strobe
