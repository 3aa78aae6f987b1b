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
    if (device.info().kind == "cpu") return {};
    return {fmt::format("openvino runs on the CPU here, not on {}", device.info().kind)};
  }

  std::unique_ptr<Session> load(const ModelOptions& options, Device& device) override {
    if (!core_) {
      guarded("cannot start OpenVINO", [&] {
        ov_core_t* made = nullptr;
        check(api().core_create(&made));
        core_.reset(made);
      });
    }
    return std::make_unique<OpenVinoSession>(*this, core_.get(), options, device);
  }

 private:
  std::string version_;
  Owned<ov_core_t> core_;
};

}  // namespace
}  // namespace strobe::openvino

extern "C" const strobe::Plugin* strobe_plugin() {
  return strobe::plugin_of<strobe::openvino::OpenVino>();
}
