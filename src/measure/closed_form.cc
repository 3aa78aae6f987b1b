// SPDX-License-Identifier: Apache-2.0
#include "measure/closed_form.h"

#include <algorithm>
#include <vector>

#include "measure/segment.h"

namespace strobe {
namespace {

// Requests go through all input sets in turn: a cache that drops what was read longest ago has the next one only where
// it has all. What was just copied to the device is there; before the first request nothing is.
bool misses(const SimParameters& p, const Method& m, std::size_t input_sets) {
  if (p.input.count == 0) return false;
  if (m.once) return true;
  const std::size_t room = p.cached_sets(), read = m.same_input ? 1 : input_sets;
  if (m.copies || (m.cold && m.second && read == 1)) return room == 0;
  return m.cold || read > room;
}

// A machine, and requests on it as a method makes them. A request is of equal kernels, the first of which takes `late`
// longer.
struct SimMachine {
  SimMachine(const SimParameters& p, const Method& m, std::size_t input_sets)
      : graph(m.form == Method::Form::graph),
        kernels(p.kernel_count()),
        launch(p.kernel_launch),
        kernel(p.kernels.front().length + (graph ? 0ns : p.pause)),  // as if each kernel took that much longer
        late(misses(p, m, input_sets) ? p.miss : 0ns),
        in(m.copies ? p.copy_in : 0ns),
        out(m.copies ? p.copy_out : 0ns),
        mark(p.mark),
        gpu(p.mark_gpu),
        sync(p.sync),
        flush(m.cold && p.flush > 0ns ? p.flush + p.pause : 0ns),
        room(static_cast<std::int64_t>(p.queue)),
        submit(graph ? launch : kernels * launch),
        own(kernels * kernel + late),
        work(in + own + out) {}

  // When the device is done with n requests back to back whose first launch begins at 0, if it is free from `free` on.
  // Without copies it waits for its earlier work, for the first launch, for that of the last request's first kernel, or
  // for the last of all; with them the same is true of each request.
  nanoseconds done(std::int64_t n, nanoseconds free) const {
    if (!graph && in + out == 0ns)
      return std::max({free + n * own, launch + n * own, (n - 1) * submit + launch + own, n * submit + kernel});
    for (std::int64_t r = 0; r < n; ++r) free = done_with_one(r * submit, free);
    return free;
  }

  // When the host has handed over n requests, the queue being empty at 0: it waits for the launch that is as many
  // before the last one as there is room for, which is one of a device that never stood still. Where kernels are
  // shorter than launches, the wait for the first of that request, which was late, is what decides: from there on the
  // host launches at its own pace.
  nanoseconds returned(std::int64_t n) const {
    const std::int64_t launches = n * (graph ? 1 : kernels), awaited = launches - room;
    if (room == 0 || awaited <= 0) return n * submit;
    if (graph) return std::max(n * submit, launch + awaited * work);
    const std::int64_t first = (awaited - 1) / kernels * kernels + 1;
    return std::max({n * submit, kernel_done(awaited), kernel_done(first) + (awaited - first) * launch});
  }

  bool graph;
  std::int64_t kernels;
  nanoseconds launch, kernel, late, in, out, mark, gpu, sync, flush;
  std::int64_t room;
  nanoseconds submit, own, work;  // of a request: of the host; of the device without its copies, and with them

 private:
  // Of all requests together, on a device that never stands still.
  nanoseconds kernel_done(std::int64_t number) const {
    return launch + number * kernel + (number + kernels - 1) / kernels * late;
  }

  nanoseconds done_with_one(nanoseconds begin, nanoseconds free) const {
    if (in > 0ns) free = std::max(free, begin) + in;
    const nanoseconds begun = std::max(free, begin + launch);
    free = graph ? begun + own : std::max(begun + own, begin + submit + kernel);
    return free + out;
  }
};

// Requests that nobody waits for in front of a block in a full queue.
std::int64_t lead_of(const Method& m) {
  const bool busy = m.queue == Method::Queue::full && m.scope == Method::Scope::block;
  return busy ? static_cast<std::int64_t>(kInFlight) : 0;
}

// A host that never waits hands over. A sample of a round is not counted: the block after one, or the middle request of
// those after one.
nanoseconds handed_over(const SimMachine& a, const Method& m, std::int64_t round) {
  if (m.scope == Method::Scope::block) {
    const std::int64_t before = 2 * lead_of(m) + round;
    return (a.returned(before + round) - a.returned(before)) / round;
  }
  std::vector<nanoseconds> readings;
  for (std::int64_t r = 1; r <= round; ++r) readings.push_back(a.returned(r + 1) - a.returned(r));
  std::sort(readings.begin(), readings.end());
  return readings[readings.size() / 2];
}

nanoseconds by_host(const SimMachine& a, const Method& m, std::int64_t n, std::int64_t round) {
  if (m.wait == Method::Wait::none) return handed_over(a, m, round);
  const std::int64_t lead = lead_of(m);
  const nanoseconds free = lead > 0 ? a.done(lead, 0ns) - lead * a.submit : 0ns, done = a.done(n, free);
  if (m.wait == Method::Wait::event) return (std::max(done, n * a.submit + a.mark) + a.gpu + a.sync) / n;
  return (done + a.sync) / n;
}

// Marks in a queue that need not be empty. 0 is the moment when the first mark of a sample is queued.
struct MarkedSample {
  nanoseconds first{};   // stamped
  nanoseconds second{};  // stamped

  nanoseconds reading() const { return second - first; }
};

MarkedSample sample_from(const SimMachine& a, std::int64_t n, nanoseconds first) {
  return {first, std::max(a.done(n, first), n * a.submit + a.mark) + a.gpu};
}

// The first mark of the next sample, when its host has waited for the oldest request (`waits`), or for nothing.
nanoseconds next_first(const SimMachine& a, std::int64_t n, std::int64_t lead, bool waits, const MarkedSample& s) {
  const nanoseconds handed = n * a.submit + a.mark + (waits ? a.sync : 0ns);
  nanoseconds free = s.second, queued = handed;
  if (a.flush > 0ns) {
    queued += a.launch;
    free = std::max(free, queued) + a.flush;
  }
  if (lead > 0) {
    free = handed + a.done(lead, free - handed);
    queued += lead * a.submit;
  }
  queued += a.mark;
  return std::max(queued, free) + a.gpu - queued;
}

// What is left of the one before grows until nothing but work is between the marks where the device is the slower one;
// otherwise it settles at what one request leaves over.
nanoseconds settled(const SimMachine& a, bool waits) {
  constexpr int kEnough = 1000;
  MarkedSample s = sample_from(a, 1, a.gpu);
  for (int i = 0; i < kEnough; ++i) {
    const MarkedSample next = sample_from(a, 1, next_first(a, 1, 0, waits, s));
    if (next.first == s.first) break;
    s = next;
  }
  return s.reading();
}

nanoseconds by_device(const SimMachine& a, const Method& m, std::int64_t n) {
  const std::int64_t lead = lead_of(m);
  const bool full = m.queue == Method::Queue::full, waits = m.wait != Method::Wait::none;
  if (full && lead == 0) return settled(a, true);
  if (!waits && n == 1 && lead == 0) return settled(a, false);
  const nanoseconds left = lead > 0 ? a.done(lead, 0ns) - lead * a.submit - a.mark : 0ns;
  MarkedSample s = sample_from(a, n, std::max(0ns, left) + a.gpu);
  if (!waits) s = sample_from(a, n, next_first(a, n, lead, false, s));  // the one before it is not counted
  return s.reading() / n;
}

// Before anything else, with all clocks at once: marks, and a wait for the second.
nanoseconds of_first_request(const SimParameters& p, const SimMachine& a, const Method& m) {
  if (m.clock == Method::Clock::host && m.wait == Method::Wait::none) return p.first + a.submit;
  const nanoseconds done = p.first + std::max(a.done(1, a.gpu - p.first), a.submit + a.mark);
  return m.clock == Method::Clock::device ? done : done + a.gpu + a.sync;
}

}  // namespace

nanoseconds closed_form(const SimParameters& p, const Method& m, std::int64_t round, std::size_t input_sets) {
  const SimMachine a(p, m, input_sets);
  const std::int64_t n = m.scope == Method::Scope::block ? round : 1;
  if (m.once) return of_first_request(p, a, m);
  if (m.queue == Method::Queue::gated) return (n * a.work + a.gpu) / n;
  if (m.clock == Method::Clock::device) return by_device(a, m, n);
  const bool period = m.queue == Method::Queue::full && m.scope == Method::Scope::request;
  return period ? std::max(a.submit + a.mark + a.sync, a.work + a.gpu) : by_host(a, m, n, round);
}

std::optional<std::int64_t> requests_until_full(const SimParameters& p, std::size_t input_sets) {
  const SimMachine a(p, {.name = "naive", .wait = Method::Wait::none}, input_sets);
  // By how much the device falls behind the host in a request, and in each kernel but for the first one's wait.
  const nanoseconds behind = a.own - a.submit, each = a.kernel - a.launch;
  if (a.room == 0 || behind <= 0ns) return {};
  // The launch that is awaited is kernel b of request r, counted from 0: r · behind + b · each must exceed this.
  const nanoseconds ahead = (a.room - 1) * a.launch - a.late, most = std::max(each, a.kernels * each);
  const std::int64_t r = ahead < most ? 0 : (ahead - most) / behind + 1;
  const nanoseconds left = ahead - r * behind;
  const std::int64_t b = each > 0ns && left > 0ns ? left / each + 1 : 1;
  return (r * a.kernels + b + a.room - 1) / a.kernels;
}

}  // namespace strobe
