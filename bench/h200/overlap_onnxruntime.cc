// SPDX-License-Identifier: Apache-2.0
// Two iterations in flight as anybody would write them, with two threads: one prepares (it spins) and hands the network
// over, the other waits for what was handed over. Beside it, in turns, one iteration at a time. `strobe pipeline
// --in-flight` must agree.
//     overlap_onnxruntime LIBRARY MODEL INPUT BATCH SPIN_US IN_FLIGHT
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <semaphore>
#include <thread>
#include <vector>

#include <onnxruntime_cxx_api.h>  // with ORT_API_MANUAL_INIT: nothing is linked

using Clock = std::chrono::steady_clock;
using Us = std::chrono::duration<double, std::micro>;

template <class F>
F* runtime(const char* name) {  // of CUDA's runtime, which ONNX Runtime brings along
  return reinterpret_cast<F*>(dlsym(dlopen("libcudart.so.13", RTLD_NOW | RTLD_GLOBAL), name));
}

Ort::Session open_model(const Ort::Env& env, const char* model, void* stream) {
  OrtCUDAProviderOptionsV2* cuda = nullptr;
  Ort::ThrowOnError(Ort::GetApi().CreateCUDAProviderOptions(&cuda));
  Ort::ThrowOnError(Ort::GetApi().UpdateCUDAProviderOptionsWithValue(cuda, "user_compute_stream", stream));
  Ort::SessionOptions options;
  options.AppendExecutionProvider_CUDA_V2(*cuda);
  return {env, model, options};
}

template <class HandOver, class Wait>
double period(std::size_t slots, HandOver hand_over, Wait wait) {  // in µs, of the last 160 iterations
  std::counting_semaphore<> free(static_cast<std::ptrdiff_t>(slots)), handed(0);
  std::vector<Clock::time_point> ends(200);
  std::thread waiter([&] {
    for (std::size_t i = 0; i < ends.size(); ++i, free.release()) {
      handed.acquire();
      wait(i % slots);
      ends[i] = Clock::now();
    }
  });
  for (std::size_t i = 0; i < ends.size(); ++i, handed.release()) {
    free.acquire();
    hand_over(i % slots);
  }
  waiter.join();
  return Us(ends[199] - ends[39]).count() / 160;
}

int main(int argc, char** argv) {
  void* library = argc == 7 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  if (!library) {
    std::fprintf(stderr, "%s\n", argc == 7 ? dlerror() : "usage: LIBRARY MODEL INPUT BATCH SPIN_US IN_FLIGHT");
    return 2;
  }
  Ort::InitApi(reinterpret_cast<const OrtApiBase* (*)()>(dlsym(library, "OrtGetApiBase"))()->GetApi(ORT_API_VERSION));
  void* stream = nullptr;
  runtime<int(void**, unsigned)>("cudaStreamCreateWithFlags")(&stream, 1);
  std::vector<void*> done(static_cast<std::size_t>(std::atoi(argv[6])));
  for (void*& event : done) runtime<int(void**, unsigned)>("cudaEventCreateWithFlags")(&event, 2);
  const Ort::Env env(ORT_LOGGING_LEVEL_ERROR, "overlap");
  Ort::Session session = open_model(env, argv[2], stream);

  const std::int64_t shape[] = {std::atoll(argv[4]), 3, 224, 224};
  std::vector<float> values(static_cast<std::size_t>(shape[0]) * 3 * 224 * 224);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 2654435761U % 2001) / 1000 - 1;
  const auto host = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  Ort::IoBinding binding(session);
  binding.BindInput(argv[3], Ort::Value::CreateTensor<float>(host, values.data(), values.size(), shape, 4));  // copies
  Ort::AllocatorWithDefaultOptions names;
  const Ort::MemoryInfo device("Cuda", OrtArenaAllocator, 0, OrtMemTypeDefault);
  binding.BindOutput(session.GetOutputNameAllocated(0, names).get(), device);
  Ort::RunOptions run;
  run.AddConfigEntry("disable_synchronize_execution_providers", "1");
  const Us spin(std::atof(argv[5]));
  const auto record = runtime<int(void*, void*)>("cudaEventRecord");
  const auto synchronize = runtime<int(void*)>("cudaEventSynchronize");
  const auto hand_over = [&](std::size_t slot) {
    for (const auto begin = Clock::now(); Clock::now() - begin < spin;) continue;
    session.Run(run, binding);
    record(done[slot], stream);
  };
  const auto wait = [&](std::size_t slot) { synchronize(done[slot]); };
  for (int turn = 0; turn < 8; ++turn) {  // the first warms up
    const double one = period(1, hand_over, wait), several = period(done.size(), hand_over, wait);
    if (turn > 0) std::printf("{\"one_at_a_time_us\": %.1f, \"in_flight_us\": %.1f}\n", one, several);
  }
}
