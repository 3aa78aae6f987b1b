// SPDX-License-Identifier: Apache-2.0
// What can be saved of a measurement whose thread is stuck in a request. The thread that measures says how a record of
// what there is would be made; another one asks for it, at most once, and ends the process afterwards.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include <strobe/record.h>

namespace strobe {

// What one thread offers and another one may take. A Result that is empty is nothing.
template <class Result>
class Remains {
 public:
  using Give = std::function<Result()>;

  // While it lives, `give` may be called from another thread. Its end waits for such a call: for ever, as the process
  // then ends. Nothing happens where there is nobody to offer it to.
  class Offer {
   public:
    Offer(Remains* to, Give give) : to_(to) {
      if (!to_) return;
      const std::lock_guard lock(to_->mutex_);
      before_ = std::exchange(to_->give_, std::move(give));
    }
    ~Offer() {
      if (!to_) return;
      const std::lock_guard lock(to_->mutex_);
      to_->give_ = std::move(before_);
    }
    Offer(const Offer&) = delete;
    Offer& operator=(const Offer&) = delete;

   private:
    Remains* to_;
    Give before_;
  };

  Result take() {
    const std::lock_guard lock(mutex_);
    return give_ ? give_() : Result{};
  }

 private:
  std::mutex mutex_;
  Give give_;
};

// A record of what there is.
class Salvage : public Remains<std::optional<Record>> {};

// Held by the thread that measures, but not while it waits for a request: so what it guards is whole whenever another
// thread can have it.
class Held {
 public:
  Held() : lock_(mutex_) {}

  // Lets go while it lives.
  class Away {
   public:
    explicit Away(Held& h) : held_(h) { held_.lock_.unlock(); }
    ~Away() { held_.lock_.lock(); }
    Away(const Away&) = delete;
    Away& operator=(const Away&) = delete;

   private:
    Held& held_;
  };

  // Lets go for as long as `wait` takes.
  template <class Wait>
  auto wait_for(Wait&& wait) {
    const Away away(*this);
    return wait();
  }

  // For the other thread: what `give` finds. Where it finds something the owner never goes on: it would change it.
  template <class Give>
  auto take_for_good(Give&& give) -> decltype(give()) {
    auto lock = take();
    if (!lock) return {};
    auto found = give();
    if (found) lock.release();
    return found;
  }

  // For the other thread. Empty when the owner does not let go in time: it is not waiting for a request.
  std::unique_lock<std::timed_mutex> take(std::chrono::nanoseconds patience = std::chrono::seconds(5)) {
    return {mutex_, patience};
  }

 private:
  std::timed_mutex mutex_;
  std::unique_lock<std::timed_mutex> lock_;
};

}  // namespace strobe
