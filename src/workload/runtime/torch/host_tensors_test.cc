// SPDX-License-Identifier: Apache-2.0
// A session's requests with tensors on the host. torch_test.py runs this with a folder of models in
// STROBE_TORCH_MODELS; skipped without.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "device/inline_device.h"
#include "workload/runtime/plugins.h"

namespace strobe {
namespace {

class TorchHostTensors : public ::testing::TestWithParam<const char*> {};

TEST_P(TorchHostTensors, GiveTheOutputsOfTheSessionForEachInputSet) {
  const char* folder = std::getenv("STROBE_TORCH_MODELS");
  if (!folder) GTEST_SKIP() << "STROBE_TORCH_MODELS names no folder";
  InlineDevice device;
  const auto runtime = load_runtime("torch");
  ModelOptions o;
  o.path = (std::filesystem::path(folder) / GetParam()).string();
  o.batch = 4;
  o.input_sets = 2;
  const auto session = runtime->load(o, device);
  const auto workload = session->through_host();
  auto* host = dynamic_cast<Session*>(workload.get());
  ASSERT_TRUE(host);
  EXPECT_EQ(host->items(), 4u);
  EXPECT_EQ(host->input_sets(), 2u);
  ASSERT_EQ(host->outputs(0).size(), 1u);
  EXPECT_EQ(host->outputs(0), session->outputs(0));
  EXPECT_EQ(host->outputs(1), session->outputs(1));
  EXPECT_NE(host->outputs(0), host->outputs(1));
  EXPECT_EQ(host->outputs(2), host->outputs(0));
}

INSTANTIATE_TEST_SUITE_P(Formats, TorchHostTensors, ::testing::Values("described.pt", "described.pt2"),
                         [](const auto& file) { return file.index == 0 ? "torchscript" : "aotinductor"; });

}  // namespace
}  // namespace strobe
