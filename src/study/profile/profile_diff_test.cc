// SPDX-License-Identifier: Apache-2.0
#include "study/profile/profile_diff.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "record/metric_names.h"
#include "stats/middle.h"

namespace strobe {
namespace {

LayerResult layer(const char* name, std::vector<double> launches) {
  LayerResult l{.name = name, .type = "Conv"};
  l.launches = std::move(launches);
  l.time.value = stats::middle_of(l.launches);
  return l;
}

StoredRecord stored(const char* name, std::vector<LayerResult> layers) {
  StoredRecord s{.name = name, .record = {}};
  s.record.verb = "profile";
  s.record.metrics[metric::latency].estimate.value = 1e6;
  s.record.profile.requests = 60;
  s.record.profile.layers = std::move(layers);
  return s;
}

TEST(ProfileDiff, NamesTheLayerThatBecameSlower) {
  const StoredRecord a = stored("a", {layer("x", {100, 101, 99, 100, 102, 98}), layer("y", {50, 51, 49, 50, 52, 48})});
  const StoredRecord b =
      stored("b", {layer("x", {130, 131, 129, 130, 132, 128}), layer("y", {50, 49, 51, 50, 48, 52})});
  const auto differences = compare_profiles(a, b).profile.differences;
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].name, "x");  // the largest change first
  EXPECT_EQ(differences[0].outcome, "slower");
  EXPECT_NEAR(differences[0].ratio->value, 1.3, 0.01);
  EXPECT_NE(differences[1].outcome, "slower");
  EXPECT_NE(differences[1].outcome, "faster");
}

TEST(ProfileDiff, KeepsLayersThatOnlyOneOfThemHas) {
  const StoredRecord a = stored("a", {layer("x", {100, 101}), layer("gone", {10, 11})});
  const StoredRecord b = stored("b", {layer("x", {100, 101}), layer("fused", {30, 31})});
  const auto differences = compare_profiles(a, b).profile.differences;
  ASSERT_EQ(differences.size(), 3u);
  EXPECT_EQ(differences[0].name, "fused");
  EXPECT_FALSE(differences[0].before_ns);
  EXPECT_FALSE(differences[0].ratio);
  EXPECT_EQ(differences[1].name, "gone");
  EXPECT_FALSE(differences[1].after_ns);
}

// A hundred layers that did not change: at the 1 % level one of them would be named without the family's correction.
TEST(ProfileDiff, NamesNoLayerByChance) {
  std::vector<LayerResult> before, after;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "l" + std::to_string(i);
    const double odd = i == 7 ? 0.5 : 0;  // as far apart as 1 in 100 by chance
    before.push_back(layer(name.c_str(), {100, 101, 99, 100.5, 99.5, 100}));
    after.push_back(
        layer(name.c_str(), {100 + odd, 101 + 2 * odd, 99 + 2 * odd, 100.5 + odd, 99.5 + 3 * odd, 100 + odd}));
  }
  for (const LayerDifference& d : compare_profiles(stored("a", before), stored("b", after)).profile.differences)
    EXPECT_NE(d.outcome, "slower") << d.name;
}

TEST(ProfileDiff, RefusesWhatIsNoProfile) {
  const StoredRecord a = stored("a", {layer("x", {100, 101})}), run = stored("run", {});
  EXPECT_THROW(compare_profiles(a, run), Error);
}

}  // namespace
}  // namespace strobe
