// SPDX-License-Identifier: Apache-2.0
// The NVIDIA driver, found at run time and never linked: one table of functions, filled through the driver's own
// look-up for CUDA 12.0 so that headers of any later version call what they were compiled for. Tests fill the table
// with functions of their own.
#pragma once

#include <cudaTypedefs.h>
#include <string>

#include <strobe/error.h>

namespace strobe::cuda {

// cuProfilerStart and cuProfilerStop: the wheel of the headers has no cudaProfiler.h.
using ProfilerSwitch = CUresult(CUDAAPI*)();

struct Driver {
  PFN_cuInit_v2000 init = nullptr;
  PFN_cuDriverGetVersion_v2020 driver_get_version = nullptr;
  PFN_cuGetErrorName_v6000 get_error_name = nullptr;
  PFN_cuGetErrorString_v6000 get_error_string = nullptr;

  PFN_cuDeviceGetCount_v2000 device_get_count = nullptr;
  PFN_cuDeviceGet_v2000 device_get = nullptr;
  PFN_cuDeviceGetName_v2000 device_get_name = nullptr;
  PFN_cuDeviceGetUuid_v11040 device_get_uuid = nullptr;
  PFN_cuDeviceGetPCIBusId_v4010 device_get_pci_bus_id = nullptr;
  PFN_cuDeviceGetAttribute_v2000 device_get_attribute = nullptr;
  PFN_cuDeviceTotalMem_v3020 device_total_mem = nullptr;

  PFN_cuDevicePrimaryCtxRetain_v7000 primary_retain = nullptr;
  PFN_cuDevicePrimaryCtxRelease_v11000 primary_release = nullptr;
  PFN_cuDevicePrimaryCtxSetFlags_v11000 primary_set_flags = nullptr;
  PFN_cuCtxSetCurrent_v4000 ctx_set_current = nullptr;
  PFN_cuCtxGetCurrent_v4000 ctx_get_current = nullptr;
  PFN_cuCtxGetFlags_v7000 ctx_get_flags = nullptr;
  PFN_cuCtxSynchronize_v2000 ctx_synchronize = nullptr;
  PFN_cuCtxResetPersistingL2Cache_v11000 reset_persisting_l2 = nullptr;
  PFN_cuDevicePrimaryCtxGetState_v7000 primary_get_state = nullptr;  // may be missing
  PFN_cuCtxGetLimit_v3010 ctx_get_limit = nullptr;                   // may be missing

  PFN_cuMemGetInfo_v3020 mem_get_info = nullptr;
  PFN_cuMemAlloc_v3020 mem_alloc = nullptr;
  PFN_cuMemFree_v3020 mem_free = nullptr;
  PFN_cuMemHostAlloc_v2020 mem_host_alloc = nullptr;
  PFN_cuMemFreeHost_v2000 mem_free_host = nullptr;
  PFN_cuMemHostGetDevicePointer_v3020 mem_host_get_device_pointer = nullptr;
  PFN_cuMemcpyAsync_v4000 memcpy_async = nullptr;

  PFN_cuStreamCreate_v2000 stream_create = nullptr;
  PFN_cuStreamDestroy_v4000 stream_destroy = nullptr;
  PFN_cuStreamGetCtx_v9020 stream_get_ctx = nullptr;  // may be missing
  PFN_cuStreamSynchronize_v2000 stream_synchronize = nullptr;
  PFN_cuStreamWaitEvent_v3020 stream_wait_event = nullptr;
  PFN_cuStreamWaitValue32_v11070 stream_wait_value32 = nullptr;
  PFN_cuStreamBeginCapture_v10010 stream_begin_capture = nullptr;
  PFN_cuStreamEndCapture_v10000 stream_end_capture = nullptr;

  PFN_cuEventCreate_v2000 event_create = nullptr;
  PFN_cuEventDestroy_v4000 event_destroy = nullptr;
  PFN_cuEventRecord_v2000 event_record = nullptr;
  PFN_cuEventSynchronize_v2000 event_synchronize = nullptr;
  PFN_cuEventQuery_v2000 event_query = nullptr;
  PFN_cuEventElapsedTime_v2000 event_elapsed_time = nullptr;

  PFN_cuModuleLoadData_v2000 module_load_data = nullptr;
  PFN_cuModuleUnload_v2000 module_unload = nullptr;
  PFN_cuModuleGetFunction_v2000 module_get_function = nullptr;
  PFN_cuLaunchKernel_v4000 launch_kernel = nullptr;

  PFN_cuGraphInstantiateWithFlags_v11040 graph_instantiate = nullptr;
  PFN_cuGraphLaunch_v10000 graph_launch = nullptr;
  PFN_cuGraphUpload_v11010 graph_upload = nullptr;
  PFN_cuGraphExecDestroy_v10000 graph_exec_destroy = nullptr;
  PFN_cuGraphDestroy_v10000 graph_destroy = nullptr;
  PFN_cuGraphGetNodes_v10000 graph_get_nodes = nullptr;         // may be missing
  PFN_cuGraphNodeGetType_v10000 graph_node_get_type = nullptr;  // may be missing

  ProfilerSwitch profiler_start = nullptr, profiler_stop = nullptr;  // may be missing

  int version = 0;  // 13000 for 13.0
};

// Opens libcuda.so.1 and initialises it. Throws Error with one sentence for each way this can fail: no driver, too old,
// no device, none visible.
Driver load_driver();

// The sentences of a driver that does not start, of one of this version, and of a machine that is not ready. `visible`:
// CUDA_VISIBLE_DEVICES, or null.
[[noreturn]] void refuse_init(const Driver&, CUresult, const char* visible);
[[noreturn]] void refuse_version(int version);
[[noreturn]] void refuse_not_ready(const char* what);

// "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"
std::string describe(const Driver&, CUresult);

// Errors after which the context can do nothing any more: only a new process helps.
bool is_sticky(CUresult);

// Out of memory and sticky errors are typed; everything else is `failed`.
[[noreturn]] void raise(const Driver&, CUresult, const char* what);

inline void check(const Driver& driver, CUresult result, const char* what) {
  if (result != CUDA_SUCCESS) raise(driver, result, what);
}

}  // namespace strobe::cuda
