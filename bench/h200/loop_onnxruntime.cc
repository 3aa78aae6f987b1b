// SPDX-License-Identifier: Apache-2.0
// The throughput of an ONNX model as anybody would write it: enqueue 200 runs, wait once. Strobe must agree within 1 %.
//     loop_onnxruntime LIBRARY MODEL INPUT BATCH     the library is libonnxruntime.so with its CUDA provider beside it
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <random>
#include <vector>

#include <onnxruntime_cxx_api.h>  // with ORT_API_MANUAL_INIT: nothing is linked

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: loop_onnxruntime LIBRARY MODEL INPUT BATCH\n", stderr);
    return 2;
  }
  const std::int64_t batch = std::atoll(argv[4]);
  void* library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    std::fputs(dlerror(), stderr);
    return 1;
  }
  const auto base = reinterpret_cast<const OrtApiBase* (*)()>(dlsym(library, "OrtGetApiBase"));
  Ort::InitApi(base()->GetApi(ORT_API_VERSION));

  Ort::Env env(ORT_LOGGING_LEVEL_ERROR, "loop");
  Ort::SessionOptions options;
  options.SetGraphOptimizationLevel(ORT_ENABLE_ALL);
  OrtCUDAProviderOptionsV2* cuda = nullptr;
  Ort::ThrowOnError(Ort::GetApi().CreateCUDAProviderOptions(&cuda));
  const char *key = "arena_extend_strategy", *value = "kSameAsRequested";
  Ort::ThrowOnError(Ort::GetApi().UpdateCUDAProviderOptions(cuda, &key, &value, 1));
  options.AppendExecutionProvider_CUDA_V2(*cuda);
  Ort::Session session(env, argv[2], options);

  std::vector<float> values(static_cast<std::size_t>(batch) * 3 * 224 * 224);
  std::mt19937 bits(1);
  std::normal_distribution<float> normal;
  for (float& v : values) v = normal(bits);
  const std::int64_t shape[] = {batch, 3, 224, 224};
  const auto host = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  const Ort::MemoryInfo device("Cuda", OrtArenaAllocator, 0, OrtMemTypeDefault);
  Ort::IoBinding binding(session);
  binding.BindInput(argv[3], Ort::Value::CreateTensor<float>(host, values.data(), values.size(), shape, 4));  // copies
  Ort::AllocatorWithDefaultOptions names;
  binding.BindOutput(session.GetOutputNameAllocated(0, names).get(), device);

  Ort::RunOptions run;
  run.AddConfigEntry("disable_synchronize_execution_providers", "1");
  const auto items_per_second = [&](int runs) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < runs; ++i) session.Run(run, binding);
    binding.SynchronizeOutputs();
    return static_cast<double>(runs * batch) /
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  items_per_second(20);
  std::printf("{\"batch\": %ld, \"runs\": 200, \"items_per_second\": %.1f}\n", batch, items_per_second(200));
}
