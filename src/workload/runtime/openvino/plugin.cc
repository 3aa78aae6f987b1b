// SPDX-License-Identifier: Apache-2.0
// The plugin's entry: OpenVINO as a Runtime of Strobe.
#include "workload/runtime/plugin.h"

#include <fmt/format.h>

#include "workload/runtime/openvino/openvino_session.h"

namespace strobe::openvino {
namespace {

class OpenVino final : public Runtime {
 public:
  OpenVino() : version_(open_library()), core_(nullptr, api().core_free) {}

  std::string name() const override { return "openvino"; }
  std::string version() const override { return version_; }

  Capability runs_on(const Device& device) const override {
    const std::string kind = device.info().kind;
    if (kind == "cpu" || kind == name()) return {};
    return {fmt::format("openvino does not run on {}", kind)};
  }

  std::vector<std::string> devices() override {
    return guarded("cannot list the devices of OpenVINO", [&] {
      ov_available_devices_t list{};
      check(api().core_get_devices(core(), &list));
      std::vector<std::string> names(list.devices, list.devices + list.size);
      api().devices_free(&list);
      return names;
    });
  }

  std::unique_ptr<Session> load(const ModelOptions& options, Device& device) override {
    const DeviceInfo where = device.info();
    Target target{core()};
    if (where.kind == name()) target.device = where.name;
    return std::make_unique<OpenVinoSession>(*this, std::move(target), options, device);
  }

 private:
  const ov_core_t* core() {
    if (!core_) {
      guarded("cannot start OpenVINO", [&] {
        ov_core_t* made = nullptr;
        check(api().core_create(&made));
        core_.reset(made);
      });
    }
    return core_.get();
  }

  std::string version_;
  Owned<ov_core_t> core_;
};

}  // namespace
}  // namespace strobe::openvino

extern "C" const strobe::Plugin* strobe_plugin() {
  return strobe::plugin_of<strobe::openvino::OpenVino>();
}
