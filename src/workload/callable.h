// SPDX-License-Identifier: Apache-2.0
// A user's function as a workload: all that is known of it is that calling it is one request.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include <strobe/workload.h>

namespace strobe {

class Callable final : public Workload {
 public:
  Callable(std::function<void()> function, std::unique_ptr<Stream> stream, std::size_t items)
      : function_(std::move(function)), stream_(std::move(stream)), items_(items) {}

  void submit(std::size_t) override { function_(); }
  Stream& stream() override { return *stream_; }
  std::size_t items() const override { return items_; }

 private:
  std::function<void()> function_;
  std::unique_ptr<Stream> stream_;
  std::size_t items_;
};

}  // namespace strobe
