// SPDX-License-Identifier: Apache-2.0
#include "host/nvtx.h"

#include <functional>
#include <map>
#include <mutex>
#include <nvtx3/nvToolsExt.h>
#include <string>

namespace strobe::nvtx {
namespace {

// NVTX opens the tool that NVTX_INJECTION64_PATH names at the first call, once for this library; plugins use ours. What
// it gives without a tool is null.
class Domain {
 public:
  Domain() : domain_(nvtxDomainCreateA(kDomain)) {}

  bool watched() const { return domain_ != nullptr; }

  void push(std::string_view name, std::optional<std::uint64_t> number) {
    nvtxEventAttributes_t a{};
    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;  // nsys starts a capture at registered names only
    a.message.registered = registered(name);
    if (number) {
      a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
      a.payload.ullValue = *number;
    }
    nvtxDomainRangePushEx(domain_, &a);
  }

  void pop() { nvtxDomainRangePop(domain_); }

 private:
  nvtxStringHandle_t registered(std::string_view name) {
    const std::lock_guard lock(names_);
    auto known = handles_.find(name);
    if (known == handles_.end()) {
      const std::string copy(name);
      known = handles_.emplace(copy, nvtxDomainRegisterStringA(domain_, copy.c_str())).first;
    }
    return known->second;
  }

  const nvtxDomainHandle_t domain_;
  std::mutex names_;
  std::map<std::string, nvtxStringHandle_t, std::less<>> handles_;
};

// A tool watches the process, so there is one for the process.
Domain& domain() {
  static Domain d;
  return d;
}

}  // namespace

bool watched() {
  return domain().watched();
}

void push(std::string_view name, std::optional<std::uint64_t> number) {
  domain().push(name, number);
}

void pop() {
  domain().pop();
}

}  // namespace strobe::nvtx
