// SPDX-License-Identifier: Apache-2.0
// The device's pause between kernels, stream by stream: what decides it, and does it last? One JSON object, for one
// process; docs/streams.md has the tables. Run it several times: levels are drawn anew in every process.
//
//     stream_study [cuda:0]
#include <cstdio>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <strobe/error.h>

#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_stream.h"
#include "device/cuda/graph.h"
#include "stats/middle.h"

namespace strobe::cuda {
namespace {

constexpr std::size_t kStreams = 20, kMany = 128, kProbes = 5;
constexpr int kContexts = 4;

// One that the device has no use for.
template <class F>
F* driver_function(const char* name) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  F* const f = reinterpret_cast<F*>(driver ? dlsym(driver, name) : nullptr);
  if (!f) throw Error(ErrorCode::failed, fmt::format("cannot call {}", name), "this driver does not have it");
  return f;
}

class Study {
 public:
  explicit Study(CudaDevice& device) : device_(device) {}

  // In the order of creation, ns per kernel.
  std::vector<double> pauses(const std::vector<CUstream>& streams, std::size_t kernels) {
    std::vector<double> all;
    for (const CUstream s : streams) all.push_back(per_kernel(s, kernels, [&] { launch(s, kernels); }));
    return all;
  }

  std::vector<double> pauses_in_a_graph(const std::vector<CUstream>& streams, std::size_t kernels) {
    std::vector<double> all;
    for (const CUstream s : streams) {
      std::string why_not;
      const Graph graph = capture(device_.driver(), s, [&] { launch(s, kernels); }, why_not);
      if (!graph) throw Error(ErrorCode::failed, "cannot capture", why_not);
      graph.launch(s);
      all.push_back(per_kernel(s, kernels, [&] { graph.launch(s); }));
    }
    return all;
  }

  std::vector<CUstream> make(std::size_t count, unsigned flags = CU_STREAM_NON_BLOCKING) {
    std::vector<CUstream> streams(count);
    for (CUstream& s : streams)
      check(device_.driver(), device_.driver().stream_create(&s, flags), "cannot create a stream");
    return streams;
  }

  static std::vector<CUstream> make_with_priority(std::size_t count, int priority) {
    const auto create = driver_function<CUresult(CUstream*, unsigned, int)>("cuStreamCreateWithPriority");
    std::vector<CUstream> streams(count);
    for (CUstream& s : streams) create(&s, CU_STREAM_NON_BLOCKING, priority);
    return streams;
  }

 private:
  void launch(CUstream s, std::size_t kernels) {
    for (std::size_t i = 0; i < kernels; ++i) device_.kernels().empty(s);
  }

  double per_kernel(CUstream native, std::size_t kernels, const std::function<void()>& work) {
    CudaStream stream(device_, native, false);
    stream.reserve(2);
    std::vector<double> readings;
    for (std::size_t i = 0; i < kProbes; ++i) {
      stream.synchronize();
      Gate gate = device_.hold(stream, {});
      const Mark begin = stream.mark();
      work();
      const Mark end = stream.mark();
      gate.open();
      stream.wait(end);
      readings.push_back(to_double(stream.between(begin, end)) / static_cast<double>(kernels));
    }
    return stats::middle_of(std::move(readings));
  }

  CudaDevice& device_;
};

void print(const char* name, const std::vector<double>& values) {
  fmt::print("\"{}\": [{:.0f}],\n ", name, fmt::join(values, ", "));
}

// Does anybody still use it? Else the next device makes another.
bool has_context(CUdevice device) {
  unsigned flags = 0;
  int active = 1;
  driver_function<CUresult(CUdevice, unsigned*, int*)>("cuDevicePrimaryCtxGetState")(device, &flags, &active);
  return active != 0;
}

// Do the streams of a new context in this process have the levels of those before, or others? A context ends with the
// last device that uses it, and its streams with it. New processes are for whoever runs this program again.
void compare_contexts(std::string_view which) {
  std::vector<double> survived;  // 1: the next numbers are of the same context
  for (int i = 1; i <= kContexts; ++i) {
    CUdevice ordinal = 0;
    {
      CudaDevice device(which);
      driver_function<CUresult(CUdevice*)>("cuCtxGetDevice")(&ordinal);
      Study study(device);
      const std::vector<CUstream> streams = study.make(kStreams);
      study.pauses({streams.front()}, 100);
      print(fmt::format("context {}", i).c_str(), study.pauses(streams, 100));
    }
    survived.push_back(has_context(ordinal) ? 1 : 0);
  }
  print("context survived", survived);
}

void study_one_context(std::string_view which) {
  CudaDevice device(which);
  Study study(device);
  const std::vector<CUstream> streams = study.make(kStreams);
  study.pauses({streams.front()}, 100);  // the clocks rise
  print("first", study.pauses(streams, 100));
  for (const std::size_t kernels : {10, 50, 200, 800})
    print(fmt::format("kernels {}", kernels).c_str(), study.pauses(streams, kernels));
  print("graph of 100", study.pauses_in_a_graph(streams, 100));
  print("default stream", study.pauses({nullptr}, 100));
  print("blocking flag", study.pauses(study.make(kStreams, CU_STREAM_DEFAULT), 100));
  print("priority -5", study.pauses(Study::make_with_priority(kStreams, -5), 100));
  print("priority 0", study.pauses(Study::make_with_priority(kStreams, 0), 100));
  print("many", study.pauses(study.make(kMany), 100));
  print("first, again", study.pauses(streams, 100));
}

void run(std::string_view which) {
  fmt::print("{{");
  study_one_context(which);
  compare_contexts(which);
  fmt::print("\"end\": []}}\n");
}

}  // namespace
}  // namespace strobe::cuda

int main(int argc, char** argv) {
  try {
    strobe::cuda::run(argc > 1 ? argv[1] : "0");
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "stream_study: %s\n", e.what());
    return 1;
  }
}
