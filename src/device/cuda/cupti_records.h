// SPDX-License-Identifier: Apache-2.0
// The begins of CUPTI's records, as far as Strobe reads them. NVIDIA packs them and appends new fields only: these
// offsets are the same from CUDA 11 to 13 (kernels from version 5 of their record on, whose graph node is not read).
// cupti_records_test.cc holds them against NVIDIA's own header where there is one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/cuda/cupti.h"

namespace strobe::cuda {

#pragma pack(push, 1)

struct KernelRecord {
  CuptiKind kind;
  std::uint32_t caches_and_registers;
  std::uint32_t partitions[2];
  std::uint64_t start, end, completed;
  std::uint32_t device, context, stream;
  std::int32_t grid[3], block[3];
  std::int32_t static_shared, dynamic_shared;
  std::uint32_t local_memory[2];
  std::uint32_t correlation;
  std::int64_t grid_id;
  const char* name;
};

struct CopyRecord {
  CuptiKind kind;
  std::uint8_t copy_kind, from, to, flags;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream, correlation;
};

struct PeerCopyRecord {
  CuptiKind kind;
  std::uint8_t copy_kind, from, to, flags;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream;
  std::uint32_t devices_and_contexts[4];
  std::uint32_t correlation;
};

struct SetRecord {
  CuptiKind kind;
  std::uint32_t value;
  std::uint64_t bytes, start, end;
  std::uint32_t device, context, stream, correlation;
};

// Of the driver's, the runtime's and internal calls.
struct CallRecord {
  CuptiKind kind;
  std::uint32_t function;
  std::uint64_t start, end;
  std::uint32_t process, thread, correlation, result;
};

enum class CuptiWait : std::uint32_t { unknown = 0, event = 1, stream_for_event = 2, stream = 3, context = 4 };

struct WaitRecord {
  CuptiKind kind;
  CuptiWait type;
  std::uint64_t start, end;
  std::uint32_t correlation, context, stream, event;
};

#pragma pack(pop)

inline const CuptiKind& kind_of(const CuptiActivity* a) {
  return *reinterpret_cast<const CuptiKind*>(a);
}

template <class Record>
const Record& as(const CuptiActivity* a) {
  return *reinterpret_cast<const Record*>(a);
}

}  // namespace strobe::cuda
