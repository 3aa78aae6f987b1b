// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/gemm_peak.h"

#include <algorithm>

#include "host/library.h"

namespace strobe::cuda {
namespace {

// The four functions of cuBLAS that are needed, as its documentation declares them: its headers come with 500 MB.
using Handle = void*;
using Create = int(Handle*);
using Destroy = int(Handle);
using SetStream = int(Handle, CUstream);
using GemmEx = int(Handle, int transa, int transb, int m, int n, int k, const void* alpha, const void* a, int a_type,
                   int lda, const void* b, int b_type, int ldb, const void* beta, void* c, int c_type, int ldc,
                   int compute_type, int algorithm);

// Values of cudaDataType, cublasComputeType_t and cublasGemmAlgo_t.
constexpr int kF32 = 0, kF16 = 2, kBf16 = 14;
constexpr int kComputeF32 = 68, kComputeTf32 = 77;
constexpr int kDefaultAlgorithm = -1;

struct Cublas {
  Create* create;
  Destroy* destroy;
  SetStream* set_stream;
  GemmEx* gemm;
};

// Also on the way out of an error: memory for the matrices may be short.
class OwnedHandle {
 public:
  explicit OwnedHandle(const Cublas& cublas) : cublas_(cublas) {
    if (cublas.create(&handle_) != 0) handle_ = nullptr;
  }
  ~OwnedHandle() {
    if (handle_) cublas_.destroy(handle_);
  }
  OwnedHandle(const OwnedHandle&) = delete;
  OwnedHandle& operator=(const OwnedHandle&) = delete;
  Handle get() const { return handle_; }

 private:
  const Cublas& cublas_;
  Handle handle_ = nullptr;
};

std::optional<Cublas> open_cublas() {
  for (const char* name : {"libcublas.so.13", "libcublas.so.12"}) {
    const Library library = Library::open(name);
    if (!library) continue;
    const Cublas c{library.function<Create>("cublasCreate_v2"), library.function<Destroy>("cublasDestroy_v2"),
                   library.function<SetStream>("cublasSetStream_v2"), library.function<GemmEx>("cublasGemmEx")};
    if (c.create && c.destroy && c.set_stream && c.gemm) return c;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> gemm_peak(CudaDevice& device, Math math) {
  constexpr int kSize = 8192, kRuns = 5;
  const bool half = math == Math::f16 || math == Math::bf16;
  const std::size_t bytes = std::size_t{kSize} * kSize * (half ? 2 : 4);
  const auto cublas = open_cublas();
  if (!cublas || device.memory()->free.count < 8 * bytes) return std::nullopt;
  const auto stream = device.stream();
  const OwnedHandle owned(*cublas);
  const Handle handle = owned.get();
  if (!handle) return std::nullopt;
  stream->reserve(2);
  cublas->set_stream(handle, static_cast<CUstream>(stream->native()));
  const Buffer a = device.buffer(bytes, Place::device), b = device.buffer(bytes, Place::device),
               c = device.buffer(bytes, Place::device);
  // Random values: on zeros the chip draws less power and runs faster than any model can.
  const FloatFormat format = math == Math::f16 ? FloatFormat::f16 : half ? FloatFormat::bf16 : FloatFormat::f32;
  device.fill_normal(*stream, a.bytes(), format, 1);
  device.fill_normal(*stream, b.bytes(), format, 2);
  const int type = math == Math::f16 ? kF16 : half ? kBf16 : kF32;
  const int compute = math == Math::tf32 ? kComputeTf32 : kComputeF32;
  const float one = 1, zero = 0;
  double best = 0;
  for (int i = 0; i <= kRuns; ++i) {
    const Mark begin = stream->mark();
    const int failed =
        cublas->gemm(handle, 0, 0, kSize, kSize, kSize, &one, a.bytes().data(), type, kSize, b.bytes().data(), type,
                     kSize, &zero, c.bytes().data(), type, kSize, compute, kDefaultAlgorithm);
    const Mark end = stream->mark();
    stream->synchronize();
    if (failed) break;
    if (i > 0) best = std::max(best, 2.0 * kSize * kSize * kSize / to_double(stream->between(begin, end)) * 1e-3);
  }
  return best > 0 ? std::optional(best) : std::nullopt;
}

}  // namespace strobe::cuda
