// SPDX-License-Identifier: Apache-2.0
#include "study/search/trial_here.h"

#include <algorithm>
#include <new>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <strobe/error.h>

#include "record/metric_names.h"
#include "study/search/trials.h"
#include "workload/open_model.h"

namespace strobe {
namespace {

// Batches of simulated work: 100 µs, and 10 µs for each item.
class Batch final : public Workload {
 public:
  explicit Batch(std::int64_t items) : items_(items), model_(open(items)) {}

  void submit(std::size_t request) override { model_.workload->submit(request); }
  Stream& stream() override { return model_.workload->stream(); }
  std::size_t items() const override { return static_cast<std::size_t>(items_); }

 private:
  static OpenedModel open(std::int64_t items) {
    OpenOptions o;
    o.model = fmt::format("sim:kernels=1x{}us", 100 + 10 * items);
    return open_model(o);
  }

  std::int64_t items_;
  OpenedModel model_;
};

BatchedWork up_to(std::int64_t largest, std::set<std::int64_t>& made) {
  return {.name = "net", .make = [&made, largest](std::int64_t batch) -> std::unique_ptr<Workload> {
            made.insert(batch);
            if (batch > largest) throw std::bad_alloc();
            return std::make_unique<Batch>(batch);
          }};
}

double rate(std::int64_t batch) {
  return static_cast<double>(batch) / (100e-6 + 10e-6 * static_cast<double>(batch));
}

TEST(ThroughputOfWork, IsTheKnownCurveAndItsSmallestBatchNearTheBest) {
  std::set<std::int64_t> made;
  const Record r = throughput(up_to(1'000'000, made), {.batches = {1, 8, 64, 256, 512}, .effort = quick});
  ASSERT_EQ(r.cases.size(), 5U);
  for (const Case& c : r.cases) {
    EXPECT_EQ(c.outcome, "fits");
    EXPECT_NEAR(rate_of(c).value_or(0), rate(batch_of(c)), 0.01 * rate(batch_of(c))) << c.name;
  }
  EXPECT_EQ(r.answer.best_batch, 256);  // 0.96 of the best, 64 has 0.88
  EXPECT_EQ(r.answer.fastest_batch, 512);
  EXPECT_NEAR(r.answer.most_items_per_second.value_or(0), 1e5, 1e3);
  EXPECT_NEAR(r.answer.half_rate_batch.value_or(0), 10, 0.5);
  EXPECT_EQ(r.model.name, "net");
  EXPECT_TRUE(r.launches.empty());
  EXPECT_TRUE(r.find(metric::throughput));
}

TEST(ThroughputOfWork, EndsItsSearchWhereMemoryDoes) {
  std::set<std::int64_t> made;
  const Record r = throughput(up_to(20, made), {.effort = quick});
  EXPECT_EQ(made.count(64), 1U);
  EXPECT_EQ(made.upper_bound(64), made.end());  // nothing larger was tried
  const auto failed =
      std::find_if(r.cases.begin(), r.cases.end(), [](const Case& c) { return c.outcome == "out-of-memory"; });
  ASSERT_NE(failed, r.cases.end());
  EXPECT_EQ(batch_of(*failed), 64);
  EXPECT_LE(r.answer.best_batch.value_or(0), 20);
  EXPECT_FALSE(r.answer.largest_batch);
}

TEST(ThroughputOfWork, LetsOtherExceptionsOut) {
  const BatchedWork work{.make = [](std::int64_t batch) -> std::unique_ptr<Workload> {
    if (batch > 1) throw std::out_of_range("no such batch");
    return std::make_unique<Batch>(batch);
  }};
  EXPECT_THROW(throughput(work, {.effort = quick}), std::out_of_range);
}

TEST(ThroughputOfWork, RefusesWhatBelongsToModels) {
  std::set<std::int64_t> made;
  const BatchedWork work = up_to(8, made);
  EXPECT_THROW(throughput(work, {.streams = {2}}), Error);
  EXPECT_THROW(throughput(work, {.launches = 3}), Error);
  EXPECT_THROW(throughput(work, {.no_largest = true}), Error);
  EXPECT_THROW(throughput(BatchedWork{}), Error);
  EXPECT_TRUE(made.empty());
}

}  // namespace
}  // namespace strobe
