// SPDX-License-Identifier: Apache-2.0
#include "measure/closed_form.h"

#include <algorithm>

namespace strobe {
namespace {

// Requests of n equal kernels, the first of which takes `late` longer.
struct Work {
  std::int64_t n;
  nanoseconds launch, kernel, late;

  nanoseconds device() const { return n * kernel + late; }
  nanoseconds host() const { return n * launch; }
};

// When the device is done with some requests back to back whose first launch begins at 0, if it is free from `free` on:
// it waits for its earlier work, for the first launch, for that of the last request's first kernel, or for the last of
// all.
nanoseconds finished(const Work& w, std::int64_t requests, nanoseconds free) {
  return std::max({free + requests * w.device(), w.launch + requests * w.device(),
                   (requests - 1) * w.host() + w.launch + w.device(), requests * w.host() + w.kernel});
}

// Without a wait a request begins while the device still has `left` of the one before. When the device is the slower
// one that grows until nothing but work is between the marks; otherwise it settles at what one request leaves over.
nanoseconds queued(const Work& w, nanoseconds mark, nanoseconds gpu) {
  if (w.device() + 2 * gpu > w.host() + 2 * mark) return w.device() + gpu;
  const nanoseconds marked = std::max(finished(w, 1, 0ns), w.host() + mark);
  const nanoseconds left = std::max(0ns, marked + gpu - w.host() - 2 * mark);
  return std::max(finished(w, 1, left + gpu), w.host() + mark) - left;
}

// Requests go through all input sets in turn: a cache that drops what was read longest ago has the next one only where
// it has all. What was just copied to the device is there.
bool misses(const SimParameters& p, const Method& m, std::size_t input_sets) {
  if (p.input.count == 0) return false;
  const std::size_t room = p.cached_sets();
  if (m.copies) return room == 0;
  return m.cold || (m.same_input ? 1 : input_sets) > room;
}

}  // namespace

nanoseconds closed_form(const SimParameters& p, const Method& m, std::int64_t block, std::size_t input_sets) {
  const nanoseconds pause = m.form == Method::Form::graph ? 0ns : p.pause;  // as if each kernel took that much longer
  const Work w{p.kernel_count(), p.kernel_launch, p.kernels.front().length + pause,
               misses(p, m, input_sets) ? p.miss : 0ns};
  const std::int64_t requests = m.scope == Method::Scope::block ? block : 1;
  const nanoseconds mark = p.mark, gpu = p.mark_gpu, launched = requests * w.host();
  if (m.queue == Method::Queue::full) return std::max(w.host() + mark + p.sync, w.device() + gpu);
  if (m.queue == Method::Queue::gated) return w.device() + gpu;
  if (m.form == Method::Form::graph) return std::max(std::max(gpu, w.launch) + w.device(), w.launch + mark);
  if (m.clock == Method::Clock::device) {
    if (m.wait == Method::Wait::none) return queued(w, mark, gpu);
    return std::max(finished(w, requests, gpu), launched + mark) / requests;
  }
  const nanoseconds in = m.copies ? p.copy_in : 0ns, out = m.copies ? p.copy_out : 0ns;
  switch (m.wait) {
    case Method::Wait::none:
      return w.host();
    case Method::Wait::event:
      return std::max(finished(w, requests, in), launched + mark) + gpu + p.sync;
    case Method::Wait::stream:
    case Method::Wait::device:
      break;
  }
  return (finished(w, requests, in) + out + p.sync) / requests;
}

}  // namespace strobe
