// SPDX-License-Identifier: Apache-2.0
// Recording by CUPTI in this process: of everything on its GPUs, from its making until its end. Make it before there is
// a context and before a runtime loads a model: kernels that are loaded earlier are instrumented late, which may take
// seconds. No subscription is taken and no clock of ours registered: some versions lose times with one. One at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "device/cuda/cupti.h"
#include "device/cuda/cupti_buffers.h"
#include "device/tracer.h"

namespace strobe::cuda {

class CuptiSession {
 public:
  // By the library that is found; by none where somebody is known to record already: `attached`.
  static std::shared_ptr<CuptiSession> begin(const std::string& attached);
  explicit CuptiSession(Cupti);
  ~CuptiSession();
  CuptiSession(const CuptiSession&) = delete;
  CuptiSession& operator=(const CuptiSession&) = delete;

  // Why nothing is recorded; empty: it is.
  const std::string& why_not() const { return why_not_; }
  const std::string& held_by() const { return held_by_; }

  // What was recorded so far is void.
  void start();
  // Since the last time, of one device, whose work must be done. Throws Error where clocks cannot be joined.
  trace::Recording take(std::uint32_t device);

 private:
  explicit CuptiSession(std::string held_by);
  void enable_kinds();
  void refuse(CuptiResult, const char* what);
  std::vector<CuptiBuffers::Full> flush();
  std::size_t dropped() const;
  trace::ClockReading read_clock() const;

  Cupti cupti_;
  CuptiBuffers buffers_;
  std::string why_not_, held_by_;
  std::vector<CuptiKind> enabled_;
  trace::ClockReading begin_;
};

}  // namespace strobe::cuda
