// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/driver.h"

#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "host/library.h"

namespace strobe::cuda {
namespace {

constexpr int kWanted = 12000;  // the version whose functions are asked for, and the oldest that will do

constexpr const char* kNoDevice = "cannot use CUDA";
constexpr const char* kUseCpu = "Install NVIDIA's driver, or use --device cpu.";

using Lookup = PFN_cuGetProcAddress_v12000;

struct Entry {
  const char* name;
  void* slot;
};

template <class Function>
Entry entry(const char* name, Function& slot) {
  return {name, static_cast<void*>(&slot)};
}

void fill(Driver& d, Lookup look_up) {
  const std::array entries{
      entry("cuInit", d.init),
      entry("cuDriverGetVersion", d.driver_get_version),
      entry("cuGetErrorName", d.get_error_name),
      entry("cuGetErrorString", d.get_error_string),
      entry("cuDeviceGetCount", d.device_get_count),
      entry("cuDeviceGet", d.device_get),
      entry("cuDeviceGetName", d.device_get_name),
      entry("cuDeviceGetUuid", d.device_get_uuid),
      entry("cuDeviceGetPCIBusId", d.device_get_pci_bus_id),
      entry("cuDeviceGetAttribute", d.device_get_attribute),
      entry("cuDeviceTotalMem", d.device_total_mem),
      entry("cuDevicePrimaryCtxRetain", d.primary_retain),
      entry("cuDevicePrimaryCtxRelease", d.primary_release),
      entry("cuDevicePrimaryCtxSetFlags", d.primary_set_flags),
      entry("cuCtxSetCurrent", d.ctx_set_current),
      entry("cuCtxGetCurrent", d.ctx_get_current),
      entry("cuCtxGetFlags", d.ctx_get_flags),
      entry("cuCtxSynchronize", d.ctx_synchronize),
      entry("cuCtxResetPersistingL2Cache", d.reset_persisting_l2),
      entry("cuMemGetInfo", d.mem_get_info),
      entry("cuMemAlloc", d.mem_alloc),
      entry("cuMemFree", d.mem_free),
      entry("cuMemHostAlloc", d.mem_host_alloc),
      entry("cuMemFreeHost", d.mem_free_host),
      entry("cuMemHostGetDevicePointer", d.mem_host_get_device_pointer),
      entry("cuMemcpyAsync", d.memcpy_async),
      entry("cuStreamCreate", d.stream_create),
      entry("cuStreamDestroy", d.stream_destroy),
      entry("cuStreamSynchronize", d.stream_synchronize),
      entry("cuStreamWaitEvent", d.stream_wait_event),
      entry("cuStreamWaitValue32", d.stream_wait_value32),
      entry("cuStreamBeginCapture", d.stream_begin_capture),
      entry("cuStreamEndCapture", d.stream_end_capture),
      entry("cuEventCreate", d.event_create),
      entry("cuEventDestroy", d.event_destroy),
      entry("cuEventRecord", d.event_record),
      entry("cuEventSynchronize", d.event_synchronize),
      entry("cuEventQuery", d.event_query),
      entry("cuEventElapsedTime", d.event_elapsed_time),
      entry("cuModuleLoadData", d.module_load_data),
      entry("cuModuleUnload", d.module_unload),
      entry("cuModuleGetFunction", d.module_get_function),
      entry("cuLaunchKernel", d.launch_kernel),
      entry("cuGraphInstantiateWithFlags", d.graph_instantiate),
      entry("cuGraphLaunch", d.graph_launch),
      entry("cuGraphUpload", d.graph_upload),
      entry("cuGraphExecDestroy", d.graph_exec_destroy),
      entry("cuGraphDestroy", d.graph_destroy),
  };
  for (const Entry& e : entries) {
    void* found = nullptr;
    const CUresult r = look_up(e.name, &found, kWanted, CU_GET_PROC_ADDRESS_DEFAULT, nullptr);
    if (r != CUDA_SUCCESS || !found)
      throw Error(ErrorCode::unsupported, kNoDevice, fmt::format("the driver has no {}", e.name),
                  "Update NVIDIA's driver, or use --device cpu.");
    *static_cast<void**>(e.slot) = found;
  }
  // Without these a finding or a sentence is missing, and nothing else.
  for (const Entry& e :
       {entry("cuDevicePrimaryCtxGetState", d.primary_get_state), entry("cuCtxGetLimit", d.ctx_get_limit),
        entry("cuStreamGetCtx", d.stream_get_ctx), entry("cuGraphGetNodes", d.graph_get_nodes),
        entry("cuGraphNodeGetType", d.graph_node_get_type), entry("cuProfilerStart", d.profiler_start),
        entry("cuProfilerStop", d.profiler_stop)}) {
    void* found = nullptr;
    if (look_up(e.name, &found, kWanted, CU_GET_PROC_ADDRESS_DEFAULT, nullptr) == CUDA_SUCCESS)
      *static_cast<void**>(e.slot) = found;
  }
}

std::string version_text(int v) {
  return fmt::format("{}.{}", v / 1000, v % 1000 / 10);
}

}  // namespace

// Each way to have no usable GPU has its own sentence.
void refuse_init(const Driver& d, CUresult r, const char* visible) {
  if (r == CUDA_ERROR_NO_DEVICE) {
    if (visible)
      throw Error(ErrorCode::not_found, kNoDevice,
                  fmt::format("CUDA_VISIBLE_DEVICES='{}' leaves no GPU visible", visible),
                  "Unset it, or name a GPU that 'nvidia-smi -L' lists.");
    throw Error(ErrorCode::not_found, kNoDevice, "the driver is here, but it sees no GPU",
                "Check 'nvidia-smi', or use --device cpu.");
  }
  if (r == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH || r == CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE)
    throw Error(ErrorCode::unsupported, kNoDevice, "the driver's library and its kernel module differ in version",
                "Restart the machine after an update of the driver.");
  if (r == CUDA_ERROR_SYSTEM_NOT_READY) refuse_not_ready(kNoDevice);
  throw Error(ErrorCode::failed, kNoDevice, fmt::format("the driver does not start: {}", describe(d, r)),
              "Check 'nvidia-smi', or use --device cpu.");
}

void refuse_version(int version) {
  throw Error(ErrorCode::unsupported, kNoDevice,
              fmt::format("the driver supports CUDA {} and 12.0 is needed", version_text(version)),
              "Update NVIDIA's driver, or use --device cpu.");
}

void refuse_not_ready(const char* what) {
  throw Error(ErrorCode::failed, what, "the GPUs' switches are not set up: NVIDIA's fabric manager does not run",
              "Start it (sudo systemctl start nvidia-fabricmanager), or use --device cpu.");
}

Driver load_driver() {
  const Library library = Library::open("libcuda.so.1");
  if (!library)
    throw Error(ErrorCode::not_found, kNoDevice, "there is no NVIDIA driver here (libcuda.so.1 was not found)",
                kUseCpu);
  const auto look_up = library.function<std::remove_pointer_t<Lookup>>("cuGetProcAddress_v2");
  const auto version_of = library.function<std::remove_pointer_t<PFN_cuDriverGetVersion_v2020>>("cuDriverGetVersion");
  int version = 0;
  if (version_of) version_of(&version);
  if (!look_up || version < kWanted) refuse_version(version);
  Driver d;
  fill(d, look_up);
  d.version = version;
  if (const CUresult r = d.init(0); r != CUDA_SUCCESS) refuse_init(d, r, std::getenv("CUDA_VISIBLE_DEVICES"));
  return d;
}

std::string describe(const Driver& d, CUresult r) {
  const char *name = nullptr, *text = nullptr;
  if (d.get_error_name) d.get_error_name(r, &name);
  if (d.get_error_string) d.get_error_string(r, &text);
  return fmt::format("{} ({})", name ? name : fmt::format("CUDA error {}", static_cast<int>(r)),
                     text ? text : "unknown");
}

bool is_sticky(CUresult r) {
  // Younger than the oldest headers that will do.
  constexpr auto kContained = static_cast<CUresult>(226), kTensorMemoryLeak = static_cast<CUresult>(721);
  constexpr std::array kSticky{CUDA_ERROR_ILLEGAL_ADDRESS,
                               CUDA_ERROR_LAUNCH_TIMEOUT,
                               CUDA_ERROR_HARDWARE_STACK_ERROR,
                               CUDA_ERROR_ILLEGAL_INSTRUCTION,
                               CUDA_ERROR_MISALIGNED_ADDRESS,
                               CUDA_ERROR_INVALID_ADDRESS_SPACE,
                               CUDA_ERROR_INVALID_PC,
                               CUDA_ERROR_ASSERT,
                               CUDA_ERROR_LAUNCH_FAILED,
                               CUDA_ERROR_ECC_UNCORRECTABLE,
                               CUDA_ERROR_NVLINK_UNCORRECTABLE,
                               CUDA_ERROR_CONTEXT_IS_DESTROYED,
                               kContained,
                               kTensorMemoryLeak,
                               CUDA_ERROR_MPS_CLIENT_TERMINATED,
                               CUDA_ERROR_EXTERNAL_DEVICE,
                               CUDA_ERROR_UNKNOWN};
  for (const CUresult s : kSticky) {
    if (s == r) return true;
  }
  return false;
}

void raise(const Driver& d, CUresult r, const char* what) {
  if (r == CUDA_ERROR_OUT_OF_MEMORY)
    throw Error(ErrorCode::out_of_memory, what, "the device has no memory left", "Use a smaller batch or shape.");
  if (is_sticky(r))
    throw Error(ErrorCode::device_lost, what, fmt::format("a kernel broke the CUDA context: {}", describe(d, r)),
                "Run the model under compute-sanitizer to find the kernel.");
  throw Error(ErrorCode::failed, what, describe(d, r));
}

}  // namespace strobe::cuda
