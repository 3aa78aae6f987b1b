// SPDX-License-Identifier: Apache-2.0
#include "cli/nsight.h"

#include <gtest/gtest.h>

#include "cli/shell_line.h"

namespace strobe::cli {
namespace {

NsightPlan plan() {
  return {.program = "/opt/strobe", .model = {"my net.onnx", "--batch", "8"}, .name = "my net.onnx"};
}

TEST(Nsys, RecordsTheRequestsThatCountAndNothingElse) {
  EXPECT_EQ(shell_line(nsys_words(plan())),
            "nsys profile --output=my-net.onnx --force-overwrite=true --trace=cuda,nvtx,osrt --sample=none "
            "--capture-range=cudaProfilerApi --capture-range-end=stop --cuda-graph-trace=node "
            "--gpu-metrics-devices=all --export=sqlite /opt/strobe run 'my net.onnx' --batch 8 --pass latency "
            "--requests 50 --no-progress");
}

TEST(Nsys, TracesAcceleratorsWhereThatIsAskedFor) {
  NsightPlan p = plan();
  p.accelerators = true;
  p.requests = 7;
  const std::string line = shell_line(nsys_words(p));
  EXPECT_NE(line.find("--trace=cuda,nvtx,osrt,cudla,tegra-accelerators "), std::string::npos) << line;
  EXPECT_NE(line.find(" --accelerator-trace=tegra-accelerators "), std::string::npos) << line;
  EXPECT_NE(line.find(" --requests 7 "), std::string::npos) << line;
}

TEST(Ncu, ProfilesTheHottestKernelsByTheNamesThatItHasForThem) {
  EXPECT_EQ(
      shell_line(ncu_words(plan())),
      "ncu --profile-from-start off --nvtx --launch-count 50 --export my-net.onnx --force-overwrite /opt/strobe run "
      "'my net.onnx' --batch 8 --pass latency --requests 1 --no-progress");
  NsightPlan p = plan();
  p.kernels = {"void lib::gemm<float, 4>(float const*)", "conv.v2", "void lib::gemm<double, 4>(double const*)"};
  const std::string line = shell_line(ncu_words(p));
  EXPECT_NE(line.find(" --kernel-name 'regex:^(gemm|conv\\.v2)$' "), std::string::npos) << line;
}

TEST(FunctionName, IsWithoutTypesTemplatesAndNamespaces) {
  EXPECT_EQ(function_name("spin"), "spin");
  EXPECT_EQ(function_name("_Z3mulPfi"), "mul");
  EXPECT_EQ(function_name("void a::(anonymous namespace)::add_kernel<4, (b::Kind)1>(int, float*)"), "add_kernel");
  EXPECT_EQ(function_name("sm80_xmma_fprop_implicit_gemm"), "sm80_xmma_fprop_implicit_gemm");
}

}  // namespace
}  // namespace strobe::cli
