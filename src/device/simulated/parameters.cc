// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/parameters.h"

#include <array>
#include <functional>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"

namespace strobe {
namespace {

constexpr std::array kScenarios{
    SimScenario{"device-bound",
                "launch=4us,kernels=60x40us,mark=1us,tick=32ns,sync=6us,copy_in=60us,copy_out=5us,noise=0.01,ar=0.5",
                "long kernels: the host is far ahead of the device"},
    SimScenario{"launch-bound",
                "launch=5us,kernels=120x2us,mark=1us,tick=32ns,sync=6us,copy_in=60us,copy_out=5us,noise=0.01,ar=0.5",
                "short kernels: the device waits for the host between them"},
    SimScenario{"cold-start",
                "launch=4us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,first=400ms,warm=1.6:300,noise=0.01,ar=0.5",
                "a slow first request and 300 requests of warming up"},
    SimScenario{"throttling", "launch=4us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,throttle=0.7@3s,noise=0.005",
                "the device lowers its clock after 3 s"},
    SimScenario{"drifting", "launch=4us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,drift=0.01,noise=0.005",
                "every second everything takes 1 % longer"},
    SimScenario{"bimodal", "launch=4us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,modes=1.08@0.3:40,noise=0.005",
                "three of ten requests take 8 % longer, in stretches of about 40"},
    SimScenario{"shifting", "launch=4us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,shift=1.1@4s,noise=0.005",
                "from 4 s on everything takes 10 % longer"},
    SimScenario{"spiky", "launch=4us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,outliers=0.02:5,noise=0.01",
                "two of a hundred requests take five times as long"},
    SimScenario{"bursty", "launch=4us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,bursts=1.5:20:0.02,noise=0.02",
                "now and then about 20 requests take half as long again"},
    SimScenario{"sleepy",
                "launch=4us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,sleep_after=5ms,wake=300us,noise=0.005",
                "after 5 ms without work the device needs 300 µs to wake"},
    SimScenario{"tiny", "launch=2us,kernels=1x3us,mark=1us,mark_gpu=1us,tick=512ns,sync=6us",
                "one kernel of a few ticks of the device's clock"},
    SimScenario{"escaping", "launch=4us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,escape=2ms",
                "more than half of the work is on a stream that no mark watches"},
    SimScenario{"leaking", "launch=30us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,leak=2ms",
                "more than half of the work is on a stream that no gate holds"},
    SimScenario{"hidden-sync", "launch=4us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,hidden_sync=1",
                "the workload waits for its own work: nothing can be queued ahead"},
    SimScenario{"copy-heavy",
                "launch=4us,kernels=20x10us,mark=1us,tick=32ns,sync=6us,copy_in=2ms,copy_out=100us,noise=0.01",
                "moving the inputs takes ten times as long as the work"},
    SimScenario{"cached",
                "launch=4us,kernels=20x10us,mark=1us,tick=32ns,sync=6us,noise=0.005,cache=40MB,input=600kB,miss=30us",
                "a cache that holds 66 input sets: more of them come from memory, which takes 30 µs longer"},
    SimScenario{"powered",
                "launch=4us,kernels=40x30us,mark=1us,tick=32ns,sync=6us,noise=0.005,idle_power=80W,active_power=600W,"
                "energy_step=100ms,energy_read=2.4ms",
                "80 W, and 600 W more while a kernel runs, by a counter that steps every 100 ms"},
    SimScenario{"memory",
                "launch=4us,kernels=10x30us+10x20us+1x50us,mark=1us,tick=32ns,sync=6us,memory=4GiB,segment=2MiB,"
                "weights=44MiB,workspace=32MiB,activations=12MiB,fragments=24MiB,driver=18MiB",
                "weights, a workspace, activations of three layers, fragments, and what the driver takes for itself"},
};

[[noreturn]] void refuse(std::string_view key, std::string_view value, std::string_view form) {
  throw Error(ErrorCode::usage, fmt::format("cannot read '{}={}' of the simulated device", key, value),
              fmt::format("expected {}", form));
}

// The parts of "a:b:c", exactly `n` of them.
std::vector<std::string_view> parts(std::string_view key, std::string_view value, char separator, std::size_t n,
                                    std::string_view form) {
  auto p = split(value, separator);
  if (p.size() != n) refuse(key, value, form);
  return p;
}

double positive(std::string_view text, std::string_view key) {
  const double x = parse_number(text, key);
  if (x <= 0 || x > 1e6)
    throw Error(ErrorCode::usage, fmt::format("cannot read '{}' of the simulated device", key),
                fmt::format("{} is not between 0 and 1e6", text));
  return x;
}

std::vector<KernelRun> parse_kernels(std::string_view key, std::string_view value) {
  std::vector<KernelRun> runs;
  std::int64_t total = 0;
  for (const std::string_view part : split(value, '+')) {
    const std::size_t x = part.find('x');
    const std::int64_t count = x == std::string_view::npos ? 1 : parse_integer(part.substr(0, x), key);
    const nanoseconds length = parse_time(x == std::string_view::npos ? part : part.substr(x + 1), key);
    constexpr std::int64_t kMost = 100'000;
    total = count < 0 || count > kMost ? kMost + 1 : total + count;
    if (total > kMost || length > 1h) refuse(key, value, "at most 100,000 kernels of at most 1h, like 20x1us+2x50us");
    runs.push_back({static_cast<std::uint32_t>(count), length});
  }
  return runs;
}

// "factor@time"
std::pair<double, nanoseconds> parse_step(std::string_view key, std::string_view value) {
  const auto p = parts(key, value, '@', 2, "factor@time, like 1.1@5s");
  return {positive(p[0], key), parse_time(p[1], key)};
}

template <SimEffect SimParameters::* Effect>
void set_effect_noise(SimParameters& p, std::string_view key, std::string_view value) {
  (p.*Effect).noise = parse_share(value, key);
}

template <SimEffect SimParameters::* Effect>
void set_effect_levels(SimParameters& p, std::string_view key, std::string_view value) {
  const auto x = parts(key, value, '@', 2, "factor@share, like 1.036@0.33");
  (p.*Effect).level_factor = positive(x[0], key);
  (p.*Effect).level_share = parse_share(x[1], key);
}

template <double SimParameters::* Member>
void set_power(SimParameters& p, std::string_view key, std::string_view value) {
  if (!value.ends_with('W')) refuse(key, value, "a power, like 80W");
  p.*Member = positive(value.substr(0, value.size() - 1), key);
}

using Setter = void (*)(SimParameters&, std::string_view key, std::string_view value);
struct Key {
  std::string_view name;
  Setter set;
};

template <nanoseconds SimParameters::* Member>
void set_time(SimParameters& p, std::string_view key, std::string_view value) {
  p.*Member = parse_time(value, key);
  if (p.*Member > 1h) refuse(key, value, "at most 1h");
}

template <Bytes SimParameters::* Member>
void set_bytes(SimParameters& p, std::string_view key, std::string_view value) {
  p.*Member = parse_bytes(value, key);
}

const std::array kKeys{
    Key{"kernels", [](SimParameters& p, std::string_view k, std::string_view v) { p.kernels = parse_kernels(k, v); }},
    Key{"launch", set_time<&SimParameters::kernel_launch>},
    Key{"mark", set_time<&SimParameters::mark>},
    Key{"mark_gpu", set_time<&SimParameters::mark_gpu>},
    Key{"tick",
        [](SimParameters& p, std::string_view k, std::string_view v) {
          set_time<&SimParameters::tick>(p, k, v);
          if (p.tick < 1ns) refuse(k, v, "at least 1ns");
        }},
    Key{"sync", set_time<&SimParameters::sync>},
    Key{"copy_in", set_time<&SimParameters::copy_in>},
    Key{"copy_out", set_time<&SimParameters::copy_out>},
    Key{"cache", set_bytes<&SimParameters::cache>},
    Key{"input", set_bytes<&SimParameters::input>},
    Key{"miss", set_time<&SimParameters::miss>},
    Key{"flush", set_time<&SimParameters::flush>},
    Key{"at_once",
        [](SimParameters& p, std::string_view k, std::string_view v) {
          const std::int64_t n = parse_integer(v, k);
          if (n < 0 || n > 1000) refuse(k, v, "at most 1000 kernels");
          p.at_once = static_cast<std::size_t>(n);
        }},
    Key{"first", set_time<&SimParameters::first>},
    Key{"escape", set_time<&SimParameters::escape>},
    Key{"leak", set_time<&SimParameters::leak>},
    Key{"warm",
        [](SimParameters& p, std::string_view k, std::string_view v) {
          const auto x = parts(k, v, ':', 2, "factor:requests, like 1.5:200");
          p.warm = positive(x[0], k);
          p.warm_requests = positive(x[1], k);
        }},
    Key{"noise", [](SimParameters& p, std::string_view k, std::string_view v) { p.noise = parse_share(v, k); }},
    Key{"ar",
        [](SimParameters& p, std::string_view k, std::string_view v) {
          p.ar = parse_number(v, k);
          if (p.ar <= -1 || p.ar >= 1) refuse(k, v, "a correlation between -1 and 1");
        }},
    Key{"outliers",
        [](SimParameters& p, std::string_view k, std::string_view v) {
          const auto x = parts(k, v, ':', 2, "share:factor, like 0.01:3");
          p.outlier_share = parse_share(x[0], k);
          p.outlier_factor = positive(x[1], k);
        }},
    Key{"bursts",
        [](SimParameters& p, std::string_view k, std::string_view v) {
          const auto x = parts(k, v, ':', 3, "factor:length:share, like 1.5:20:0.02");
          p.burst_factor = positive(x[0], k);
          p.burst_length = positive(x[1], k);
          p.burst_share = parse_share(x[2], k);
        }},
    Key{"drift", [](SimParameters& p, std::string_view k, std::string_view v) { p.drift = parse_number(v, k); }},
    Key{"modes",
        [](SimParameters& p, std::string_view k, std::string_view v) {
          const auto x = parts(k, v, '@', 2, "factor@share:dwell, like 1.08@0.3:40");
          const auto y = parts(k, x[1], ':', 2, "factor@share:dwell, like 1.08@0.3:40");
          p.mode_factor = positive(x[0], k);
          p.mode_share = parse_share(y[0], k);
          p.mode_dwell = positive(y[1], k);
        }},
    Key{"shift",
        [](SimParameters& p, std::string_view k, std::string_view v) {
          const auto [factor, at] = parse_step(k, v);
          p.shift_factor = factor;
          p.shift_at = at;
        }},
    Key{"throttle",
        [](SimParameters& p, std::string_view k, std::string_view v) {
          const auto [factor, at] = parse_step(k, v);
          p.throttle = factor;
          p.throttle_at = at;
        }},
    Key{"pause", set_time<&SimParameters::pause>},
    Key{"slow_streams",
        [](SimParameters& p, std::string_view k, std::string_view v) {
          const auto x = parts(k, v, '@', 2, "factor@share, like 1.08@0.5");
          p.slow_stream_factor = positive(x[0], k);
          p.slow_stream_share = parse_share(x[1], k);
        }},
    Key{"sleep_after", set_time<&SimParameters::sleep_after>},
    Key{"wake", set_time<&SimParameters::wake>},
    Key{"idle_power", set_power<&SimParameters::idle_power>},
    Key{"active_power", set_power<&SimParameters::active_power>},
    Key{"energy_step", set_time<&SimParameters::energy_step>},
    Key{"energy_read", set_time<&SimParameters::energy_read>},
    Key{"launch_noise", set_effect_noise<&SimParameters::of_launch>},
    Key{"launch_levels", set_effect_levels<&SimParameters::of_launch>},
    Key{"load_noise", set_effect_noise<&SimParameters::of_load>},
    Key{"load_levels", set_effect_levels<&SimParameters::of_load>},
    Key{"hidden_sync",
        [](SimParameters& p, std::string_view k, std::string_view v) { p.hidden_sync = parse_integer(v, k) != 0; }},
    Key{"queue",
        [](SimParameters& p, std::string_view k, std::string_view v) {
          const std::int64_t n = parse_integer(v, k);
          if (n < 0 || n > 1'000'000) refuse(k, v, "at most 1,000,000 launches");
          p.queue = static_cast<std::size_t>(n);
        }},
    Key{"seed", [](SimParameters& p, std::string_view k,
                   std::string_view v) { p.seed = static_cast<std::uint64_t>(parse_integer(v, k)); }},
};

template <Bytes SimMemory::* Member>
void set_memory(SimParameters& p, std::string_view key, std::string_view value) {
  p.memory.*Member = parse_bytes(value, key);
}

constexpr std::array kMemoryKeys{Key{"memory", set_memory<&SimMemory::total>},
                                 Key{"segment", set_memory<&SimMemory::segment>},
                                 Key{"weights", set_memory<&SimMemory::weights>},
                                 Key{"workspace", set_memory<&SimMemory::workspace>},
                                 Key{"fragments", set_memory<&SimMemory::fragments>},
                                 Key{"driver", set_memory<&SimMemory::driver>},
                                 Key{"activations", set_memory<&SimMemory::activations>},
                                 Key{"grow", set_memory<&SimMemory::grow>},
                                 Key{"graph", set_memory<&SimMemory::graph>}};

void set_key(SimParameters& p, std::string_view text) {
  const auto [key, value] = parse_assignment(text, "the simulated device's setting");
  std::vector<std::string> names;
  for (const std::span<const Key> keys : {std::span<const Key>(kKeys), std::span<const Key>(kMemoryKeys)}) {
    for (const Key& k : keys) {
      if (k.name == key) return k.set(p, k.name, value);
      names.emplace_back(k.name);
    }
  }
  throw Error(ErrorCode::usage, fmt::format("unknown setting '{}' of the simulated device", key.substr(0, 40)), {},
              fmt::format("The settings are {}.{}", fmt::join(names, ", "), did_you_mean(key, names)));
}

void set_all(SimParameters& p, std::string_view text) {
  for (const std::string_view part : split(text, ',')) set_key(p, part);
  if (p.wake > 0ns && p.sleep_after == 0ns)
    throw Error(ErrorCode::usage, "cannot use 'wake' of the simulated device", "it never sleeps",
                "Say after how long: sleep_after=5ms.");
}

bool takes_memory(const SimMemory& m) {
  for (const Bytes b : {m.segment, m.weights, m.workspace, m.fragments, m.driver, m.activations, m.grow, m.graph}) {
    if (b.count > 0) return true;
  }
  return false;
}

// One without the others would change nothing.
SimParameters checked(SimParameters p) {
  const bool power = p.idle_power > 0 || p.active_power > 0;
  if (!power && (p.energy_step > 0ns || p.energy_read > 0ns))
    throw Error(ErrorCode::usage, "cannot simulate a counter of energy", "the device takes none",
                "Write idle_power=80W,active_power=600W,energy_step=100ms,energy_read=2.4ms, for example.");
  const bool cache = p.cache.count > 0, input = p.input.count > 0;
  if (cache != input || (p.miss > 0ns && !cache))
    throw Error(ErrorCode::usage, "cannot simulate a cache", "'cache', 'input' and 'miss' belong together",
                "Write cache=40MB,input=600kB,miss=30us, for example.");
  if (p.memory.total.count == 0 && takes_memory(p.memory))
    throw Error(ErrorCode::usage, "cannot simulate memory", "the device has none that is counted",
                "Write memory=1GiB, for example.");
  return p;
}

}  // namespace

std::span<const SimScenario> sim_scenarios() {
  return kScenarios;
}

std::uint32_t SimParameters::kernel_count() const {
  std::uint32_t n = 0;
  for (const KernelRun& k : kernels) n += k.count;
  return n;
}

nanoseconds SimParameters::kernel_time() const {
  nanoseconds t{};
  for (const KernelRun& k : kernels) t += k.count * k.length;
  return t;
}

std::size_t SimParameters::cached_sets() const {
  return input.count > 0 ? cache.count / input.count : 0;
}

SimParameters parse_sim(std::string_view text) {
  SimParameters p;
  p.name = "sim:" + std::string(text);
  const std::size_t comma = text.find(',');
  const std::string_view head = text.substr(0, comma);
  if (head.find('=') != std::string_view::npos) {
    set_all(p, text);
    return checked(std::move(p));
  }
  std::vector<std::string> names;
  for (const SimScenario& s : kScenarios) {
    names.emplace_back(s.name);
    if (s.name != head) continue;
    set_all(p, s.parameters);
    if (comma != std::string_view::npos) set_all(p, text.substr(comma + 1));
    return checked(std::move(p));
  }
  throw Error(
      ErrorCode::usage, fmt::format("unknown scenario 'sim:{}'", head.substr(0, 40)), {},
      fmt::format("Take one of {}, or write key=value,….{}", fmt::join(names, ", "), did_you_mean(head, names)));
}

}  // namespace strobe
