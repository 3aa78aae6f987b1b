#include "host/salvage.h"

#include <utility>

namespace strobe {

Salvage::Offer::Offer(Salvage* to, Make make) : to_(to) {
  if (!to_) return;
  const std::lock_guard lock(to_->mutex_);
  before_ = std::exchange(to_->make_, std::move(make));
}

Salvage::Offer::~Offer() {
  if (!to_) return;
  const std::lock_guard lock(to_->mutex_);
  to_->make_ = std::move(before_);
}

std::optional<Record> Salvage::take() {
  const std::lock_guard lock(mutex_);
  return make_ ? make_() : std::nullopt;
}

}  // namespace strobe
