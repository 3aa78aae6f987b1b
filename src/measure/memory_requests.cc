// SPDX-License-Identifier: Apache-2.0
#include "measure/memory_requests.h"

#include <algorithm>

#include "device/device.h"

namespace strobe {
namespace {

// Runtimes plan their memory in the first request of an input set, and take it in the second.
constexpr std::size_t kRequestsOfASet = 2, kMostToWarm = 32;

class WatchedRequests {
 public:
  WatchedRequests(Workload& workload, MemoryLog& log, Conductor& conductor)
      : workload_(workload), log_(log), conductor_(conductor), clock_(workload.stream().device().clock()) {}

  MemoryRequests run(const MemoryLength& length) {
    const nanoseconds begin = clock_.now();
    phase(memory_phase::first, 1);
    done_.first = clock_.now() - begin;
    phase(memory_phase::warm_up, std::min(kRequestsOfASet * workload_.input_sets(), kMostToWarm));
    done_.warmup = made_;
    done_.warmup_time = clock_.now() - begin;
    workload_.counting();
    phase(memory_phase::steady, length.requests);
    done_.requests = made_ - done_.warmup;
    if (length.graph && !done_.stopped) capture();
    return done_;
  }

 private:
  void request() {
    workload_.submit(made_++);
    workload_.stream().synchronize();
  }

  void phase(const char* name, std::size_t requests) {
    const std::size_t before = made_;
    log_.begin(name, before == 0);
    for (std::size_t i = 0; i < requests && !stopped(); ++i) {
      request();
      log_.request_done();
    }
    log_.end(made_ - before);
  }

  bool stopped() {
    done_.stopped = done_.stopped || conductor_.stopped();
    return done_.stopped;
  }

  void capture() {
    log_.begin(memory_phase::graph, true);
    const Replay replay = workload_.replay();
    if (replay.workload) {
      replay.workload->submit(0);
      replay.workload->stream().synchronize();
    }
    done_.why_no_graph = replay.why_not;
    log_.end(replay.workload ? 1 : 0);
  }

  Workload& workload_;
  MemoryLog& log_;
  Conductor& conductor_;
  Clock& clock_;
  std::size_t made_ = 0;
  MemoryRequests done_;
};

}  // namespace

MemoryRequests watch_requests(Workload& workload, const MemoryLength& length, MemoryLog& log, Conductor& conductor) {
  return WatchedRequests(workload, log, conductor).run(length);
}

}  // namespace strobe
