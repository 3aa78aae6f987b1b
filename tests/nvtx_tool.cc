// SPDX-License-Identifier: Apache-2.0
// A tool as NVTX loads one (NVTX_INJECTION64_PATH). It appends every range of the process to the file that
// STROBE_TEST_NVTX_LOG names: "PROCESS THREAD push DOMAIN NAME NUMBER" and "PROCESS THREAD pop DOMAIN", a tab between.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <nvtx3/nvToolsExt.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::mutex lock;

void write(const char* line) {
  static std::FILE* const to = std::fopen(std::getenv("STROBE_TEST_NVTX_LOG"), "a");
  const std::lock_guard held(lock);
  std::fprintf(to, "%d\t%ld\t%s\n", ::getpid(), ::syscall(SYS_gettid), line);
  std::fflush(to);
}

const char* name_of(nvtxDomainHandle_t d) {
  return reinterpret_cast<const char*>(d);
}

nvtxDomainHandle_t NVTX_API create_domain(const char* name) {
  return reinterpret_cast<nvtxDomainHandle_t>(::strdup(name));
}

nvtxStringHandle_t NVTX_API register_string(nvtxDomainHandle_t, const char* text) {
  return reinterpret_cast<nvtxStringHandle_t>(::strdup(text));
}

int NVTX_API push(nvtxDomainHandle_t d, const nvtxEventAttributes_t* a) {
  const bool registered = a->messageType == NVTX_MESSAGE_TYPE_REGISTERED;
  const char* name = registered ? reinterpret_cast<const char*>(a->message.registered) : "(not registered)";
  char number[32] = "-", line[256];
  if (a->payloadType == NVTX_PAYLOAD_TYPE_UNSIGNED_INT64)
    std::snprintf(number, sizeof number, "%llu", static_cast<unsigned long long>(a->payload.ullValue));
  std::snprintf(line, sizeof line, "push\t%s\t%s\t%s", name_of(d), name, number);
  write(line);
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t d) {
  char line[256];
  std::snprintf(line, sizeof line, "pop\t%s", name_of(d));
  write(line);
  return 0;
}

}  // namespace

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get) {
  const auto* tables = static_cast<const NvtxExportTableCallbacks*>(get(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable functions = nullptr;
  unsigned size = 0;
  if (!tables || !tables->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &functions, &size)) return 0;
  *functions[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(create_domain);
  *functions[NVTX_CBID_CORE2_DomainRegisterStringA] = reinterpret_cast<NvtxFunctionPointer>(register_string);
  *functions[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(push);
  *functions[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}
