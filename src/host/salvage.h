// What can be saved of a measurement whose thread is stuck in a request. The thread that measures says how a record of
// what there is would be made; another one asks for it, at most once, and ends the process afterwards.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include <strobe/record.h>

namespace strobe {

class Salvage {
 public:
  using Make = std::function<std::optional<Record>()>;

  // While it lives, `make` may be called from another thread. Its end waits for such a call: for ever, as the process
  // then ends. Nothing happens where there is no Salvage.
  class Offer {
   public:
    Offer(Salvage*, Make);
    ~Offer();
    Offer(const Offer&) = delete;
    Offer& operator=(const Offer&) = delete;

   private:
    Salvage* to_;
    Make before_;
  };

  std::optional<Record> take();

 private:
  std::mutex mutex_;
  Make make_;
};

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

  // For the other thread. Empty when the owner does not let go in time: it is not waiting for a request.
  std::unique_lock<std::timed_mutex> take(std::chrono::nanoseconds patience = std::chrono::seconds(5)) {
    return {mutex_, patience};
  }

 private:
  std::timed_mutex mutex_;
  std::unique_lock<std::timed_mutex> lock_;
};

}  // namespace strobe
