// SPDX-License-Identifier: Apache-2.0
// Several host threads on one simulated device, each with its own time: closed loops that share the device, open loops
// that send by schedule. All times follow from launch cost L, kernel K and period P, to the nanosecond, however the
// machine schedules the threads.
#include <atomic>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"

namespace strobe {
namespace {

using HostWork = std::function<void(SimulatedStream&)>;

// Each piece of work on its own thread with its own stream; the caller waits for all of them.
void run_hosts(SimulatedDevice& device, const std::vector<HostWork>& works) {
  std::vector<std::unique_ptr<SimulatedStream>> streams;
  std::vector<std::unique_ptr<HostThread>> hosts;
  for (std::size_t i = 0; i < works.size(); ++i) {
    streams.push_back(std::make_unique<SimulatedStream>(device));
    streams.back()->reserve(1024);
    hosts.push_back(device.host_thread());
  }
  std::atomic<std::size_t> running = works.size();
  std::vector<std::jthread> threads;
  for (std::size_t i = works.size(); i-- > 0;) {  // the last first: the order of starting must not matter
    threads.emplace_back([&, i] {
      hosts[i]->begin();
      works[i](*streams[i]);
      --running;
      hosts[i].reset();
    });
  }
  while (running > 0) {
    if (!device.virtual_clock().wait_for_others()) device.clock().sleep(1s);
  }
}

// When each of n requests of one kernel is done, handed over without waiting.
HostWork sends(int n, nanoseconds launch, nanoseconds kernel, std::vector<nanoseconds>& done) {
  return [=, &done](SimulatedStream& stream) {
    const Mark zero = stream.mark();
    std::vector<Mark> ends;
    for (int i = 0; i < n; ++i) {
      stream.launch_kernel(launch, kernel);
      ends.push_back(stream.mark());
    }
    stream.synchronize();
    for (const Mark m : ends) done.push_back(stream.between(zero, m));
  };
}

TEST(SeveralHosts, ShareADeviceInTheOrderOfTime) {
  constexpr nanoseconds L = 3us, K = 10us;
  SimulatedDevice device(parse_sim("at_once=1"));
  std::vector<nanoseconds> a, b;
  run_hosts(device, {sends(50, L, K, a), sends(50, L, K, b)});
  for (int i = 0; i < 50; ++i) {  // by turns, because they hand over at equal times
    EXPECT_EQ(a[static_cast<std::size_t>(i)], L + (2 * i + 1) * K);
    EXPECT_EQ(b[static_cast<std::size_t>(i)], L + (2 * i + 2) * K);
  }
}

TEST(SeveralHosts, AreAsManyTimesAsFastUntilTheDeviceIsFull) {
  constexpr nanoseconds L = 10us, K = 4us;
  constexpr int n = 60;
  const auto last = [&](int hosts) {
    SimulatedDevice device(parse_sim("at_once=1"));
    std::vector<std::vector<nanoseconds>> done(static_cast<std::size_t>(hosts));
    std::vector<HostWork> works;
    for (auto& d : done) works.push_back(sends(n, L, K, d));
    run_hosts(device, works);
    nanoseconds latest{};
    for (const auto& d : done) latest = std::max(latest, d.back());
    return latest;
  };
  EXPECT_EQ(last(1), n * L + K);
  EXPECT_EQ(last(2), n * L + 2 * K);  // twice the requests in the same time: n·L is the hosts' own
  EXPECT_EQ(last(3), L + 3 * n * K);  // three would need 12 µs of every 10: the device is never idle after L
  EXPECT_EQ(last(5), L + 5 * n * K);
}

TEST(SeveralHosts, HaveAsManyKernelsAtOnceAsTheDeviceAllows) {
  const auto last = [&](const char* text) {
    SimulatedDevice device(parse_sim(text));
    std::vector<nanoseconds> a, b, c;
    run_hosts(device, {sends(40, 1us, 12us, a), sends(40, 1us, 12us, b), sends(40, 1us, 12us, c)});
    return std::max({a.back(), b.back(), c.back()});
  };
  EXPECT_EQ(last("at_once=1"), 1us + 120 * 12us);
  EXPECT_EQ(last("at_once=2"), 1us + 60 * 12us);
  EXPECT_EQ(last("at_once=3"), 1us + 40 * 12us);
  EXPECT_EQ(last("at_once=0"), 1us + 40 * 12us);  // streams do not wait for each other
}

// Requests sent at i·P, whatever became of those before. Gives how long each waited for the device.
HostWork sends_by_schedule(int n, nanoseconds first, nanoseconds period, nanoseconds kernel,
                           std::vector<nanoseconds>& waited) {
  return [=, &waited](SimulatedStream& stream) {
    Clock& clock = stream.device().clock();
    const Mark zero = stream.mark();
    const nanoseconds begin = clock.now();
    std::vector<Mark> ends;
    for (int i = 0; i < n; ++i) {
      clock.sleep_until(begin + first + i * period);
      stream.launch_kernel(0ns, kernel);
      ends.push_back(stream.mark());
    }
    stream.synchronize();
    for (int i = 0; i < n; ++i)
      waited.push_back(stream.between(zero, ends[static_cast<std::size_t>(i)]) - (first + i * period) - kernel);
  };
}

TEST(OpenLoop, WaitsForNothingBelowCapacity) {
  SimulatedDevice device(parse_sim("at_once=1"));
  std::vector<nanoseconds> a, b;
  // Two hosts, half a period apart: a request every 5 µs that takes 4.
  run_hosts(device, {sends_by_schedule(200, 0us, 10us, 4us, a), sends_by_schedule(200, 5us, 10us, 4us, b)});
  for (const nanoseconds w : a) EXPECT_EQ(w, 0ns);
  for (const nanoseconds w : b) EXPECT_EQ(w, 0ns);
}

TEST(OpenLoop, WaitsForTheRestOfWhatIsBeingDone) {
  SimulatedDevice device(parse_sim("at_once=1"));
  std::vector<nanoseconds> a, b;
  run_hosts(device, {sends_by_schedule(200, 0us, 10us, 4us, a), sends_by_schedule(200, 1us, 10us, 4us, b)});
  for (const nanoseconds w : a) EXPECT_EQ(w, 0ns);
  for (const nanoseconds w : b) EXPECT_EQ(w, 3us);
}

TEST(OpenLoop, WaitsLongerAndLongerAboveCapacity) {
  constexpr nanoseconds P = 10us, K = 13us;
  SimulatedDevice one(parse_sim("at_once=1"));
  std::vector<nanoseconds> alone;
  run_hosts(one, {sends_by_schedule(200, 0us, P, K, alone)});
  for (int i = 0; i < 200; ++i) EXPECT_EQ(alone[static_cast<std::size_t>(i)], i * (K - P));
  SimulatedDevice device(parse_sim("at_once=1"));
  std::vector<nanoseconds> a, b;
  run_hosts(device, {sends_by_schedule(200, 0us, P, 7us, a), sends_by_schedule(200, 5us, P, 7us, b)});
  for (int i = 0; i < 200; ++i) {  // request 2·i or 2·i + 1 of one every 5 µs, each of 7
    EXPECT_EQ(a[static_cast<std::size_t>(i)], 2 * i * 2us);
    EXPECT_EQ(b[static_cast<std::size_t>(i)], (2 * i + 1) * 2us);
  }
}

// A host that looks without waiting sees what is done at its own time, although others are ahead of it.
TEST(SeveralHosts, SeeTheDeviceAtTheirOwnTime) {
  SimulatedDevice device(parse_sim("at_once=1"));
  std::vector<int> seen;
  const auto looks = [&](SimulatedStream& stream) {
    Clock& clock = stream.device().clock();
    stream.launch_kernel(1us, 100us);
    const Mark end = stream.mark();
    for (int i = 0; !stream.reached(end); ++i) {
      seen.push_back(i);
      clock.sleep(10us);
    }
  };
  std::vector<nanoseconds> other;
  run_hosts(device, {looks, sends(100, 1us, 10us, other)});
  EXPECT_EQ(seen.size(), 10u);  // from 1 µs on, every 10 µs, until 101 µs
}

// The device of one host is let go by another: it waits until then, and no watchdog is needed.
TEST(SeveralHosts, WaitForAGateThatAnotherOneOpens) {
  SimulatedDevice device(parse_sim("sync=2us"));
  SimulatedStream held(device);
  held.reserve(8);
  Gate gate = device.hold(held, {});
  nanoseconds done{};
  const auto waits = [&](SimulatedStream&) {
    held.launch_kernel(1us, 10us);
    held.wait(held.mark());
    done = device.clock().now();
  };
  const auto opens = [&](SimulatedStream&) {
    for (int i = 0; i < 100; ++i) device.clock().sleep(1us);
    gate.open();
    device.clock().sleep(1ms);
  };
  run_hosts(device, {waits, opens});
  EXPECT_EQ(done, 100us + 10us + 2us);
  EXPECT_FALSE(gate.tripped());
}

TEST(SeveralHosts, TripAGateThatNobodyOpens) {
  SimulatedDevice device(parse_sim("kernels=1us"));
  SimulatedStream held(device);
  held.reserve(8);
  Gate gate = device.hold(held, {});
  const auto waits = [&](SimulatedStream&) {
    held.launch_kernel(1us, 10us);
    held.synchronize();
  };
  const auto ends = [&](SimulatedStream&) { device.clock().sleep(5us); };
  run_hosts(device, {waits, ends});
  EXPECT_TRUE(gate.tripped());
}

TEST(SeveralHosts, LeaveTheirStarterBehindThem) {
  SimulatedDevice device(parse_sim("kernels=1us"));
  std::vector<nanoseconds> a;
  run_hosts(device, {sends(10, 5us, 1us, a)});
  EXPECT_GE(device.clock().now(), 50us);  // it has waited for them
  const nanoseconds now = device.clock().now();
  device.clock().sleep(3us);
  EXPECT_EQ(device.clock().now(), now + 3us);
}

TEST(SeveralHosts, GoOnWithoutOneThatNeverBegan) {
  SimulatedDevice device(parse_sim("kernels=1us"));
  {
    const auto never = device.host_thread();
  }
  std::vector<nanoseconds> a;
  run_hosts(device, {sends(10, 5us, 1us, a)});
  EXPECT_EQ(a.back(), 51us);
}

}  // namespace
}  // namespace strobe
