// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_device.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <new>
#include <unistd.h>

#include <fmt/format.h>

#include "base/format.h"
#include "device/cuda/calibration.h"
#include "device/cuda/cuda_stream.h"
#include "device/cuda/cupti_tracer.h"
#include "device/cuda/gemm_peak.h"
#include "device/cuda/graph.h"
#include "device/cuda/launch_queues.h"
#include "device/cuda/profiler.h"
#include "device/cuda/spin_kernel.h"
#include "device/host_lock.h"
#include "stats/tick.h"

namespace strobe::cuda {
namespace {

constexpr std::align_val_t kAlignment{64};

CUstream stream_of(Stream& stream) {
  return static_cast<CUstream>(stream.native());
}

CUdeviceptr pointer_of(const Buffer& buffer) {
  return reinterpret_cast<CUdeviceptr>(buffer.bytes().data());
}

// The NUMA node the board is attached to, where the kernel knows.
std::optional<std::int64_t> numa_node(std::string bus) {
  std::transform(bus.begin(), bus.end(), bus.begin(), [](unsigned char c) { return std::tolower(c); });
  std::ifstream in("/sys/bus/pci/devices/" + bus + "/numa_node");
  std::int64_t node = -1;
  if (!(in >> node) || node < 0) return std::nullopt;
  return node;
}

std::optional<std::size_t> count_others(std::optional<std::vector<unsigned>> listed, bool used_before) {
  if (!listed) return std::nullopt;
  return others_among(std::move(*listed), used_before, static_cast<unsigned>(::getpid())).size();
}

class CudaThread final : public HostThread {
 public:
  explicit CudaThread(const Context& context) : context_(context) {}
  void begin() override { context_.use_on_this_thread(); }

 private:
  const Context& context_;
};

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value && std::string_view(value) != "0";
}

// After the driver: CUPTI looks for it by itself, and takes long where there is none.
std::shared_ptr<CuptiSession> begin_session() {
  load_driver();
  return CuptiSession::begin(attached_profiler());
}

}  // namespace

CudaDevice::CudaDevice(std::string_view which, bool traced)
    : CudaDevice(load_driver(), which, open_board, traced ? begin_session() : nullptr) {}

CudaDevice::CudaDevice(Driver driver, std::string_view which, const OpenBoard& open,
                       std::shared_ptr<CuptiSession> session)
    : driver_(driver),
      gpu_(choose_gpu(list_gpus(driver_), which)),
      board_(open(gpu_, board_why_not_)),
      board_facts_(board_ ? board_->facts() : Scalars{}),
      used_before_(has_context(driver_, gpu_.device)),
      other_processes_(board_ ? count_others(board_->processes(), used_before_) : std::nullopt),
      busy_before_(board_ && !used_before_ ? board_->busy() : std::nullopt),
      session_(std::move(session)),
      context_(driver_, gpu_.device),
      kernels_(std::make_unique<Kernels>(driver_)),
      gates_(std::make_unique<Gates>(driver_, *kernels_)) {
  if (!used_before_) persisting_l2_default_ = persisting_l2().value_or(0);
  // From CUDA 12 on every device that supports 64-bit stream memory operations has the plain ones, too.
  wait_value_ = attribute(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS) != 0;
  multiprocessors_ = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  l2_bytes_ = static_cast<std::size_t>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  profiler_ = attached_profiler();
  clocks_ = std::make_unique<ClockCounter>(*kernels_, buffer(ClockCounter::kBytes, Place::pinned), multiprocessors_);
  tick_ = measure_tick();
}

CudaDevice::~CudaDevice() = default;

std::unique_ptr<HostThread> CudaDevice::host_thread() {
  return std::make_unique<CudaThread>(context_);
}

int CudaDevice::attribute(CUdevice_attribute a) const {
  int value = 0;
  check(driver_, driver_.device_get_attribute(&value, a, gpu_.device), "cannot ask the GPU what it can do");
  return value;
}

std::optional<std::size_t> CudaDevice::persisting_l2() const {
  std::size_t bytes = 0;
  if (!driver_.ctx_get_limit || driver_.ctx_get_limit(&bytes, CU_LIMIT_PERSISTING_L2_CACHE_SIZE) != CUDA_SUCCESS)
    return std::nullopt;
  return bytes;
}

// From the readings of events around empty kernels: their common divisor. 0.5 µs, as documented, where it cannot be
// told.
nanoseconds CudaDevice::measure_tick() {
  constexpr std::size_t kPairs = 64;
  CUstream native = nullptr;
  check(driver_, driver_.stream_create(&native, CU_STREAM_NON_BLOCKING), "cannot create a stream");
  CudaStream own(*this, native, true);
  own.reserve(2 * kPairs);
  std::vector<std::pair<Mark, Mark>> pairs;
  for (std::size_t i = 0; i < kPairs; ++i) {
    const Mark a = own.mark();
    kernels_->empty(native);
    pairs.emplace_back(a, own.mark());
  }
  own.synchronize();
  std::vector<double> readings;
  for (const auto& [a, b] : pairs) readings.push_back(to_double(own.between(a, b)));
  std::sort(readings.begin(), readings.end());
  const double tick = stats::guess_tick(readings);
  return tick >= 1 ? to_nanoseconds(tick) : 500ns;
}

Capabilities CudaDevice::can() const {
  const bool recorded = session_ && session_->why_not().empty();
  GateSituation situation{.kernel_launches_block = is_set("CUDA_LAUNCH_BLOCKING"),
                          .profiler = recorded ? "CUPTI, by Strobe itself" : profiler_,
                          .wait_value = wait_value_,
                          .other_processes = has_neighbours()};
  const Capability gate{gate_forbidden(situation)};
  situation.wait_value = false;
  return {.asynchronous = {}, .gate = gate, .flush = {}, .spin_gate = {gate_forbidden(situation)}};
}

Scalars CudaDevice::facts() const {
  Scalars f = board_facts_;
  f["index"] = static_cast<std::int64_t>(gpu_.index);
  f.try_emplace("uuid", gpu_.uuid);  // an instance of a divided board has a name of its own
  f["pci"] = gpu_.pci_bus_id;
  f["cuda"] = fmt::format("{}.{}", driver_.version / 1000, driver_.version % 1000 / 10);
  f["compute_capability"] = fmt::format("{}.{}", attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                                        attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  f["multiprocessors"] = static_cast<std::int64_t>(multiprocessors_);
  f["l2_bytes"] = static_cast<std::int64_t>(l2_bytes_);
  std::size_t total = 0;
  if (driver_.device_total_mem(&total, gpu_.device) == CUDA_SUCCESS)
    f["memory_bytes"] = static_cast<std::int64_t>(total);
  f["wait"] = context_.wait();
  f["gate"] = std::string(wait_value_ ? "wait-value" : "spin");
  if (const std::string queues = launch_queues(); !queues.empty()) f["launch_queues"] = queues;
  f["mps"] = attribute(CU_DEVICE_ATTRIBUTE_MPS_ENABLED) != 0;
  if (const auto bytes = persisting_l2(); bytes && *bytes != persisting_l2_default_)
    f["persisting_l2_bytes"] = static_cast<std::int64_t>(*bytes);
  if (!profiler_.empty()) f["profiler"] = profiler_;
  if (const auto node = numa_node(gpu_.pci_bus_id)) f["numa_node"] = *node;
  if (busy_before_ && has_neighbours()) f["busy_before"] = *busy_before_;
  if (other_processes_) f["other_processes"] = static_cast<std::int64_t>(*other_processes_);
  if (!board_) f["nvml"] = board_why_not_;
  return f;
}

DeviceInfo CudaDevice::info() const {
  return {.kind = "cuda", .name = gpu_.name, .asynchronous = true, .facts = facts(), .calibration = {}};
}

// Not the legacy default stream, and not one that waits for it.
std::unique_ptr<Stream> CudaDevice::stream() {
  CUstream native = nullptr;
  check(driver_, driver_.stream_create(&native, CU_STREAM_NON_BLOCKING), "cannot create a stream");
  return std::make_unique<CudaStream>(*this, native, true);
}

std::unique_ptr<Stream> CudaDevice::stream_at(StreamLevel level) {
  const CUstream native = streams_.take(level);
  return native ? std::make_unique<CudaStream>(*this, native, true) : nullptr;
}

std::optional<double> CudaDevice::kernel_pause(Stream& stream) {
  if (!can().gate) return std::nullopt;
  return cuda::kernel_pause(*this, static_cast<CUstream>(stream.native()));
}

std::unique_ptr<Stream> CudaDevice::adopt(void* native) {
  if (!context_.owns(static_cast<CUstream>(native)))
    throw Error(ErrorCode::usage, fmt::format("cannot use this stream on cuda:{}", gpu_.index),
                "it belongs to another device, or to a context that is not the device's primary one",
                "Name the device on which the stream was made.");
  return std::make_unique<CudaStream>(*this, static_cast<CUstream>(native), false);
}

Gate CudaDevice::hold(Stream& stream, const GateOptions& options) {
  return gates_->close(stream_of(stream), options, wait_value_);
}

void CudaDevice::synchronize() {
  give_host_lock();
  check(driver_, driver_.ctx_synchronize(), "the device failed");
}

// Twice the cache is written and as much read: its replacement is not strictly least recently used, and it is split in
// two on large chips. The reads come last: lines that are left dirty are written back at the expense of what follows,
// up to 7 µs on an H200.
void CudaDevice::flush_cache(Stream& stream) {
  const std::size_t bytes = std::max<std::size_t>(2 * l2_bytes_, std::size_t{32} << 20) / 256 * 256;
  if (flush_write_.bytes().empty()) {
    flush_write_ = buffer(bytes, Place::device);
    flush_read_ = buffer(bytes, Place::device);
  }
  driver_.reset_persisting_l2();
  kernels_->write(stream_of(stream), pointer_of(flush_write_), bytes / 4);
  kernels_->read(stream_of(stream), pointer_of(flush_read_), bytes / 4, pointer_of(flush_write_));
}

Buffer CudaDevice::buffer(std::size_t bytes, Place place) {
  const std::size_t size = std::max<std::size_t>(bytes, 1);
  const auto refuse = [&](const char* where) -> Error {
    return {ErrorCode::out_of_memory, "cannot allocate a buffer",
            fmt::format("{} of {} memory were refused", format_bytes(Bytes{size}), where),
            "Use a smaller batch or shape."};
  };
  if (place == Place::device) {
    CUdeviceptr p = 0;
    const CUresult r = driver_.mem_alloc(&p, size);
    if (r == CUDA_ERROR_OUT_OF_MEMORY) throw refuse("device");
    check(driver_, r, "cannot allocate device memory");
    return Buffer({reinterpret_cast<std::byte*>(p), bytes},
                  [this](std::byte* q) { driver_.mem_free(reinterpret_cast<CUdeviceptr>(q)); });
  }
  if (place == Place::pinned) {
    void* p = nullptr;
    const CUresult r = driver_.mem_host_alloc(&p, size, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    if (r == CUDA_ERROR_OUT_OF_MEMORY) throw refuse("pinned host");
    check(driver_, r, "cannot allocate pinned memory");
    return Buffer({static_cast<std::byte*>(p), bytes}, [this](std::byte* q) { driver_.mem_free_host(q); });
  }
  auto* p = static_cast<std::byte*>(::operator new(size, kAlignment, std::nothrow));
  if (!p) throw refuse("host");
  return Buffer({p, bytes}, [](std::byte* q) { ::operator delete(q, kAlignment); });
}

std::optional<DeviceMemory> CudaDevice::memory() const {
  std::size_t free = 0, total = 0;
  check(driver_, driver_.mem_get_info(&free, &total), "cannot ask for the free memory");
  return DeviceMemory{Bytes{free}, Bytes{total}};
}

bool CudaDevice::fill_normal(Stream& stream, std::span<std::byte> to, FloatFormat format, std::uint64_t seed) {
  const std::size_t width = format == FloatFormat::f32 ? 4 : 2;
  kernels_->fill_normal(stream_of(stream), reinterpret_cast<CUdeviceptr>(to.data()), to.size() / width, seed, format);
  return true;
}

Calibration CudaDevice::calibrate(Depth depth) {
  return cuda::calibrate(*this, depth);
}

std::optional<double> CudaDevice::peak(Math math) {
  return gemm_peak(*this, math);
}

std::unique_ptr<TrueKernel> CudaDevice::true_kernel() {
  return std::make_unique<SpinKernel>(*this);
}

std::optional<std::uint64_t> CudaDevice::count_kernels(Stream& stream, const std::function<void()>& work) {
  return cuda::count_kernels(driver_, stream_of(stream), work);
}

std::optional<std::uint64_t> CudaDevice::queue_depth() {
  if (!can().gate) return std::nullopt;
  if (!queue_depth_) queue_depth_ = measure_queue_depth(*this);
  return queue_depth_;
}

// Runtimes use the primary context of a device, and make it when they first use the device.
std::vector<std::string> CudaDevice::others_in_use() const {
  std::vector<std::string> names;
  for (const Gpu& other : list_gpus(driver_)) {
    if (other.uuid != gpu_.uuid && has_context(driver_, other.device))
      names.push_back(fmt::format("cuda:{}", other.index));
  }
  return names;
}

// Without a profiler they do nothing, and what they return is of no use.
void CudaDevice::profiler_starts() {
  if (driver_.profiler_start) driver_.profiler_start();
}

void CudaDevice::profiler_stops() {
  if (driver_.profiler_stop) driver_.profiler_stop();
}

Tracing CudaDevice::tracer() {
  if (!session_) return {nullptr, "this device was not opened for tracing"};
  if (!session_->why_not().empty()) return {nullptr, session_->why_not(), session_->held_by()};
  return {std::make_unique<CuptiTracer>(*this, static_cast<std::uint32_t>(gpu_.device), session_), {}};
}

std::optional<TelemetrySource> CudaDevice::telemetry() {
  return board_ ? std::optional(board_->telemetry()) : std::nullopt;
}

EnergySource CudaDevice::energy() {
  return board_ ? board_->energy() : EnergySource{nullptr, board_why_not_};
}

}  // namespace strobe::cuda
