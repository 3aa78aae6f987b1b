// SPDX-License-Identifier: Apache-2.0
// The requests of a session in another form, as a graph or with tensors on the host: on the same stream, with the same
// batch and input sets. The session outlives it.
#pragma once

#include <strobe/workload.h>

namespace strobe {

class SessionForm : public Session {
 public:
  explicit SessionForm(Session& session) : session_(session) {}

  Stream& stream() final { return session_.stream(); }
  std::size_t items() const final { return session_.items(); }
  std::size_t input_sets() const final { return session_.input_sets(); }
  std::optional<std::uint64_t> input_bytes() const final { return session_.input_bytes(); }
  ModelInfo info() const final { return session_.info(); }

 private:
  Session& session_;
};

}  // namespace strobe
