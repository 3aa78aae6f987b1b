// SPDX-License-Identifier: Apache-2.0
// On the CPU, and on a GPU behind the fake driver, whose memory the host can look at.
#include "workload/runtime/session_base.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "device/inline_device.h"
#include "host/file.h"
#include "testing/contains.h"
#include "testing/doubling_session.h"
#include "testing/fake_cuda.h"
#include "testing/virtual_cpu.h"

namespace strobe {
namespace {

using testing::double_each;
using testing::DoublingRuntime;
using testing::has;

ModelOptions model_options(std::size_t sets = 2, std::int64_t batch = 8) {
  ModelOptions o;
  o.path = "m.double";
  o.batch = batch;
  o.input_sets = sets;
  o.input_ranges["*"] = {1, 2};  // the fake driver's kernels fill nothing: values with a range come from the host
  return o;
}

// Items of four values from a file.
std::string write_values(const TemporaryFolder& folder, const std::vector<float>& values) {
  const std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, 4), }}", values.size() / 4);
  std::string file = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
  file.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  const auto path = folder.path() / "x.npy";
  write_file(path, file);
  return path.string();
}

Error error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorCode::failed, "nothing", {});
}

class SessionBaseOnGpu : public ::testing::Test {
 protected:
  cuda::CudaDevice gpu_{testing::fake_driver(), "0"};
};

TEST(SessionBase, RunsTheInputSetThatTheRequestsNumberSelects) {
  InlineDevice cpu;
  const DoublingRuntime runtime;
  const auto session = runtime.open(model_options(3), cpu);
  EXPECT_EQ(session->items(), 8u);
  EXPECT_EQ(session->input_sets(), 3u);
  for (std::size_t set = 0; set < 3; ++set) session->output(set)[0] = -1;
  session->submit(4);
  EXPECT_EQ(session->output(1)[0], 2 * session->input(1)[0]);
  EXPECT_EQ(session->output(0)[0], -1);
  EXPECT_EQ(session->output(2)[0], -1);
  EXPECT_NE(session->input(0)[0], session->input(1)[0]);
}

TEST(SessionBase, MakesOneInputSetWhereNoneIsAskedFor) {
  InlineDevice cpu;
  EXPECT_EQ(DoublingRuntime().open(model_options(0), cpu)->input_sets(), 1u);
}

TEST(SessionBase, TellsHowManyBytesAllItsInputSetsHave) {
  InlineDevice cpu;
  const auto one = DoublingRuntime().open(model_options(1), cpu), three = DoublingRuntime().open(model_options(3), cpu);
  EXPECT_EQ(one->input_bytes(), one->input(0).size_bytes());
  EXPECT_EQ(three->input_bytes(), 3 * one->input(0).size_bytes());
}

TEST(SessionBase, MakesAsManyInputSetsAsExceedTheCacheTwice) {
  VirtualCpu cpu;
  cpu.cache = Bytes{1000};
  ModelOptions o = model_options();
  o.input_sets = beyond_cache;
  const auto session = DoublingRuntime().open(o, cpu);
  EXPECT_EQ(session->input_sets(), 16u);  // of 128 bytes each
  EXPECT_EQ(session->input_bytes(), 2048u);
  EXPECT_NE(session->input(14)[0], session->input(15)[0]);
}

TEST(SessionBase, HasAFilesValuesInEveryInputSetEachInItsOwnMemory) {
  InlineDevice cpu;
  const TemporaryFolder folder;
  ModelOptions o = model_options(3, 1);
  o.input_ranges.clear();
  o.input_files["x"] = write_values(folder, {1, 2, 3, 4});
  const auto session = DoublingRuntime().open(o, cpu);
  for (std::size_t set = 0; set < 3; ++set) EXPECT_EQ(session->input(set)[3], 4);
  EXPECT_NE(session->input(0).data(), session->input(2).data());
  EXPECT_EQ(session->input_bytes(), 3u * 4 * sizeof(float));
}

TEST(SessionBase, LooksAtTheOutputsOfTheFirstInputSetsOnly) {
  InlineDevice cpu;
  std::size_t requests = 0;
  const DoublingRuntime runtime([&](auto in, auto out) {
    double_each(in, out);
    ++requests;
  });
  EXPECT_TRUE(runtime.open(model_options(100), cpu)->check()->distinct);
  EXPECT_EQ(requests, 2 * kMostCheckedSets);
}

TEST(SessionBase, CapturesNoGraphOfEachOfVeryManyInputSets) {
  InlineDevice cpu;
  const DoublingRuntime runtime;
  EXPECT_EQ(runtime.open(model_options(256), cpu)->why_too_many_graphs(), "");
  const std::string why = runtime.open(model_options(1257), cpu)->why_too_many_graphs();
  EXPECT_EQ(why, "a graph would be captured of each of 1,257 input sets, and 256 are the most");
}

TEST(SessionBase, FillsByTheSeed) {
  InlineDevice cpu;
  const DoublingRuntime runtime;
  ModelOptions other = model_options();
  other.seed = 7;
  const auto a = runtime.open(model_options(), cpu), b = runtime.open(model_options(), cpu),
             c = runtime.open(other, cpu);
  EXPECT_TRUE(std::ranges::equal(a->input(1), b->input(1)));
  EXPECT_FALSE(std::ranges::equal(a->input(1), c->input(1)));
}

TEST(SessionBase, RepeatsTheFirstItemWhereThatIsAskedFor) {
  InlineDevice cpu;
  ModelOptions o = model_options();
  o.repeat_items = true;
  const DoublingRuntime runtime;
  const auto session = runtime.open(o, cpu);
  const auto values = session->input(0);
  EXPECT_TRUE(std::ranges::equal(values.first(4), values.last(4)));
}

TEST(SessionBase, GivesOutputsAsBytes) {
  InlineDevice cpu;
  const DoublingRuntime runtime;
  const auto session = runtime.open(model_options(), cpu);
  const auto outputs = session->outputs(1);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_TRUE(std::ranges::equal(outputs[0], std::as_bytes(session->output(1))));
  EXPECT_EQ(session->output(1)[3], 2 * session->input(1)[3]);
}

TEST(SessionBase, PassesAModelThatComputes) {
  InlineDevice cpu;
  const DoublingRuntime runtime;
  const auto session = runtime.open(model_options(), cpu);
  auto check = session->check();
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->finite && check->repeatable && check->distinct);
  session->check_again(*check);
  EXPECT_TRUE(check->lasting);
}

TEST(SessionBase, SeesARequestThatWritesNothing) {
  InlineDevice cpu;
  const DoublingRuntime runtime([](auto, auto) {});
  EXPECT_FALSE(runtime.open(model_options(), cpu)->check()->finite);
}

TEST(SessionBase, SeesOutputsThatAreOthersAfterTheLastRequest) {
  InlineDevice cpu;
  bool late = false;
  const DoublingRuntime runtime([&](auto in, auto out) {
    double_each(in, out);
    if (late) out[0] += 1;
  });
  const auto session = runtime.open(model_options(), cpu);
  auto check = session->check();
  late = true;
  session->check_again(*check);
  EXPECT_FALSE(check->lasting);
}

TEST(SessionBase, ComparesAGraphWithTheModelForEveryInputSet) {
  InlineDevice cpu;
  int calls = 0;
  const DoublingRuntime runtime, other([&](auto in, auto out) {
    double_each(in, out);
    if (calls++ == 1) out[0] += 1;  // of the second input set
  });
  const auto model = runtime.open(model_options(), cpu), same = runtime.open(model_options(), cpu),
             wrong = other.open(model_options(), cpu);
  EXPECT_EQ(model->why_graph_differs([&](std::size_t set) { return same->outputs_of(set); }), "");
  const std::string why = model->why_graph_differs([&](std::size_t set) { return wrong->outputs_of(set); });
  EXPECT_TRUE(has(why, "the graph does not compute what the model does: the outputs differ by")) << why;
  EXPECT_TRUE(model->check_form([&](std::size_t set) { return same->outputs_of(set); }).repeatable);
}

TEST(SessionBase, DescribesRuntimeInputsAndOptions) {
  InlineDevice cpu;
  const TemporaryFolder folder;
  ModelOptions o = model_options(2, 1);
  o.input_ranges.clear();
  o.input_files["x"] = write_values(folder, {1, 2, 3, 4});
  o.dtype = "fp16";
  o.settings["gears"] = "5";
  const DoublingRuntime runtime;
  const ModelInfo info = runtime.open(o, cpu)->info();
  EXPECT_EQ(info.runtime, "doubling");
  EXPECT_EQ(info.runtime_version, "2.0");
  ASSERT_EQ(info.inputs.size(), 1u);
  EXPECT_EQ(info.inputs[0].name, "x");
  EXPECT_EQ(info.inputs[0].type, "f32");
  EXPECT_EQ(info.inputs[0].shape, (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(info.inputs[0].source, o.input_files["x"]);
  EXPECT_EQ(info.outputs.at(0).name, "y");
  EXPECT_EQ(info.facts, (Scalars{{"dtype", std::string("fp16")}, {"set.gears", std::string("5")}}));
  EXPECT_EQ(runtime.open(model_options(), cpu)->info().inputs[0].source, "random [1, 2)");
}

TEST(SessionBase, TurnsWhatTheRuntimeThrowsIntoAnError) {
  InlineDevice cpu;
  const DoublingRuntime breaks([](auto, auto) { throw std::runtime_error("a cog is missing"); });
  const auto session = breaks.open(model_options(), cpu);
  EXPECT_STREQ(error_of([&] { session->submit(0); }).what(), "cannot run 'm.double': a cog is missing");
  const DoublingRuntime refuses([](auto, auto) { throw Error(ErrorCode::usage, "no", {}); });
  EXPECT_EQ(error_of([&] { refuses.open(model_options(), cpu)->submit(0); }).code(), ErrorCode::usage);
}

TEST(SessionBase, CopiesNothingWhereTheDeviceUsesTheHostsMemory) {
  InlineDevice cpu;
  const DoublingRuntime runtime;
  const auto session = runtime.open(model_options(), cpu);
  EXPECT_EQ(session->copy_in(0, session->stream(), HostMemory::pinned), 0u);
  EXPECT_EQ(session->copy_out(0, session->stream(), HostMemory::pinned), 0u);
}

TEST(SessionBase, CountsSpecialValuesOfItsInputs) {
  InlineDevice cpu;
  const TemporaryFolder folder;
  ModelOptions o = model_options(2, 1);
  o.input_ranges.clear();
  o.input_files["x"] = write_values(folder, {0, 1e-39f, 1, INFINITY});
  const auto shares = DoublingRuntime().open(o, cpu)->input_values();
  ASSERT_TRUE(shares);
  EXPECT_EQ(shares->zero, 0.25);
  EXPECT_EQ(shares->subnormal, 0.25);
  EXPECT_EQ(shares->not_finite, 0.25);
}

TEST(SessionBase, CountsValuesThatRepeatInAFileButNotRandomOnes) {
  InlineDevice cpu;
  const TemporaryFolder folder;
  ModelOptions o = model_options(1, 2);
  o.input_ranges.clear();
  EXPECT_EQ(DoublingRuntime().open(o, cpu)->input_values()->repeated, 0);
  o.input_files["x"] = write_values(folder, std::vector<float>(8, 1));
  EXPECT_EQ(DoublingRuntime().open(o, cpu)->input_values()->repeated, 1);
}

TEST_F(SessionBaseOnGpu, CountsWhatMayBeSpecialOnTheDevice) {
  const TemporaryFolder folder;
  const DoublingRuntime runtime;
  ModelOptions tiny = model_options();
  tiny.input_ranges["*"] = {1e-40, 2e-40};
  EXPECT_EQ(runtime.open(tiny, gpu_)->input_values()->subnormal, 1);
  ModelOptions from_file = model_options(2, 1), random = model_options();
  from_file.input_ranges.clear();
  from_file.input_files["x"] = write_values(folder, {0, 0, 0, 1});
  EXPECT_EQ(runtime.open(from_file, gpu_)->input_values()->zero, 0.75);
  random.input_ranges.clear();  // the fake kernel leaves zeros, which a real one does not: nobody looks
  EXPECT_EQ(runtime.open(random, gpu_)->input_values()->zero, 0);
}

TEST_F(SessionBaseOnGpu, CopiesInWhatTheInputsHeldAndGivesTheBytes) {
  const DoublingRuntime runtime;
  const auto session = runtime.open(model_options(), gpu_);
  for (const HostMemory memory : {HostMemory::pinned, HostMemory::pageable}) {
    const float first = session->input(1)[0];
    EXPECT_EQ(session->copy_in(3, session->stream(), memory), 8u * 4 * sizeof(float));
    session->input(1)[0] = -1;
    session->copy_in(3, session->stream(), memory);
    EXPECT_EQ(session->input(1)[0], first);
  }
  EXPECT_EQ(session->copy_out(3, session->stream(), HostMemory::pageable), 8u * 4 * sizeof(float));
}

TEST_F(SessionBaseOnGpu, WorksOnTheStreamOfTheOptions) {
  const DoublingRuntime runtime;
  const auto shared = gpu_.stream();
  ModelOptions o = model_options();
  o.stream = shared->native();
  EXPECT_EQ(runtime.open(o, gpu_)->stream().native(), shared->native());
  EXPECT_NE(runtime.open(model_options(), gpu_)->stream().native(), shared->native());
}

TEST_F(SessionBaseOnGpu, RefusesWhatDoesNotFitBeforeItIsAllocated) {
  testing::fake_cuda().memory = 2 * 8 * 4 * sizeof(float) * 2;  // two input sets and their outputs
  const DoublingRuntime runtime;
  EXPECT_NO_THROW(runtime.open(model_options(), gpu_));
  const Error e = error_of([&] { runtime.open(model_options(2, 9), gpu_); });
  EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
  EXPECT_TRUE(has(e.what(), "inputs and outputs need")) << e.what();
  const Error many = error_of([&] { runtime.open(model_options(3), gpu_); });
  EXPECT_EQ(many.code(), ErrorCode::out_of_memory);
  EXPECT_STREQ(many.what(),
               "3 sets of inputs and outputs need 768 B: 512 B are free. Use fewer sets, or a smaller batch or shape.");
}

TEST_F(SessionBaseOnGpu, SeesABrokenContextBehindWhatTheRuntimeSays) {
  const DoublingRuntime breaks([](auto, auto) {
    testing::fake_cuda().synchronize = CUDA_ERROR_ILLEGAL_ADDRESS;
    throw std::runtime_error("internal error");
  });
  {
    const auto session = breaks.open(model_options(), gpu_);
    EXPECT_EQ(error_of([&] { session->submit(0); }).code(), ErrorCode::device_lost);
  }  // ends without a word, though nothing can be waited for
  testing::fake_cuda().synchronize = CUDA_SUCCESS;
}

}  // namespace
}  // namespace strobe
