// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_stream.h"

#include "device/cuda/cuda_device.h"

namespace strobe::cuda {

CudaStream::CudaStream(CudaDevice& device, CUstream stream, bool owned)
    : device_(device), driver_(device.driver()), stream_(stream), owned_(owned) {
  reserve(1);
}

// Errors are ignored: after a sticky one every call fails, and there is nobody left to tell.
CudaStream::~CudaStream() {
  driver_.stream_synchronize(stream_);
  for (const CUevent e : events_) driver_.event_destroy(e);
  if (owned_) driver_.stream_destroy(stream_);
}

Device& CudaStream::device() const {
  return device_;
}

// A ring that has been larger stays so: making events takes longer than a segment's first samples.
void CudaStream::reserve(std::size_t marks) {
  while (events_.size() < marks) {
    CUevent e = nullptr;
    check(driver_, driver_.event_create(&e, CU_EVENT_DEFAULT), "cannot create an event");
    events_.push_back(e);
  }
}

Mark CudaStream::mark() {
  const Mark m{next_};
  check(driver_, driver_.event_record(events_[next_], stream_), "cannot record an event");
  next_ = next_ + 1 == events_.size() ? 0 : next_ + 1;
  return m;
}

void CudaStream::wait(Mark m) {
  check(driver_, driver_.event_synchronize(events_[m.slot]), "the device failed");
}

bool CudaStream::reached(Mark m) {
  const CUresult r = driver_.event_query(events_[m.slot]);
  if (r == CUDA_ERROR_NOT_READY) return false;
  check(driver_, r, "the device failed");
  return true;
}

void CudaStream::after(const Stream& other, Mark m) {
  const CUevent e = dynamic_cast<const CudaStream&>(other).events_[m.slot];
  check(driver_, driver_.stream_wait_event(stream_, e, CU_EVENT_WAIT_DEFAULT), "cannot wait for another stream");
}

void CudaStream::synchronize() {
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
  const CUresult r = driver_.event_elapsed_time(&ms, events_[first.slot], events_[second.slot]);
  if (r == CUDA_ERROR_NOT_READY)
    throw Error(ErrorCode::invalid_method, "cannot read a mark", "the device has not reached it yet",
                "Wait for it first.");
  check(driver_, r, "cannot read an event");
  return to_nanoseconds(static_cast<double>(ms) * 1e6);
}

}  // namespace strobe::cuda
