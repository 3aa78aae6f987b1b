// SPDX-License-Identifier: Apache-2.0
#include "measure/closed_form.h"

#include <algorithm>

namespace strobe {
namespace {

// When the device is done with n kernels whose first launch begins at 0, if it is free from `free` on: it waits either
// for its earlier work, or for the first launch, or for the last.
nanoseconds finished(std::int64_t n, nanoseconds launch, nanoseconds kernel, nanoseconds free) {
  return std::max({free + n * kernel, launch + n * kernel, n * launch + kernel});
}

// Without a wait a request begins while the device still has `left` of the one before. When the device is the slower
// one that grows until nothing but work is between the marks, N·K + g; otherwise it settles at what one request leaves
// over.
nanoseconds queued(const SimParameters& p) {
  const std::int64_t n = p.kernel_count();
  const nanoseconds kernel = p.kernels.front().length + p.pause;
  if (n * kernel + 2 * p.mark_gpu > n * p.kernel_launch + 2 * p.mark) return n * kernel + p.mark_gpu;
  const nanoseconds left = std::max(0ns, std::max(kernel, p.mark) + p.mark_gpu - 2 * p.mark);
  return std::max(finished(n, p.kernel_launch, kernel, left + p.mark_gpu), n * p.kernel_launch + p.mark) - left;
}

}  // namespace

nanoseconds closed_form(const SimParameters& p, const Method& m, std::int64_t block) {
  const std::int64_t n = p.kernel_count(), requests = m.scope == Method::Scope::block ? block : 1, all = n * requests;
  const nanoseconds pause = m.form == Method::Form::graph ? 0ns : p.pause;  // as if each kernel took that much longer
  const nanoseconds kernel = p.kernels.front().length + pause;
  const nanoseconds launch = p.kernel_launch, mark = p.mark, gpu = p.mark_gpu;
  if (m.queue == Method::Queue::full) return std::max(n * launch + mark + p.sync, n * kernel + gpu);
  if (m.queue == Method::Queue::gated) return n * kernel + gpu;
  if (m.form == Method::Form::graph) return std::max(std::max(gpu, launch) + n * kernel, launch + mark);
  if (m.clock == Method::Clock::device) {
    if (m.wait == Method::Wait::none) return queued(p);
    return std::max(finished(all, launch, kernel, gpu), all * launch + mark) / requests;
  }
  const nanoseconds in = m.copies ? p.copy_in : 0ns, out = m.copies ? p.copy_out : 0ns;
  switch (m.wait) {
    case Method::Wait::none:
      return n * launch;
    case Method::Wait::event:
      return std::max(finished(all, launch, kernel, in), all * launch + mark) + gpu + p.sync;
    case Method::Wait::stream:
    case Method::Wait::device:
      break;
  }
  return (finished(all, launch, kernel, in) + out + p.sync) / requests;
}

}  // namespace strobe
