// SPDX-License-Identifier: Apache-2.0
// The throughput of an AOTInductor package as anybody would write it: enqueue 200 runs, wait once.
//     loop_torch MODEL.pt2 BATCH
#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: loop_torch MODEL.pt2 BATCH\n", stderr);
    return 2;
  }
  if (!dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL)) {
    std::fputs(dlerror(), stderr);
    return 1;
  }
  const auto synchronize = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "cudaDeviceSynchronize"));
  if (!synchronize) {
    std::fputs("no cudaDeviceSynchronize\n", stderr);
    return 1;
  }
  const c10::InferenceMode inference;
  const std::int64_t batch = std::atoll(argv[2]);
  torch::inductor::AOTIModelPackageLoader model(argv[1]);
  const std::vector<at::Tensor> inputs{at::randn({batch, 3, 224, 224}, at::device(at::kCUDA))};
  const auto items_per_second = [&](int runs) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < runs; ++i) model.run(inputs);
    synchronize();
    return static_cast<double>(runs * batch) /
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  items_per_second(20);
  std::printf("{\"batch\": %ld, \"runs\": 200, \"items_per_second\": %.1f}\n", batch, items_per_second(200));
}
