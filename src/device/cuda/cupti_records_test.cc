// SPDX-License-Identifier: Apache-2.0
// Our declarations of CUPTI's records and functions against NVIDIA's own header. Compiled only where `make torch` has
// brought that.
#include "device/cuda/cupti_records.h"

#include <array>
#include <cstddef>
#include <cupti.h>
#include <type_traits>

#include <gtest/gtest.h>

namespace strobe::cuda {
namespace {

struct Field {
  const char* name;
  std::size_t ours, theirs;            // where it is …
  std::size_t our_bytes, their_bytes;  // … and how large
};

constexpr std::array kFields{
    Field{"KernelRecord.kind", offsetof(KernelRecord, kind), offsetof(CUpti_ActivityKernel10, kind),
          sizeof(KernelRecord::kind), sizeof(CUpti_ActivityKernel10::kind)},
    Field{"KernelRecord.start", offsetof(KernelRecord, start), offsetof(CUpti_ActivityKernel10, start),
          sizeof(KernelRecord::start), sizeof(CUpti_ActivityKernel10::start)},
    Field{"KernelRecord.end", offsetof(KernelRecord, end), offsetof(CUpti_ActivityKernel10, end),
          sizeof(KernelRecord::end), sizeof(CUpti_ActivityKernel10::end)},
    Field{"KernelRecord.device", offsetof(KernelRecord, device), offsetof(CUpti_ActivityKernel10, deviceId),
          sizeof(KernelRecord::device), sizeof(CUpti_ActivityKernel10::deviceId)},
    Field{"KernelRecord.stream", offsetof(KernelRecord, stream), offsetof(CUpti_ActivityKernel10, streamId),
          sizeof(KernelRecord::stream), sizeof(CUpti_ActivityKernel10::streamId)},
    Field{"KernelRecord.correlation", offsetof(KernelRecord, correlation),
          offsetof(CUpti_ActivityKernel10, correlationId), sizeof(KernelRecord::correlation),
          sizeof(CUpti_ActivityKernel10::correlationId)},
    Field{"KernelRecord.name", offsetof(KernelRecord, name), offsetof(CUpti_ActivityKernel10, name),
          sizeof(KernelRecord::name), sizeof(CUpti_ActivityKernel10::name)},
    Field{"KernelRecord.name", offsetof(KernelRecord, name), offsetof(CUpti_ActivityKernel5, name),
          sizeof(KernelRecord::name), sizeof(CUpti_ActivityKernel5::name)},
    Field{"CopyRecord.copy_kind", offsetof(CopyRecord, copy_kind), offsetof(CUpti_ActivityMemcpy6, copyKind),
          sizeof(CopyRecord::copy_kind), sizeof(CUpti_ActivityMemcpy6::copyKind)},
    Field{"CopyRecord.bytes", offsetof(CopyRecord, bytes), offsetof(CUpti_ActivityMemcpy6, bytes),
          sizeof(CopyRecord::bytes), sizeof(CUpti_ActivityMemcpy6::bytes)},
    Field{"CopyRecord.start", offsetof(CopyRecord, start), offsetof(CUpti_ActivityMemcpy6, start),
          sizeof(CopyRecord::start), sizeof(CUpti_ActivityMemcpy6::start)},
    Field{"CopyRecord.end", offsetof(CopyRecord, end), offsetof(CUpti_ActivityMemcpy6, end), sizeof(CopyRecord::end),
          sizeof(CUpti_ActivityMemcpy6::end)},
    Field{"CopyRecord.device", offsetof(CopyRecord, device), offsetof(CUpti_ActivityMemcpy6, deviceId),
          sizeof(CopyRecord::device), sizeof(CUpti_ActivityMemcpy6::deviceId)},
    Field{"CopyRecord.stream", offsetof(CopyRecord, stream), offsetof(CUpti_ActivityMemcpy6, streamId),
          sizeof(CopyRecord::stream), sizeof(CUpti_ActivityMemcpy6::streamId)},
    Field{"CopyRecord.correlation", offsetof(CopyRecord, correlation), offsetof(CUpti_ActivityMemcpy6, correlationId),
          sizeof(CopyRecord::correlation), sizeof(CUpti_ActivityMemcpy6::correlationId)},
    Field{"PeerCopyRecord.copy_kind", offsetof(PeerCopyRecord, copy_kind),
          offsetof(CUpti_ActivityMemcpyPtoP4, copyKind), sizeof(PeerCopyRecord::copy_kind),
          sizeof(CUpti_ActivityMemcpyPtoP4::copyKind)},
    Field{"PeerCopyRecord.bytes", offsetof(PeerCopyRecord, bytes), offsetof(CUpti_ActivityMemcpyPtoP4, bytes),
          sizeof(PeerCopyRecord::bytes), sizeof(CUpti_ActivityMemcpyPtoP4::bytes)},
    Field{"PeerCopyRecord.start", offsetof(PeerCopyRecord, start), offsetof(CUpti_ActivityMemcpyPtoP4, start),
          sizeof(PeerCopyRecord::start), sizeof(CUpti_ActivityMemcpyPtoP4::start)},
    Field{"PeerCopyRecord.end", offsetof(PeerCopyRecord, end), offsetof(CUpti_ActivityMemcpyPtoP4, end),
          sizeof(PeerCopyRecord::end), sizeof(CUpti_ActivityMemcpyPtoP4::end)},
    Field{"PeerCopyRecord.device", offsetof(PeerCopyRecord, device), offsetof(CUpti_ActivityMemcpyPtoP4, deviceId),
          sizeof(PeerCopyRecord::device), sizeof(CUpti_ActivityMemcpyPtoP4::deviceId)},
    Field{"PeerCopyRecord.stream", offsetof(PeerCopyRecord, stream), offsetof(CUpti_ActivityMemcpyPtoP4, streamId),
          sizeof(PeerCopyRecord::stream), sizeof(CUpti_ActivityMemcpyPtoP4::streamId)},
    Field{"PeerCopyRecord.correlation", offsetof(PeerCopyRecord, correlation),
          offsetof(CUpti_ActivityMemcpyPtoP4, correlationId), sizeof(PeerCopyRecord::correlation),
          sizeof(CUpti_ActivityMemcpyPtoP4::correlationId)},
    Field{"SetRecord.bytes", offsetof(SetRecord, bytes), offsetof(CUpti_ActivityMemset4, bytes),
          sizeof(SetRecord::bytes), sizeof(CUpti_ActivityMemset4::bytes)},
    Field{"SetRecord.start", offsetof(SetRecord, start), offsetof(CUpti_ActivityMemset4, start),
          sizeof(SetRecord::start), sizeof(CUpti_ActivityMemset4::start)},
    Field{"SetRecord.end", offsetof(SetRecord, end), offsetof(CUpti_ActivityMemset4, end), sizeof(SetRecord::end),
          sizeof(CUpti_ActivityMemset4::end)},
    Field{"SetRecord.device", offsetof(SetRecord, device), offsetof(CUpti_ActivityMemset4, deviceId),
          sizeof(SetRecord::device), sizeof(CUpti_ActivityMemset4::deviceId)},
    Field{"SetRecord.stream", offsetof(SetRecord, stream), offsetof(CUpti_ActivityMemset4, streamId),
          sizeof(SetRecord::stream), sizeof(CUpti_ActivityMemset4::streamId)},
    Field{"SetRecord.correlation", offsetof(SetRecord, correlation), offsetof(CUpti_ActivityMemset4, correlationId),
          sizeof(SetRecord::correlation), sizeof(CUpti_ActivityMemset4::correlationId)},
    Field{"CallRecord.function", offsetof(CallRecord, function), offsetof(CUpti_ActivityAPI, cbid),
          sizeof(CallRecord::function), sizeof(CUpti_ActivityAPI::cbid)},
    Field{"CallRecord.start", offsetof(CallRecord, start), offsetof(CUpti_ActivityAPI, start),
          sizeof(CallRecord::start), sizeof(CUpti_ActivityAPI::start)},
    Field{"CallRecord.end", offsetof(CallRecord, end), offsetof(CUpti_ActivityAPI, end), sizeof(CallRecord::end),
          sizeof(CUpti_ActivityAPI::end)},
    Field{"CallRecord.thread", offsetof(CallRecord, thread), offsetof(CUpti_ActivityAPI, threadId),
          sizeof(CallRecord::thread), sizeof(CUpti_ActivityAPI::threadId)},
    Field{"CallRecord.correlation", offsetof(CallRecord, correlation), offsetof(CUpti_ActivityAPI, correlationId),
          sizeof(CallRecord::correlation), sizeof(CUpti_ActivityAPI::correlationId)},
    Field{"WaitRecord.type", offsetof(WaitRecord, type), offsetof(CUpti_ActivitySynchronization2, type),
          sizeof(WaitRecord::type), sizeof(CUpti_ActivitySynchronization2::type)},
    Field{"WaitRecord.start", offsetof(WaitRecord, start), offsetof(CUpti_ActivitySynchronization2, start),
          sizeof(WaitRecord::start), sizeof(CUpti_ActivitySynchronization2::start)},
    Field{"WaitRecord.end", offsetof(WaitRecord, end), offsetof(CUpti_ActivitySynchronization2, end),
          sizeof(WaitRecord::end), sizeof(CUpti_ActivitySynchronization2::end)},
    Field{"WaitRecord.correlation", offsetof(WaitRecord, correlation),
          offsetof(CUpti_ActivitySynchronization2, correlationId), sizeof(WaitRecord::correlation),
          sizeof(CUpti_ActivitySynchronization2::correlationId)},
    Field{"WaitRecord.stream", offsetof(WaitRecord, stream), offsetof(CUpti_ActivitySynchronization2, streamId),
          sizeof(WaitRecord::stream), sizeof(CUpti_ActivitySynchronization2::streamId)},
    Field{"CuptiSubscriberParams.name", offsetof(CuptiSubscriberParams, name),
          offsetof(CUpti_SubscriberParams, subscriberName), sizeof(CuptiSubscriberParams::name),
          sizeof(CUpti_SubscriberParams::subscriberName)},
    Field{"CuptiSubscriberParams.old_name", offsetof(CuptiSubscriberParams, old_name),
          offsetof(CUpti_SubscriberParams, oldSubscriberName), sizeof(CuptiSubscriberParams::old_name),
          sizeof(CUpti_SubscriberParams::oldSubscriberName)},
    Field{"CuptiSubscriberParams.old_size", offsetof(CuptiSubscriberParams, old_size),
          offsetof(CUpti_SubscriberParams, oldSubscriberSize), sizeof(CuptiSubscriberParams::old_size),
          sizeof(CUpti_SubscriberParams::oldSubscriberSize)},
};

TEST(CuptiRecords, HaveTheirFieldsWhereNvidiasHeaderHasThem) {
  for (const Field& f : kFields) {
    EXPECT_EQ(f.ours, f.theirs) << f.name;
    EXPECT_EQ(f.our_bytes, f.their_bytes) << f.name;
  }
}

template <class Ours, class Theirs>
constexpr bool same(Ours ours, Theirs theirs) {
  return static_cast<std::uint32_t>(ours) == static_cast<std::uint32_t>(theirs);
}

static_assert(same(CuptiKind::copy, CUPTI_ACTIVITY_KIND_MEMCPY));
static_assert(same(CuptiKind::set, CUPTI_ACTIVITY_KIND_MEMSET));
static_assert(same(CuptiKind::driver_call, CUPTI_ACTIVITY_KIND_DRIVER));
static_assert(same(CuptiKind::runtime_call, CUPTI_ACTIVITY_KIND_RUNTIME));
static_assert(same(CuptiKind::kernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
static_assert(same(CuptiKind::overhead, CUPTI_ACTIVITY_KIND_OVERHEAD));
static_assert(same(CuptiKind::peer_copy, CUPTI_ACTIVITY_KIND_MEMCPY2));
static_assert(same(CuptiKind::synchronization, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION));
static_assert(same(CuptiKind::internal_launch, CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API));
static_assert(same(CuptiKind::memory, CUPTI_ACTIVITY_KIND_MEMORY2));
static_assert(same(CuptiWait::stream_for_event, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT));
static_assert(same(CuptiDomain::driver, CUPTI_CB_DOMAIN_DRIVER_API));
static_assert(same(CuptiDomain::runtime, CUPTI_CB_DOMAIN_RUNTIME_API));
static_assert(same(CuptiResult::max_limit_reached, CUPTI_ERROR_MAX_LIMIT_REACHED));
static_assert(same(CuptiResult::insufficient_privileges, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES));
static_assert(same(CuptiResult::several_subscribers, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED));
static_assert(same(CuptiResult::virtual_device_privileges, CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES));
static_assert(same(CuptiResult::confidential_computing, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED));

// Handles and enumerations are pointers and numbers of the same width: what is left of a signature is how many.
template <class... Ours>
constexpr std::size_t arguments(CuptiResult (*)(Ours...)) {
  return sizeof...(Ours);
}
template <class... Theirs>
constexpr std::size_t arguments_there(CUptiResult (*)(Theirs...)) {
  return sizeof...(Theirs);
}
static_assert(arguments(decltype(Cupti::get_timestamp){}) == arguments_there(decltype(&cuptiGetTimestamp){}));
static_assert(arguments(decltype(Cupti::register_callbacks){}) ==
              arguments_there(decltype(&cuptiActivityRegisterCallbacks){}));
static_assert(arguments(decltype(Cupti::enable){}) == arguments_there(decltype(&cuptiActivityEnable){}));
static_assert(arguments(decltype(Cupti::disable){}) == arguments_there(decltype(&cuptiActivityDisable){}));
static_assert(arguments(decltype(Cupti::flush_all){}) == arguments_there(decltype(&cuptiActivityFlushAll){}));
static_assert(arguments(decltype(Cupti::next_record){}) == arguments_there(decltype(&cuptiActivityGetNextRecord){}));
static_assert(arguments(decltype(Cupti::dropped_records){}) ==
              arguments_there(decltype(&cuptiActivityGetNumDroppedRecords){}));
static_assert(arguments(decltype(Cupti::set_thread_id_type){}) == arguments_there(decltype(&cuptiSetThreadIdType){}));
static_assert(arguments(decltype(Cupti::callback_name){}) == arguments_there(decltype(&cuptiGetCallbackName){}));
static_assert(arguments(decltype(Cupti::subscribe){}) == arguments_there(decltype(&cuptiSubscribe_v2){}));
static_assert(arguments(decltype(Cupti::unsubscribe){}) == arguments_there(decltype(&cuptiUnsubscribe){}));
static_assert(std::is_same_v<std::remove_pointer_t<CuptiBufferRequested>,
                             std::remove_pointer_t<CUpti_BuffersCallbackRequestFunc>>);
static_assert(std::is_same_v<std::remove_pointer_t<CuptiBufferCompleted>,
                             std::remove_pointer_t<CUpti_BuffersCallbackCompleteFunc>>);

}  // namespace
}  // namespace strobe::cuda
