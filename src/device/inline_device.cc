// SPDX-License-Identifier: Apache-2.0
#include "device/inline_device.h"

#include <cstring>
#include <new>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "host/rapl.h"

namespace strobe {
namespace {

constexpr std::align_val_t kAlignment{64};  // a cache line: what vector units and runtimes like best

class InlineStream final : public Stream {
 public:
  explicit InlineStream(InlineDevice& device) : device_(device), marks_(1) {}

  Device& device() const override { return device_; }
  void reserve(std::size_t marks) override {
    marks_.assign(marks ? marks : 1, 0ns);
    next_ = 0;
  }
  Mark mark() override {
    const Mark m{next_};
    marks_[next_] = device_.clock().now();
    next_ = next_ + 1 == marks_.size() ? 0 : next_ + 1;
    return m;
  }
  void wait(Mark) override {}
  bool reached(Mark) override { return true; }
  void after(const Stream&, Mark) override {}
  void synchronize() override {}
  void copy(std::span<std::byte> to, std::span<const std::byte> from) override {
    std::memcpy(to.data(), from.data(), from.size());
  }
  nanoseconds between(Mark first, Mark second) override { return marks_[second.slot] - marks_[first.slot]; }
  void* native() const override { return nullptr; }

 private:
  InlineDevice& device_;
  std::vector<nanoseconds> marks_;
  std::uint32_t next_ = 0;
};

class CpuEnergy final : public EnergyCounter {
 public:
  explicit CpuEnergy(Rapl rapl) : rapl_(std::move(rapl)) {}
  std::string source() const override { return "RAPL"; }
  std::string scope() const override { return rapl_.scope(); }
  double joules() override { return rapl_.joules(); }

 private:
  Rapl rapl_;
};

constexpr const char* kInline = "on the CPU the work is done when submit returns";

}  // namespace

Capabilities InlineDevice::can() const {
  return {.asynchronous = {kInline}, .gate = {kInline}, .flush = {"the CPU's caches are not flushed by this version"}};
}

DeviceInfo InlineDevice::info() const {
  return {.kind = kind_, .name = name_, .asynchronous = false, .facts = {}, .calibration = {}};
}

std::unique_ptr<Stream> InlineDevice::stream() {
  return std::make_unique<InlineStream>(*this);
}

std::unique_ptr<Stream> InlineDevice::adopt(void* native) {
  if (native)
    throw Error(ErrorCode::usage, "cannot use that stream on the CPU", "the CPU has no streams",
                "Name the device the stream belongs to.");
  return stream();
}

Gate InlineDevice::hold(Stream&, const GateOptions&) {
  throw Error(ErrorCode::unsupported, "cannot hold work back on the CPU", kInline);
}

// Of a device that a runtime reaches by itself, the CPU's counters would say nothing.
EnergySource InlineDevice::energy() {
  if (kind_ != "cpu") return Device::energy();
  EnergySource source;
  if (auto rapl = Rapl::open(source.why_not)) source.counter = std::make_unique<CpuEnergy>(*std::move(rapl));
  return source;
}

void InlineDevice::flush_cache(Stream&) {
  throw Error(ErrorCode::unsupported, "cannot flush the cache", can().flush.why_not);
}

Buffer InlineDevice::buffer(std::size_t bytes, Place) {
  auto* p = static_cast<std::byte*>(::operator new(bytes ? bytes : 1, kAlignment, std::nothrow));
  if (!p) {
    throw Error(ErrorCode::out_of_memory, "cannot allocate a buffer",
                fmt::format("{} of host memory were refused", format_bytes(Bytes{bytes})),
                "Use a smaller batch or shape.");
  }
  return Buffer({p, bytes}, [](std::byte* q) { ::operator delete(q, kAlignment); });
}

}  // namespace strobe
