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

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fputs("usage: overlap_onnxruntime LIBRARY MODEL INPUT BATCH SPIN_US IN_FLIGHT\n", stderr);
    return 2;
  }
  const std::int64_t batch = std::atoll(argv[4]);
  const Us spin(std::atof(argv[5]));
  const auto in_flight = static_cast<std::size_t>(std::atoi(argv[6]));
  void* library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    std::fputs(dlerror(), stderr);
    return 1;
  }
  Ort::InitApi(reinterpret_cast<const OrtApiBase* (*)()>(dlsym(library, "OrtGetApiBase"))()->GetApi(ORT_API_VERSION));

  void* stream = nullptr;
  runtime<int(void**, unsigned)>("cudaStreamCreateWithFlags")(&stream, 1);
  std::vector<void*> done(in_flight);
  for (void*& event : done) runtime<int(void**, unsigned)>("cudaEventCreateWithFlags")(&event, 2);
  const auto record = runtime<int(void*, void*)>("cudaEventRecord");
  const auto wait = runtime<int(void*)>("cudaEventSynchronize");

  Ort::Env env(ORT_LOGGING_LEVEL_ERROR, "overlap");
  Ort::SessionOptions options;
  OrtCUDAProviderOptionsV2* cuda = nullptr;
  Ort::ThrowOnError(Ort::GetApi().CreateCUDAProviderOptions(&cuda));
  Ort::ThrowOnError(Ort::GetApi().UpdateCUDAProviderOptionsWithValue(cuda, "user_compute_stream", stream));
  options.AppendExecutionProvider_CUDA_V2(*cuda);
  Ort::Session session(env, argv[2], options);
  std::vector<float> values(static_cast<std::size_t>(batch) * 3 * 224 * 224);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 2654435761U % 2001) / 1000 - 1;
  const std::int64_t shape[] = {batch, 3, 224, 224};
  const auto host = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  Ort::IoBinding binding(session);
  binding.BindInput(argv[3], Ort::Value::CreateTensor<float>(host, values.data(), values.size(), shape, 4));  // copies
  Ort::AllocatorWithDefaultOptions names;
  binding.BindOutput(session.GetOutputNameAllocated(0, names).get(), {"Cuda", OrtArenaAllocator, 0, OrtMemTypeDefault});
  Ort::RunOptions run;
  run.AddConfigEntry("disable_synchronize_execution_providers", "1");

  const auto prepare = [&] {
    for (const auto begin = Clock::now(); Clock::now() - begin < spin;) continue;
  };
  const auto hand_over = [&](std::size_t slot) {
    session.Run(run, binding);
    record(done[slot], stream);
  };
  const auto period = [&](std::size_t slots, std::size_t iterations) {
    std::counting_semaphore<> free(static_cast<std::ptrdiff_t>(slots)), handed(0);
    std::vector<Clock::time_point> ends(iterations);
    std::thread waiter([&] {
      for (std::size_t i = 0; i < iterations; ++i) {
        handed.acquire();
        wait(done[i % slots]);
        ends[i] = Clock::now();
        free.release();
      }
    });
    for (std::size_t i = 0; i < iterations; ++i) {
      free.acquire();
      prepare();
      hand_over(i % slots);
      handed.release();
    }
    waiter.join();
    const std::size_t from = iterations / 5;
    return Us(ends.back() - ends[from]).count() / static_cast<double>(iterations - 1 - from);
  };
  period(1, 50);
  for (int turn = 0; turn < 7; ++turn) {
    const double one = period(1, 200);
    std::printf("{\"one_at_a_time_us\": %.1f, \"in_flight_us\": %.1f}\n", one, period(in_flight, 200));
  }
}
