// SPDX-License-Identifier: Apache-2.0
// Models on a real GPU, by each runtime: `make test-gpu` with a folder of models in STROBE_GPU_MODELS.
// Skipped, with the reason, without.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "workload/open_model.h"

namespace strobe {
namespace {

class GpuModel : public ::testing::TestWithParam<const char*> {
 protected:
  // A file of the folder, on the GPU.
  OpenedModel open(const std::string& file, std::optional<std::int64_t> batch = {}) {
    OpenOptions o;
    o.model = path_of(file);
    o.device = "cuda:0";
    o.batch = batch;
    o.input_sets = 2;
    return open_model(o);
  }

  static std::string path_of(const std::string& file) {
    const char* folder = std::getenv("STROBE_GPU_MODELS");
    return folder ? (std::filesystem::path(folder) / file).string() : "";
  }

  void needs(const std::string& file) {
    if (path_of(file).empty() || !std::filesystem::exists(path_of(file)))
      GTEST_SKIP() << "STROBE_GPU_MODELS has no " << file;
  }
};

TEST_P(GpuModel, ReplaysWhatItComputesWithoutAGraph) {
  needs(GetParam());
  if (IsSkipped()) return;
  OpenedModel m = open(GetParam(), 1);
  m.workload->submit(0);
  m.workload->stream().synchronize();
  const Replay replay = m.workload->replay();  // compares outputs with those of the eager program, for every input set
  ASSERT_TRUE(replay.workload) << replay.why_not;
  replay.workload->submit(1);
  replay.workload->stream().synchronize();
}

TEST_P(GpuModel, SaysThatMemoryEnded) {
  needs(GetParam());
  if (IsSkipped()) return;
  try {
    OpenedModel m = open(GetParam(), 100'000);
    m.workload->submit(0);
    m.workload->stream().synchronize();
    FAIL() << "it fits";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
  }
  OpenedModel small = open(GetParam(), 1);  // and the device can still be used
  small.workload->submit(0);
  small.workload->stream().synchronize();
}

INSTANTIATE_TEST_SUITE_P(Runtimes, GpuModel, ::testing::Values("resnet18.onnx", "resnet18.pt"),
                         [](const auto& file) { return file.index == 0 ? "onnxruntime" : "torch"; });

class HiddenSync : public GpuModel {};

TEST_P(HiddenSync, IsRefusedAsAGraphAndTheStreamGoesOn) {
  needs(GetParam());
  if (IsSkipped()) return;
  OpenedModel m = open(GetParam());
  m.workload->submit(0);
  m.workload->stream().synchronize();
  const Replay replay = m.workload->replay();
  EXPECT_FALSE(replay.workload);
  EXPECT_FALSE(replay.why_not.empty());
  m.workload->submit(0);
  m.workload->stream().synchronize();
}

INSTANTIATE_TEST_SUITE_P(Faulty, HiddenSync, ::testing::Values("hidden_sync.pt"));

}  // namespace
}  // namespace strobe
