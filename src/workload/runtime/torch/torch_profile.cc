// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/torch_profile.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "workload/runtime/torch/operator_name.h"

namespace strobe::torch_plugin {
namespace {

// torch calls functions without a closure, on the thread whose operators they are told of.
thread_local TorchProfile* of_this_thread = nullptr;

// torch does not say to which part of the model an operator belongs: the third conv2d of a request is "conv2d 3".
void number_operators(ProfiledRequest& r) {
  std::map<std::string, std::size_t> seen;
  for (LayerCall& c : r.layers) c.name = fmt::format("{} {}", c.type, ++seen[c.type]);
}

}  // namespace

TorchProfile::TorchProfile(Workload& session, bool optimized, std::string where)
    : session_(session), optimized_(optimized), where_(std::move(where)) {
  of_this_thread = this;
  handle_ = at::addThreadLocalCallback(
      at::RecordFunctionCallback(&begin_operator, &end_operator).scopes({at::RecordScope::FUNCTION}));
}

TorchProfile::~TorchProfile() {
  at::removeCallback(handle_);
  of_this_thread = nullptr;
}

std::string TorchProfile::about() const {
  constexpr const char* kWho = "torch's record functions";
  return optimized_
             ? fmt::format(
                   "{}, which leave out convolutions that were optimised for inference: --no-optimize shows them", kWho)
             : kWho;
}

std::chrono::nanoseconds TorchProfile::since_begin() const {
  return std::chrono::steady_clock::now() - begun_;
}

std::unique_ptr<at::ObserverContext> TorchProfile::begin_operator(const at::RecordFunction& f) {
  TorchProfile* p = of_this_thread;
  if (!p || p->requests_.empty() || p->depth_++ > 0) return nullptr;
  LayerCall& c = p->requests_.back().layers.emplace_back();
  c.type = operator_name(f.name());
  c.where = p->where_;
  c.begin = p->since_begin();
  return nullptr;
}

void TorchProfile::end_operator(const at::RecordFunction&, at::ObserverContext*) {
  TorchProfile* p = of_this_thread;
  if (!p || p->depth_ == 0 || --p->depth_ > 0) return;
  p->requests_.back().layers.back().end = p->since_begin();
}

void TorchProfile::submit(std::size_t request) {
  requests_.emplace_back();
  depth_ = 0;
  begun_ = std::chrono::steady_clock::now();
  session_.submit(request);
  requests_.back().length = since_begin();
  requests_.back().at = begun_.time_since_epoch();
}

std::vector<ProfiledRequest> TorchProfile::take() {
  for (ProfiledRequest& r : requests_) number_operators(r);
  return std::exchange(requests_, {});
}

}  // namespace strobe::torch_plugin
