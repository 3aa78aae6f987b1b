// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_stream.h"

#include "device/cuda/cuda_device.h"
#include "device/host_lock.h"

namespace strobe::cuda {
namespace {

constexpr std::uint32_t kEnd = std::uint32_t{1} << 31;  // of a mark's slot: it is in the ring of ends

}  // namespace

CudaStream::CudaStream(CudaDevice& device, CUstream stream, bool owned)
    : device_(device), driver_(device.driver()), stream_(stream), owned_(owned) {
  grow(marks_, 1);
  grow(ends_, 1);
}

// Errors are ignored: after a sticky one every call fails, and there is nobody left to tell.
CudaStream::~CudaStream() {
  driver_.stream_synchronize(stream_);
  for (const Ring* ring : {&marks_, &ends_}) {
    for (const CUevent e : ring->events) driver_.event_destroy(e);
  }
  if (owned_) driver_.stream_destroy(stream_);
}

Device& CudaStream::device() const {
  return device_;
}

// A ring that has been larger stays so: making events takes longer than a segment's first samples.
void CudaStream::grow(Ring& ring, std::size_t events) const {
  while (ring.events.size() < events) {
    CUevent e = nullptr;
    check(driver_, driver_.event_create(&e, ring.flags), "cannot create an event");
    ring.events.push_back(e);
  }
}

std::uint32_t CudaStream::record(Ring& ring) const {
  const std::uint32_t slot = ring.next;
  check(driver_, driver_.event_record(ring.events[slot], stream_), "cannot record an event");
  ring.next = slot + 1 == ring.events.size() ? 0 : slot + 1;
  return slot;
}

CUevent CudaStream::event(Mark m) const {
  return m.slot & kEnd ? ends_.events[m.slot & ~kEnd] : marks_.events[m.slot];
}

void CudaStream::reserve(std::size_t marks) {
  grow(marks_, marks);
}

void CudaStream::reserve_ends(std::size_t ends) {
  grow(ends_, ends);
}

Mark CudaStream::mark() {
  return {record(marks_)};
}

Mark CudaStream::end() {
  return {record(ends_) | kEnd};
}

void CudaStream::wait(Mark m) {
  give_host_lock();
  check(driver_, driver_.event_synchronize(event(m)), "the device failed");
}

bool CudaStream::reached(Mark m) {
  const CUresult r = driver_.event_query(event(m));
  if (r == CUDA_ERROR_NOT_READY) return false;
  check(driver_, r, "the device failed");
  return true;
}

void CudaStream::after(const Stream& other, Mark m) {
  const CUevent e = dynamic_cast<const CudaStream&>(other).event(m);
  check(driver_, driver_.stream_wait_event(stream_, e, CU_EVENT_WAIT_DEFAULT), "cannot wait for another stream");
}

void CudaStream::synchronize() {
  give_host_lock();
  check(driver_, driver_.stream_synchronize(stream_), "the device failed");
}

void CudaStream::copy(std::span<std::byte> to, std::span<const std::byte> from) {
  check(driver_,
        driver_.memcpy_async(reinterpret_cast<CUdeviceptr>(to.data()), reinterpret_cast<CUdeviceptr>(from.data()),
                             from.size(), stream_),
        "cannot copy");
}

nanoseconds CudaStream::between(Mark first, Mark second) {
  float ms = 0;
  const CUresult r = driver_.event_elapsed_time(&ms, event(first), event(second));
  if (r == CUDA_ERROR_NOT_READY)
    throw Error(ErrorCode::invalid_method, "cannot read a mark", "the device has not reached it yet",
                "Wait for it first.");
  check(driver_, r, "cannot read an event");
  return to_nanoseconds(static_cast<double>(ms) * 1e6);
}

}  // namespace strobe::cuda
