// SPDX-License-Identifier: Apache-2.0
#include "report/pictures/telemetry.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace strobe::page {
namespace {

constexpr double kStrip = 40, kCurve = 22;
constexpr std::size_t kMostPoints = 200;

struct Column {
  std::string_view name, title, unit;
  double scale = 1;
};

// Others are shown by their own name.
constexpr std::array kTelemetryColumns{
    Column{"busy", "CPUs busy", "%", 100},
    Column{"steal", "taken by other guests", "%", 100},
    Column{"mhz", "CPU clock", "MHz"},
    Column{"sm_mhz", "GPU clock", "MHz"},
    Column{"memory_mhz", "memory clock", "MHz"},
    Column{"power_w", "power", "W"},
    Column{"temperature_c", "temperature", "°C"},
    Column{"gpu_busy", "GPU busy", "%", 100},
    Column{"pstate", "P-state", ""},
    Column{"sm_active", "SMs active", "%", 100},
    Column{"sm_occupancy", "warps of the SMs", "%", 100},
    Column{"tensor_active", "tensor cores active", "%", 100},
    Column{"dram_bandwidth", "of the memory's bandwidth", "%", 100},
    Column{"pcie_in_mib_s", "PCIe to the GPU", "MiB/s"},
    Column{"pcie_out_mib_s", "PCIe from the GPU", "MiB/s"},
};

Column words_for(std::string_view name) {
  const auto it =
      std::find_if(kTelemetryColumns.begin(), kTelemetryColumns.end(), [&](const Column& c) { return c.name == name; });
  return it == kTelemetryColumns.end() ? Column{name, name, ""} : *it;
}

std::string amount(double x, const Column& c) {
  return fmt::format("{:.4g}{}{}", x * c.scale, c.unit.empty() ? "" : " ", c.unit);
}

void strip(Svg& svg, const Frame& f, const Axis& time, const std::vector<double>& at, const std::vector<double>& values,
           const Column& c, double top) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const Axis y({std::min(0.0, *low), *high > 0 ? *high * 1.05 : 1}, top + 14 + kCurve, top + 14);
  std::vector<Point> points;
  const std::size_t step = 1 + values.size() / kMostPoints;
  for (std::size_t i = 0; i < values.size(); i += step) points.push_back({time(at[i]), y(values[i])});
  const std::string range =
      *low == *high ? amount(*low, c) : fmt::format("{} to {}", amount(*low, c), amount(*high, c));
  svg.begin_mark(fmt::format("{}: {}", c.title, range));
  svg.rect({f.left, top}, f.right - f.left, kStrip - 2, "hit");
  svg.text({f.left, top + 10}, c.title, "tick");
  svg.text({f.right, top + 10}, range, "tick end");
  svg.line({f.left, top + 14 + kCurve}, {f.right, top + 14 + kCurve}, "grid");
  svg.path(points, "line context");
  svg.end();
}

}  // namespace

double draw_telemetry(Svg& svg, const Frame& f, const Axis& time, const Telemetry& t, double top) {
  for (const auto& [name, values] : t.columns) {
    if (values.size() < 2 || values.size() != t.at_seconds.size()) continue;
    strip(svg, f, time, t.at_seconds, values, words_for(name), top);
    top += kStrip;
  }
  return top;
}

}  // namespace strobe::page
