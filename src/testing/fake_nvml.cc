// SPDX-License-Identifier: Apache-2.0
// A library that is taken for NVML: one board, whose functions answer what a test asks for. What outlives a process is
// a line in the file $STROBE_FAKE_NVML_LOG: "lock 1500 1500", "reset". $STROBE_FAKE_NVML is what it refuses: "lock".
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nvml.h>
#include <string>

namespace {

constexpr const char* kUuid = "GPU-01234567-89ab-cdef-0123-456789abcdef";

nvmlDevice_t board() {
  static int it = 0;
  return reinterpret_cast<nvmlDevice_t>(&it);
}

bool refuses(const char* what) {
  const char* said = std::getenv("STROBE_FAKE_NVML");
  return said && std::strstr(said, what);
}

void log(const std::string& line) {
  const char* file = std::getenv("STROBE_FAKE_NVML_LOG");
  if (!file) return;
  std::FILE* f = std::fopen(file, "a");
  if (!f) return;
  std::fprintf(f, "%s\n", line.c_str());
  std::fclose(f);
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

struct nvmlGpmSample_st {
  double at = 0;
};

extern "C" {

nvmlReturn_t nvmlInit_v2() {
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  *device = board();
  return std::strcmp(uuid, kUuid) == 0 ? NVML_SUCCESS : NVML_ERROR_NOT_FOUND;
}
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t, nvmlClockType_t, unsigned* mhz) {
  *mhz = 1980;
  return NVML_SUCCESS;
}

// 100 W, in steps of 100 ms.
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t, unsigned long long* millijoules) {
  if (refuses("energy")) return NVML_ERROR_NOT_SUPPORTED;
  *millijoules = 10'000 * static_cast<unsigned long long>(10 * seconds());
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceSetGpuLockedClocks(nvmlDevice_t, unsigned low, unsigned high) {
  if (refuses("lock")) return NVML_ERROR_NO_PERMISSION;
  log("lock " + std::to_string(low) + " " + std::to_string(high));
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceResetGpuLockedClocks(nvmlDevice_t) {
  log("reset");
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlGpmQueryDeviceSupport(nvmlDevice_t, nvmlGpmSupport_t* support) {
  support->isSupportedDevice = !refuses("gpm");
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlGpmSampleAlloc(nvmlGpmSample_t* sample) {
  *sample = new nvmlGpmSample_st;
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlGpmSampleFree(nvmlGpmSample_t sample) {
  delete sample;
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlGpmSampleGet(nvmlDevice_t, nvmlGpmSample_t sample) {
  if (refuses("sample")) return NVML_ERROR_NO_PERMISSION;
  sample->at = seconds();
  return NVML_SUCCESS;
}
// Of a metric its number in per cent, and of PCIe in MiB/s; the tensor cores are not known.
nvmlReturn_t nvmlGpmMetricsGet(nvmlGpmMetricsGet_t* question) {
  if (question->version != NVML_GPM_METRICS_GET_VERSION || question->sample1->at >= question->sample2->at)
    return NVML_ERROR_INVALID_ARGUMENT;
  for (unsigned i = 0; i < question->numMetrics; ++i) {
    nvmlGpmMetric_t& m = question->metrics[i];
    m.value = m.metricId;
    m.nvmlReturn = m.metricId == NVML_GPM_METRIC_ANY_TENSOR_UTIL ? NVML_ERROR_NOT_SUPPORTED : NVML_SUCCESS;
  }
  return NVML_SUCCESS;
}

}  // extern "C"
