// SPDX-License-Identifier: Apache-2.0
// One side of a comparison: a workload that measures only when it is its turn. Turns of the others lie between, so that
// whatever the machine does meanwhile hits all sides alike; the first requests of a turn still feel the others and are
// not counted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "measure/measurement.h"

namespace strobe {

// What one turn says of one metric.
struct TurnReading {
  double value = 0;             // the median of its requests in ns, or items/s
  std::vector<double> samples;  // ns; none for a rate
};
using TurnReadings = std::map<std::string, TurnReading, std::less<>>;

class Turns {
 public:
  // Probes the workload and chooses its passes.
  Turns(Workload&, const Options&, std::shared_ptr<Surroundings> = nullptr, Conductor* = nullptr);

  // The first one soaks before it measures. Empty when the run was stopped.
  TurnReadings take();
  // After the last one: a full queue is told from work that waits for itself.
  void explain_trip();
  Device& device() { return workload_.stream().device(); }
  const Measurement& seen() const { return m_; }  // probe, gate, outputs, metrics that cannot be had

 private:
  void soak();
  bool read_energy(TurnReadings&);
  void read(const PassSamples&, std::size_t from, const FullWindow&, TurnReadings&) const;

  Workload& workload_;
  const Options& options_;
  LocalConductor alone_;
  Conductor& conductor_;  // without one this clock and `Options::stop` decide
  Measurement m_;
  std::size_t request_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace strobe
