// SPDX-License-Identifier: Apache-2.0
// Joules of a request in each window that was read, and the results over all of them: gross, and what the device takes
// idle taken off.
#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_names.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

class EnergyWindows {
 public:
  explicit EnergyWindows(const Record& r)
      : energy_(r.energy), gross_(r.find(metric::energy)), net_(r.find(metric::energy_net)) {
    for (const EnergyWindowResult& w : energy_.windows) each_.push_back(w.requests > 0 ? w.joules / w.requests : 0);
  }

  bool worth_drawing() const { return gross_ && !each_.empty(); }

  Plot plot() {
    const double most =
        std::max(*std::max_element(each_.begin(), each_.end()), gross_->estimate.high.value_or(gross_->estimate.value));
    y_ = Axis({0, 1.08 * most}, frame_.bottom, frame_.top);
    x_ = Axis({0.5, static_cast<double>(each_.size()) + 0.5}, frame_.left, frame_.right);
    Plot p{.title = "energy of a request",
           .description = "gross " + shown(*gross_),
           .caption =
               fmt::format("Dots: windows of {}, between two steps of the counter ({}: {}); their shape changes from "
                           "launch to launch. Lines: the results.",
                           format_time(energy_.windows.front().length_ns), energy_.source, energy_.scope),
           .height = frame_.bottom + 42};
    draw_y(p.svg, frame_, y_, unit::joules, "energy");
    draw_x(p.svg, frame_, x_, "", "window");
    draw_line(p.svg, *gross_, "gross");
    if (net_) draw_line(p.svg, *net_, "above idle");
    for (std::size_t i = 0; i < each_.size(); ++i) mark(p.svg, i);
    p.table = table(p.title);
    return p;
  }

 private:
  static std::string shown(const Metric& m) { return figure(m.estimate, m.unit).plain(); }

  void draw_line(Svg& svg, const Metric& m, std::string_view words) const {
    const double y = y_(m.estimate.value);
    svg.line({frame_.left, y}, {frame_.right, y}, "mode");
    svg.text({frame_.right - 4, y + 14}, fmt::format("{}: {}", words, shown(m)), "note end");
  }

  void mark(Svg& svg, std::size_t i) const {
    const EnergyWindowResult& w = energy_.windows[i];
    const Point at{x_(static_cast<double>(i + 1)), y_(each_[i])};
    svg.begin_mark(fmt::format("launch {}, window {}: {}", w.launch, i + 1, figure(each_[i], unit::joules).plain()));
    svg.rect({at.x - 9, at.y - 14}, 18, 28, "hit");
    svg.dot(at, (w.launch - 1) % 4);
    svg.end();
  }

  Cells table(const std::string& caption) const {
    Cells t{caption, {"launch", "length", "energy", "requests", "of one"}, "rrrrr"};
    for (std::size_t i = 0; i < each_.size(); ++i) {
      const EnergyWindowResult& w = energy_.windows[i];
      t.rows.push_back({escaped(std::to_string(w.launch)), escaped(format_time(w.length_ns)),
                        escaped(figure(w.joules, unit::joules).plain()), escaped(fmt::format("{:.1f}", w.requests)),
                        escaped(figure(each_[i], unit::joules).plain())});
    }
    return t;
  }

  const EnergyAnswer& energy_;
  const Metric *gross_, *net_;
  std::vector<double> each_;
  Frame frame_;
  Axis x_{{0, 1}, 0, 1}, y_{{0, 1}, 0, 1};
};

}  // namespace

std::optional<Plot> window_energies(const Record& r) {
  EnergyWindows picture(r);
  if (!picture.worth_drawing()) return std::nullopt;
  return picture.plot();
}

}  // namespace strobe::page
