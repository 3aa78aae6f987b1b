// SPDX-License-Identifier: Apache-2.0
#include "trace/layer_times.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "trace/divide.h"

namespace strobe::trace {
namespace {

// A layer that is called several times is one row.
class Rows {
 public:
  explicit Rows(const std::vector<LayerCall>& calls) {
    for (const LayerCall& c : calls) {
      const auto [row, added] = rows_.try_emplace({c.name, c.type, c.where}, layers_.size());
      if (added) layers_.push_back({.name = c.name, .type = c.type, .where = c.where});
      ++layers_[row->second].calls;
      row_of_call_.push_back(row->second);
    }
  }
  LayerTime& of_call(std::size_t call) { return layers_[row_of_call_[call]]; }
  std::vector<LayerTime> take() { return std::move(layers_); }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> rows_;
  std::vector<LayerTime> layers_;
  std::vector<std::size_t> row_of_call_;
};

// The innermost call in which the host was then.
std::optional<std::size_t> call_at(const std::vector<LayerCall>& calls, nanoseconds when) {
  std::optional<std::size_t> innermost;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (when < calls[i].when.begin || when >= calls[i].when.end) continue;
    if (!innermost || calls[i].when.begin >= calls[*innermost].when.begin) innermost = i;
  }
  return innermost;
}

std::vector<Interval> stretches_of(const auto& list) {
  std::vector<Interval> stretches;
  for (const auto& x : list) stretches.push_back(x.when);
  return stretches;
}

}  // namespace

LayerTimes layer_times_on_host(const RequestTrace& t) {
  Rows rows(t.layers);
  LayerTimes out;
  out.gaps = t.length;
  const std::vector<nanoseconds> kept = divide(stretches_of(t.layers), t.window(), Keeper::last_begun);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    rows.of_call(i).time += kept[i];
    out.gaps -= kept[i];
  }
  out.layers = rows.take();
  return out;
}

LayerTimes layer_times_on_device(const RequestTrace& t) {
  Rows rows(t.layers);
  LayerTimes out;
  out.gaps = t.length;
  const std::vector<nanoseconds> kept = divide(stretches_of(t.work), t.window(), Keeper::first_begun);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    out.gaps -= kept[i];
    const auto call = call_at(t.layers, t.work[i].submitted);
    if (!call) {
      out.unattributed += kept[i];
      continue;
    }
    LayerTime& row = rows.of_call(*call);
    row.time += kept[i];
    row.kernels += t.work[i].kind == DeviceWork::Kind::kernel;
  }
  out.layers = rows.take();
  return out;
}

}  // namespace strobe::trace
