// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/torch_memory.h"

#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace strobe::torch_plugin {
namespace {

// Operators of this thread, the outermost first: torch calls functions without a closure.
thread_local std::vector<std::string> running;

std::unique_ptr<at::ObserverContext> enter_operator(const at::RecordFunction& f) {
  constexpr std::string_view kPrefix = "aten::";
  const std::string_view name = f.name();
  running.emplace_back(name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name);
  return nullptr;
}

void leave_operator(const at::RecordFunction&, at::ObserverContext*) {
  if (!running.empty()) running.pop_back();
}

}  // namespace

class TorchMemory::Listener final : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void* block, int64_t bytes, std::size_t, std::size_t, c10::Device device) override {
    if (!device.is_cpu() || bytes == 0) return;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    if (bytes > 0) {
      live_[block] = ++blocks_;
      events.push_back({now, blocks_, bytes, cause, running.empty() ? std::string() : running.front()});
    } else if (const auto it = live_.find(block); it != live_.end()) {
      events.push_back({now, it->second, bytes, {}, {}});
      live_.erase(it);
    }
  }
  bool memoryProfilingEnabled() const override { return true; }

  const char* cause = "load";
  std::vector<AllocationEvent> events;

 private:
  std::map<void*, std::uint64_t> live_;
  std::uint64_t blocks_ = 0;
};

TorchMemory::TorchMemory()
    : listener_(std::make_shared<Listener>()),
      guard_(c10::DebugInfoKind::PROFILER_STATE, listener_),
      operators_(at::addThreadLocalCallback(
          at::RecordFunctionCallback(&enter_operator, &leave_operator).scopes({at::RecordScope::FUNCTION}))) {
  running.clear();
}

TorchMemory::~TorchMemory() {
  at::removeCallback(operators_);
}

void TorchMemory::set_cause(const char* cause) {
  listener_->cause = cause;
}

const std::vector<AllocationEvent>& TorchMemory::events() const {
  return listener_->events;
}

}  // namespace strobe::torch_plugin
