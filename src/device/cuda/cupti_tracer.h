// SPDX-License-Identifier: Apache-2.0
// A GPU's tracer: what CUPTI recorded of one device.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "device/cuda/cupti_session.h"
#include "device/device.h"

namespace strobe::cuda {

class CuptiTracer final : public Tracer {
 public:
  CuptiTracer(Device& device, std::uint32_t number, std::shared_ptr<CuptiSession> session)
      : device_(device), number_(number), session_(std::move(session)) {
    device_.synchronize();
    session_->start();
  }

  trace::Recording take() override {
    device_.synchronize();
    return session_->take(number_);
  }

 private:
  Device& device_;
  const std::uint32_t number_;
  std::shared_ptr<CuptiSession> session_;
};

}  // namespace strobe::cuda
