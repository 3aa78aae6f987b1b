// SPDX-License-Identifier: Apache-2.0
// Requests of a session while torch tells of every operator that the caller's thread runs. Operators within operators
// belong to the outermost: "conv2d", not what it is made of.
#pragma once

#include <ATen/record_function.h>
#include <string>
#include <vector>

#include <strobe/workload.h>

namespace strobe::torch_plugin {

class TorchProfile final : public Profiled, private Workload {
 public:
  // Of the thread that makes it, which must be the one that makes the requests. `optimized`: for inference, which puts
  // operators into the module that torch does not tell of.
  TorchProfile(Workload& session, bool optimized, std::string where);
  ~TorchProfile() override;
  TorchProfile(const TorchProfile&) = delete;
  TorchProfile& operator=(const TorchProfile&) = delete;

  Workload& workload() override { return *this; }
  std::vector<ProfiledRequest> take() override;
  std::string about() const override;

 private:
  void submit(std::size_t request) override;
  Stream& stream() override { return session_.stream(); }
  std::size_t items() const override { return session_.items(); }
  std::size_t input_sets() const override { return session_.input_sets(); }

  static std::unique_ptr<at::ObserverContext> begin_operator(const at::RecordFunction&);
  static void end_operator(const at::RecordFunction&, at::ObserverContext*);
  std::chrono::nanoseconds since_begin() const;

  Workload& session_;
  const bool optimized_;
  const std::string where_;  // its operators run
  at::CallbackHandle handle_;
  std::chrono::steady_clock::time_point begun_;
  std::size_t depth_ = 0;
  std::vector<ProfiledRequest> requests_;
};

}  // namespace strobe::torch_plugin
