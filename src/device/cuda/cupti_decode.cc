// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cupti_decode.h"

#include <array>
#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "device/cuda/cupti_records.h"

namespace strobe::cuda {
namespace {

using trace::DeviceWork;
using trace::HostCall;

nanoseconds ns(std::uint64_t t) {
  return nanoseconds(static_cast<std::int64_t>(t));
}

Interval interval(std::uint64_t start, std::uint64_t end) {
  return {ns(start), ns(end)};
}

// By CUPTI's numbers of kinds of copies.
std::string copy_name(std::uint8_t kind) {
  constexpr std::array kNames{"copy",        "copy to device", "copy to host",  "copy to array",  "copy from array",
                              "copy array",  "copy array",     "copy to array", "copy on device", "copy on host",
                              "copy to peer"};
  return kind < kNames.size() ? kNames[kind] : kNames[0];
}

struct FreeText {
  void operator()(char* p) const { std::free(p); }
};

class Decoder {
 public:
  Decoder(const Cupti& cupti, std::uint32_t device, trace::Recording& into)
      : cupti_(cupti), device_(device), into_(into) {}

  void add(const CuptiActivity* a) {
    switch (kind_of(a)) {
      case CuptiKind::kernel:
        return add_kernel(as<KernelRecord>(a));
      case CuptiKind::copy:
        return add_copy(as<CopyRecord>(a));
      case CuptiKind::peer_copy:
        return add_copy(as<PeerCopyRecord>(a));
      case CuptiKind::set:
        return add_set(as<SetRecord>(a));
      case CuptiKind::driver_call:
      case CuptiKind::runtime_call:
      case CuptiKind::internal_launch:
        return calls_.push_back(as<CallRecord>(a));
      case CuptiKind::synchronization:
        return add_wait(as<WaitRecord>(a));
      default:
        return;
    }
  }

  // Records come in no order: which calls matter is known at the end.
  void finish() {
    std::set<std::uint64_t> handed_over;
    for (const trace::RecordedWork& w : into_.work) handed_over.insert(w.number);
    for (const CallRecord& c : calls_) {
      if (!handed_over.contains(c.correlation)) continue;
      into_.calls.push_back({.number = c.correlation,
                             .thread = c.thread,
                             .kind = HostCall::Kind::submit,
                             .name = name_of(c),
                             .when = interval(c.start, c.end)});
    }
  }

 private:
  template <class Record>
  void add_work(const Record& r, DeviceWork::Kind kind, std::string name, std::uint64_t bytes) {
    if (r.device != device_) return;
    into_.work.push_back({r.correlation, r.stream, kind, std::move(name), bytes, interval(r.start, r.end)});
  }

  void add_kernel(const KernelRecord& r) { add_work(r, DeviceWork::Kind::kernel, kernel_name(r.name), 0); }
  template <class Record>
  void add_copy(const Record& r) {
    add_work(r, DeviceWork::Kind::copy, copy_name(r.copy_kind), r.bytes);
  }
  void add_set(const SetRecord& r) { add_work(r, DeviceWork::Kind::copy, "memset", r.bytes); }

  // A stream that waits for an event does not make the host wait.
  void add_wait(const WaitRecord& r) {
    if (r.type == CuptiWait::unknown || r.type == CuptiWait::stream_for_event || r.start == 0) return;
    into_.calls.push_back(
        {.number = r.correlation, .kind = HostCall::Kind::wait, .name = "wait", .when = interval(r.start, r.end)});
  }

  // CUPTI keeps each name once, so its address tells it.
  const std::string& kernel_name(const char* mangled) {
    const auto [name, added] = kernels_.try_emplace(mangled);
    if (added) name->second = readable_kernel(mangled);
    return name->second;
  }

  std::string name_of(const CallRecord& c) const {
    const char* name = nullptr;
    const CuptiDomain domain = c.kind == CuptiKind::runtime_call ? CuptiDomain::runtime : CuptiDomain::driver;
    const bool named = c.kind != CuptiKind::internal_launch && cupti_.callback_name &&
                       cupti_.callback_name(domain, c.function, &name) == CuptiResult::success && name;
    return named ? name : "submit";
  }

  const Cupti& cupti_;
  const std::uint32_t device_;
  trace::Recording& into_;
  std::vector<CallRecord> calls_;
  std::map<const char*, std::string> kernels_;
};

}  // namespace

void decode(const Cupti& cupti, std::span<const CuptiBuffers::Full> buffers, std::uint32_t device,
            trace::Recording& into) {
  Decoder decoder(cupti, device, into);
  for (const CuptiBuffers::Full& b : buffers) {
    CuptiActivity* record = nullptr;
    while (b.valid > 0 && cupti.next_record(b.bytes, b.valid, &record) == CuptiResult::success) decoder.add(record);
  }
  decoder.finish();
}

std::string readable_kernel(const char* mangled) {
  if (!mangled) return "unnamed kernel";
  int status = 0;
  const std::unique_ptr<char, FreeText> text(abi::__cxa_demangle(mangled, nullptr, nullptr, &status));
  if (status != 0 || !text) return mangled;
  std::string_view name = text.get();
  if (constexpr std::string_view kNothing = "void "; name.starts_with(kNothing)) name.remove_prefix(kNothing.size());
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {  // its parameters are at the end, and may have parentheses in them
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (name[i] == '(' && depth == 0) return std::string(name.substr(0, i));
    if (depth == 0) break;
  }
  return std::string(name);
}

}  // namespace strobe::cuda
