// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/nvml.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <strobe/error.h>

#include "device/cuda/gpm.h"
#include "host/library.h"

namespace strobe::cuda {
namespace {

// By decltype: the header's prototypes, without linking to the library.
template <auto* Function>
using Pointer = decltype(Function);

struct Nvml {
  Pointer<nvmlInit_v2> init = nullptr;
  Pointer<nvmlDeviceGetHandleByUUID> by_uuid = nullptr;
  Pointer<nvmlDeviceGetHandleByPciBusId_v2> by_bus = nullptr;
  Pointer<nvmlDeviceGetDeviceHandleFromMigDeviceHandle> board_of_instance = nullptr;
  Pointer<nvmlSystemGetDriverVersion> driver_version = nullptr;
  Pointer<nvmlDeviceGetClockInfo> clock = nullptr;
  Pointer<nvmlDeviceGetMaxClockInfo> max_clock = nullptr;
  Pointer<nvmlDeviceGetPowerUsage> power = nullptr;
  Pointer<nvmlDeviceGetFieldValues> fields = nullptr;
  Pointer<nvmlDeviceGetTemperature> temperature = nullptr;
  Pointer<nvmlDeviceGetUtilizationRates> utilization = nullptr;
  Pointer<nvmlDeviceGetCurrentClocksThrottleReasons> throttle = nullptr;
  Pointer<nvmlDeviceGetEnforcedPowerLimit> power_limit = nullptr;
  Pointer<nvmlDeviceGetPowerManagementDefaultLimit> default_power_limit = nullptr;
  Pointer<nvmlDeviceGetComputeRunningProcesses_v3> processes = nullptr;
  Pointer<nvmlDeviceGetMigMode> mig = nullptr;
  Pointer<nvmlDeviceGetPersistenceMode> persistence = nullptr;
  Pointer<nvmlDeviceGetComputeMode> compute_mode = nullptr;
  Pointer<nvmlDeviceGetPerformanceState> performance_state = nullptr;
  Pointer<nvmlDeviceGetTotalEnergyConsumption> energy = nullptr;
  Pointer<nvmlDeviceSetGpuLockedClocks> lock_clocks = nullptr;
  Pointer<nvmlDeviceResetGpuLockedClocks> reset_clocks = nullptr;
  Pointer<nvmlDeviceGetGpuInstanceId> instance_id = nullptr;
  GpmCalls gpm;
};

template <class Function>
void find(const Library& library, const char* name, Function& slot) {
  slot = reinterpret_cast<Function>(library.symbol(name));
}

Nvml table_from(const Library& library) {
  Nvml n;
  find(library, "nvmlInit_v2", n.init);
  find(library, "nvmlDeviceGetHandleByUUID", n.by_uuid);
  find(library, "nvmlDeviceGetHandleByPciBusId_v2", n.by_bus);
  find(library, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", n.board_of_instance);
  find(library, "nvmlSystemGetDriverVersion", n.driver_version);
  find(library, "nvmlDeviceGetClockInfo", n.clock);
  find(library, "nvmlDeviceGetMaxClockInfo", n.max_clock);
  find(library, "nvmlDeviceGetPowerUsage", n.power);
  find(library, "nvmlDeviceGetFieldValues", n.fields);
  find(library, "nvmlDeviceGetTemperature", n.temperature);
  find(library, "nvmlDeviceGetUtilizationRates", n.utilization);
  find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", n.throttle);  // the old name: every driver has it
  find(library, "nvmlDeviceGetEnforcedPowerLimit", n.power_limit);
  find(library, "nvmlDeviceGetPowerManagementDefaultLimit", n.default_power_limit);
  find(library, "nvmlDeviceGetComputeRunningProcesses_v3", n.processes);
  find(library, "nvmlDeviceGetMigMode", n.mig);
  find(library, "nvmlDeviceGetPersistenceMode", n.persistence);
  find(library, "nvmlDeviceGetComputeMode", n.compute_mode);
  find(library, "nvmlDeviceGetPerformanceState", n.performance_state);
  find(library, "nvmlDeviceGetTotalEnergyConsumption", n.energy);
  find(library, "nvmlDeviceSetGpuLockedClocks", n.lock_clocks);
  find(library, "nvmlDeviceResetGpuLockedClocks", n.reset_clocks);
  find(library, "nvmlDeviceGetGpuInstanceId", n.instance_id);
  find(library, "nvmlGpmQueryDeviceSupport", n.gpm.support);
  find(library, "nvmlGpmSampleAlloc", n.gpm.alloc);
  find(library, "nvmlGpmSampleFree", n.gpm.free);
  find(library, "nvmlGpmSampleGet", n.gpm.sample);
  find(library, "nvmlGpmMigSampleGet", n.gpm.mig_sample);
  find(library, "nvmlGpmMetricsGet", n.gpm.metrics);
  return n;
}

constexpr std::array kBoardColumns{"sm_mhz",   "memory_mhz", "power_w", "temperature_c",
                                   "gpu_busy", "throttle",   "pstate"};
constexpr const char* kCannotLock = "cannot lock the clock of the GPU";

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Calls f when it exists; the value scaled, or unknown.
template <class Function, class... Arguments>
double read(Function f, double scale, nvmlDevice_t device, Arguments... arguments) {
  unsigned value = 0;
  if (!f || f(device, arguments..., &value) != NVML_SUCCESS) return kUnknown;
  return value * scale;
}

// Millijoules since the driver was loaded. The whole board counts, also where an instance of it is ours.
class BoardEnergy final : public EnergyCounter {
 public:
  BoardEnergy(const Nvml& nvml, nvmlDevice_t device, bool divided)
      : energy_(nvml.energy), device_(device), divided_(divided) {}

  std::string source() const override { return "NVML"; }
  std::string scope() const override {
    return divided_ ? "the whole board, of which this is one instance" : "the whole board, without the host";
  }
  double joules() override {
    unsigned long long millijoules = 0;
    if (const nvmlReturn_t r = energy_(device_, &millijoules); r != NVML_SUCCESS)
      throw Error(ErrorCode::failed, "cannot read the energy of the GPU", energy_refused(r));
    return 1e-3 * static_cast<double>(millijoules);
  }

 private:
  Pointer<nvmlDeviceGetTotalEnergyConsumption> energy_;
  nvmlDevice_t device_;
  bool divided_;
};

Error lock_refused(nvmlReturn_t r, unsigned mhz) {
  if (r == NVML_ERROR_NO_PERMISSION)
    return {ErrorCode::unsupported, kCannotLock, "only an administrator may here",
            fmt::format("Have one type 'sudo nvidia-smi -lgc {0},{0}', measure without --lock-clocks, and then 'sudo "
                        "nvidia-smi -rgc'.",
                        mhz)};
  if (r == NVML_ERROR_NOT_SUPPORTED) return {ErrorCode::unsupported, kCannotLock, "it has none that could be locked"};
  return {ErrorCode::failed, kCannotLock, fmt::format("NVML answers {}", static_cast<int>(r))};
}

class NvmlBoard final : public Board {
 public:
  NvmlBoard(const Nvml& nvml, nvmlDevice_t device) : nvml_(nvml), device_(device), part_(device) {}
  // An instance of a divided board, by this name.
  NvmlBoard(const Nvml& nvml, nvmlDevice_t device, nvmlDevice_t part, std::string name)
      : nvml_(nvml), device_(device), part_(part), instance_(std::move(name)) {}

  Scalars facts() const override {
    Scalars f;
    if (!instance_.empty()) f["uuid"] = instance_;
    std::array<char, NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE> text{};
    if (nvml_.driver_version && nvml_.driver_version(text.data(), text.size()) == NVML_SUCCESS)
      f["driver"] = std::string(text.data());
    put(f, "power_limit_w", read(nvml_.power_limit, 1e-3, device_));
    put(f, "power_limit_default_w", read(nvml_.default_power_limit, 1e-3, device_));
    put(f, "sm_mhz_max", read(nvml_.max_clock, 1, device_, NVML_CLOCK_SM));
    put(f, "memory_mhz_max", read(nvml_.max_clock, 1, device_, NVML_CLOCK_MEM));
    unsigned current = 0, pending = 0;
    if (nvml_.mig && nvml_.mig(device_, &current, &pending) == NVML_SUCCESS)
      f["mig"] = current == NVML_DEVICE_MIG_ENABLE;
    nvmlEnableState_t persistence{};
    if (nvml_.persistence && nvml_.persistence(device_, &persistence) == NVML_SUCCESS)
      f["persistence"] = persistence == NVML_FEATURE_ENABLED;
    nvmlComputeMode_t mode{};
    if (nvml_.compute_mode && nvml_.compute_mode(device_, &mode) == NVML_SUCCESS)
      f["exclusive"] = mode == NVML_COMPUTEMODE_EXCLUSIVE_PROCESS;
    return f;
  }

  std::optional<std::vector<unsigned>> processes() const override {
    if (!nvml_.processes) return std::nullopt;
    return all_processes(
        [&](unsigned* count, nvmlProcessInfo_t* infos) { return nvml_.processes(part_, count, infos); });
  }

  std::optional<double> busy() const override {
    nvmlUtilization_t use{};
    if (!nvml_.utilization || nvml_.utilization(device_, &use) != NVML_SUCCESS) return std::nullopt;
    return use.gpu / 100.0;
  }

  PowerState power_state() const override {
    PowerState now;
    if (const double mhz = read(nvml_.clock, 1, device_, NVML_CLOCK_SM); !std::isnan(mhz)) now.mhz = mhz;
    nvmlPstates_t state{};
    if (nvml_.performance_state) {
      const nvmlReturn_t answer = nvml_.performance_state(device_, &state);
      now.level = p_state(answer, state);
    }
    return now;
  }

  EnergySource energy() const override {
    if (!nvml_.energy) return {nullptr, "this driver has no counter of energy"};
    unsigned long long ignored = 0;
    if (const nvmlReturn_t r = nvml_.energy(device_, &ignored); r != NVML_SUCCESS) return {nullptr, energy_refused(r)};
    return {std::make_unique<BoardEnergy>(nvml_, device_, !instance_.empty())};
  }

  TelemetrySource telemetry() const override {
    TelemetrySource source{{kBoardColumns.begin(), kBoardColumns.end()},
                           [nvml = nvml_, device = device_](std::span<double> row) { read_board(nvml, device, row); }};
    add_gpm(source);
    if (!nvml_.fields) return source;
    source.shares.assign(kThrottleShares.begin(), kThrottleShares.end());
    source.count = [fields = nvml_.fields, device = device_](std::span<double> row) {
      read_throttle_counters([&](int n, nvmlFieldValue_t* values) { return fields(device, n, values); }, row);
    };
    return source;
  }

  void lock_clocks(unsigned mhz) override {
    if (!nvml_.lock_clocks || !nvml_.reset_clocks)
      throw Error(ErrorCode::unsupported, kCannotLock, "this driver cannot do it");
    const double most = read(nvml_.max_clock, 1, device_, NVML_CLOCK_SM);
    if (!std::isnan(most) && mhz > most)
      throw Error(ErrorCode::usage, kCannotLock, fmt::format("the highest is {:.0f} MHz", most), "Take a lower one.");
    const nvmlReturn_t r = nvml_.lock_clocks(device_, mhz, mhz);
    if (r != NVML_SUCCESS) throw lock_refused(r, mhz);
  }
  bool reset_clocks() override { return nvml_.reset_clocks && nvml_.reset_clocks(device_) == NVML_SUCCESS; }

 private:
  static void put(Scalars& facts, const char* key, double value) {
    if (!std::isnan(value)) facts[key] = value;
  }

  // What the parts of the GPU do, where NVML samples it; why not, where it does not.
  void add_gpm(TelemetrySource& source) const {
    unsigned id = 0;
    std::string why_not;
    const bool divided = !instance_.empty();
    const bool known = !divided || (nvml_.instance_id && nvml_.instance_id(part_, &id) == NVML_SUCCESS);
    const auto gpm =
        known ? GpmSampler::open(nvml_.gpm, device_, divided ? std::optional(id) : std::nullopt, why_not) : nullptr;
    if (!gpm) {
      if (!known) why_not = "NVML does not say which instance of the board this is";
      source.tell = [why_not](Scalars& facts) { facts["gpm"] = why_not; };
      return;
    }
    source.columns.insert(source.columns.end(), kGpmColumns.begin(), kGpmColumns.end());
    source.read = [board = source.read, gpm](std::span<double> row) {
      board(row);
      gpm->read(std::chrono::steady_clock::now().time_since_epoch(), row.subspan(kBoardColumns.size()));
    };
    source.tell = [gpm](Scalars& facts) { gpm->tell(facts); };
  }

  static void read_board(const Nvml& nvml, nvmlDevice_t device, std::span<double> row) {
    row[0] = read(nvml.clock, 1, device, NVML_CLOCK_SM);
    row[1] = read(nvml.clock, 1, device, NVML_CLOCK_MEM);
    row[2] = instant_power(nvml, device);
    row[3] = read(nvml.temperature, 1, device, NVML_TEMPERATURE_GPU);
    nvmlUtilization_t use{};
    row[4] = nvml.utilization && nvml.utilization(device, &use) == NVML_SUCCESS ? use.gpu / 100.0 : kUnknown;
    unsigned long long mask = 0;
    row[5] = nvml.throttle && nvml.throttle(device, &mask) == NVML_SUCCESS ? static_cast<double>(mask) : kUnknown;
    nvmlPstates_t state{};
    const auto level = nvml.performance_state ? p_state(nvml.performance_state(device, &state), state) : std::nullopt;
    row[6] = level ? *level : kUnknown;
  }

  // nvmlDeviceGetPowerUsage averages over a second on most boards; the field is the present.
  static double instant_power(const Nvml& nvml, nvmlDevice_t device) {
    nvmlFieldValue_t field{};
    field.fieldId = NVML_FI_DEV_POWER_INSTANT;
    if (nvml.fields && nvml.fields(device, 1, &field) == NVML_SUCCESS && field.nvmlReturn == NVML_SUCCESS)
      return field.value.uiVal * 1e-3;
    return read(nvml.power, 1e-3, device);
  }

  Nvml nvml_;
  nvmlDevice_t device_, part_;  // the board has clocks and power, the part of it that is ours has processes
  std::string instance_;
};

}  // namespace

std::shared_ptr<Board> Board::open(const std::string& uuid, const std::string& bus, std::string& why_not) {
  const Library library = Library::open("libnvidia-ml.so.1");
  if (!library) {
    why_not = "libnvidia-ml.so.1 was not found";
    return nullptr;
  }
  const Nvml nvml = table_from(library);
  if (!nvml.init || nvml.init() != NVML_SUCCESS) {
    why_not = "NVML does not start";
    return nullptr;
  }
  nvmlDevice_t device = nullptr, part = nullptr;
  // CUDA does not tell an instance's UUID from a board's, NVML knows them by different names.
  const std::string instance = "MIG-" + uuid.substr(std::min<std::size_t>(4, uuid.size()));
  if (nvml.by_uuid && nvml.board_of_instance && nvml.by_uuid(instance.c_str(), &part) == NVML_SUCCESS &&
      nvml.board_of_instance(part, &device) == NVML_SUCCESS)
    return std::make_shared<NvmlBoard>(nvml, device, part, instance);
  if (nvml.by_uuid && nvml.by_uuid(uuid.c_str(), &device) == NVML_SUCCESS)
    return std::make_shared<NvmlBoard>(nvml, device);
  if (nvml.by_bus && nvml.by_bus(bus.c_str(), &device) == NVML_SUCCESS)
    return std::make_shared<NvmlBoard>(nvml, device);
  why_not = "NVML does not know this GPU";
  return nullptr;
}

std::string energy_refused(nvmlReturn_t r) {
  if (r == NVML_ERROR_NOT_SUPPORTED) return "this GPU does not count its energy: Volta and later do";
  if (r == NVML_ERROR_NO_PERMISSION) return "NVML does not permit it here";
  return fmt::format("NVML answers {}", static_cast<int>(r));
}

std::optional<int> p_state(nvmlReturn_t answer, nvmlPstates_t state) {
  const bool known = answer == NVML_SUCCESS && state >= NVML_PSTATE_0 && state <= NVML_PSTATE_15;
  return known ? std::optional(static_cast<int>(state)) : std::nullopt;
}

namespace {

double number_of(const nvmlFieldValue_t& field) {
  if (field.nvmlReturn != NVML_SUCCESS) return kUnknown;
  switch (field.valueType) {
    case NVML_VALUE_TYPE_UNSIGNED_INT:
      return field.value.uiVal;
    case NVML_VALUE_TYPE_UNSIGNED_LONG:
      return static_cast<double>(field.value.ulVal);
    case NVML_VALUE_TYPE_UNSIGNED_LONG_LONG:
      return static_cast<double>(field.value.ullVal);
    case NVML_VALUE_TYPE_SIGNED_LONG_LONG:
      return static_cast<double>(field.value.sllVal);
    default:
      return kUnknown;
  }
}

}  // namespace

void read_throttle_counters(const ReadFields& read_fields, std::span<double> row) {
  constexpr std::array<unsigned, kThrottleShares.size()> kFields{
      NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN, NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN,
      NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN, NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP};
  std::array<nvmlFieldValue_t, kFields.size()> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i].fieldId = kFields[i];
  const bool answered = read_fields(static_cast<int>(values.size()), values.data()) == NVML_SUCCESS;
  std::transform(values.begin(), values.end(), row.begin(), number_of);
  if (!answered || std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); }))
    std::fill(row.begin(), row.end(), kUnknown);
}

std::optional<std::vector<unsigned>> all_processes(const ListProcesses& list) {
  std::vector<nvmlProcessInfo_t> infos(64);
  for (int tries = 0; tries < 3; ++tries) {
    auto count = static_cast<unsigned>(infos.size());
    const nvmlReturn_t r = list(&count, infos.data());
    if (r == NVML_ERROR_INSUFFICIENT_SIZE) {
      infos.resize(count + 64);  // more may come meanwhile
      continue;
    }
    if (r != NVML_SUCCESS) return std::nullopt;
    std::vector<unsigned> pids;
    for (unsigned i = 0; i < count; ++i) pids.push_back(infos[i].pid);
    return pids;
  }
  return std::nullopt;
}

std::vector<unsigned> others_among(std::vector<unsigned> listed, bool has_context, unsigned own) {
  if (std::erase(listed, own) == 0 && has_context && !listed.empty()) listed.pop_back();
  return listed;
}

}  // namespace strobe::cuda
