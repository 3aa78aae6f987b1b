// SPDX-License-Identifier: Apache-2.0
// NVIDIA's CUPTI, found at run time and never linked: a table of its functions, and why there is none. Declared by
// hand, because its headers come in a package that nothing else needs. What is done with it is elsewhere
// (cupti_session.h); tests fill the table with functions of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::cuda {

enum class CuptiResult : int {
  success = 0,
  max_limit_reached = 12,  // of a buffer: there are no more records
  insufficient_privileges = 35,
  several_subscribers = 39,
  virtual_device_privileges = 40,
  confidential_computing = 41,
};

// Kinds of records. What is not here is not asked for.
enum class CuptiKind : std::uint32_t {
  copy = 1,
  set = 2,
  driver_call = 4,
  runtime_call = 5,
  kernel = 10,  // 3 would run kernels one after the other
  overhead = 17,
  peer_copy = 22,
  synchronization = 38,
  internal_launch = 48,
  memory = 49,
};

enum class CuptiDomain : std::uint32_t { driver = 1, runtime = 2 };

struct CuptiActivity;  // a record: its first four bytes are its kind (cupti_records.h)

using CuptiBufferRequested = void (*)(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records);
using CuptiBufferCompleted = void (*)(CUcontext, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                                      std::size_t valid);
using CuptiCallback = void (*)(void* user, CuptiDomain, std::uint32_t number, const void* data);

struct CuptiSubscriberParams {
  std::size_t struct_size = sizeof(CuptiSubscriberParams);
  const char* name = nullptr;
  char* old_name = nullptr;  // who is there already
  std::size_t old_size = 0;
};

struct Cupti {
  CuptiResult (*get_version)(std::uint32_t*) = nullptr;
  CuptiResult (*get_result_string)(CuptiResult, const char**) = nullptr;
  CuptiResult (*get_timestamp)(std::uint64_t*) = nullptr;
  CuptiResult (*register_callbacks)(CuptiBufferRequested, CuptiBufferCompleted) = nullptr;
  CuptiResult (*enable)(CuptiKind) = nullptr;
  CuptiResult (*disable)(CuptiKind) = nullptr;
  CuptiResult (*flush_all)(std::uint32_t flag) = nullptr;
  CuptiResult (*next_record)(std::uint8_t* buffer, std::size_t valid, CuptiActivity**) = nullptr;
  CuptiResult (*dropped_records)(CUcontext, std::uint32_t stream, std::size_t*) = nullptr;
  // May be missing: something is not known then, and nothing else.
  CuptiResult (*set_thread_id_type)(std::uint32_t) = nullptr;
  CuptiResult (*callback_name)(CuptiDomain, std::uint32_t number, const char**) = nullptr;
  CuptiResult (*subscribe)(void** subscriber, CuptiCallback, void* user, CuptiSubscriberParams*) = nullptr;
  CuptiResult (*unsubscribe)(void* subscriber) = nullptr;

  std::uint32_t version = 0;   // 130001 is 13.0 update 1
  std::filesystem::path file;  // empty in tests

  bool usable() const { return why_not.empty(); }
  std::string why_not;  // one sentence's cause
};

// Older ones lack records of waits, or hang when they are flushed.
inline constexpr std::uint32_t kOldestCupti = 130001;

// The one that is loaded already, because two in a process are undefined; else STROBE_CUPTI, what the dynamic linker
// finds, and where NVIDIA's packages and toolkits put it.
Cupti load_cupti();

// Why this version cannot be used; empty: it can.
std::string refuse_cupti_version(std::uint32_t version);

// Folders of NVIDIA's libraries in the Python environments from which something is loaded, by /proc/self/maps.
std::vector<std::filesystem::path> cupti_folders(std::string_view maps);

// Who records this process already; empty: nobody, or it does not tell.
std::string cupti_holder(const Cupti&);

// "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
std::string describe(const Cupti&, CuptiResult);

}  // namespace strobe::cuda
