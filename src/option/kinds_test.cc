// SPDX-License-Identifier: Apache-2.0
#include "option/kinds.h"

#include <gtest/gtest.h>

#include "option/forms.h"
#include "option/member.h"
#include "testing/contains.h"

namespace strobe {
namespace {

using namespace std::chrono_literals;

enum class Pace { slow, fast };
constexpr std::array kPaces{kinds::Word<Pace>{Pace::slow, "slow"}, kinds::Word<Pace>{Pace::fast, "fast"}};

struct Trip {
  std::optional<std::size_t> stops = {};
  std::optional<std::chrono::nanoseconds> rest = {};
  std::vector<double> shares = {};
  Pace pace = Pace::slow;
  bool night = false, no_guide = false;
  std::map<std::string, std::string> notes = {};
  std::string diary = {};
};

constexpr std::array kTrip{
    Option<Trip>{"stops", "N", "", "", member<&Trip::stops, kinds::Count<1, 9>>(), {.recorded = Recorded::where_given}},
    Option<Trip>{"rest", "TIME", "", "", member<&Trip::rest, kinds::TimeAboveZero>(), {.recorded = Recorded::always}},
    Option<Trip>{
        "shares", "LIST", "", "", member<&Trip::shares, kinds::ListOf<kinds::Share>>(), {.recorded = Recorded::always}},
    Option<Trip>{"pace", "WORD", "", "", member<&Trip::pace, kinds::OneOf<kPaces>>(), {.recorded = Recorded::always}},
    Option<Trip>{"night", "", "", "", member<&Trip::night, kinds::Flag>(), {.recorded = Recorded::always}},
    Option<Trip>{"no-guide",
                 "",
                 "",
                 "",
                 member<&Trip::no_guide, kinds::Without>(),
                 {.recorded = Recorded::where_given, .needs_file = true}},
    Option<Trip>{
        "notes", "KEY=VALUE", "", "", member<&Trip::notes, kinds::Assignments>(), {.recorded = Recorded::where_given}},
    Option<Trip>{"diary", "FILE", "", "", member<&Trip::diary, kinds::Text>(), {.handed_on = false}},
};
constexpr std::span<const Option<Trip>> kTable = kTrip;

Trip typed(std::initializer_list<std::pair<std::string_view, std::vector<std::string>>> words) {
  Trip t;
  for (const auto& [name, values] : words) {
    for (const Option<Trip>& o : kTable) {
      if (o.name == name) o.form.read(values, o.typed_name(), t);
    }
  }
  return t;
}

const Trip kLong = typed({{"stops", {"3"}},
                          {"rest", {"2ms"}},
                          {"shares", {"0.5%,1"}},
                          {"pace", {"fast"}},
                          {"night", {}},
                          {"no-guide", {}},
                          {"notes", {"a=b=c", "d="}},
                          {"diary", {"d.txt"}}});

TEST(Options, AreReadAsTyped) {
  EXPECT_EQ(kLong.stops, 3u);
  EXPECT_EQ(kLong.rest, 2ms);
  EXPECT_EQ(kLong.shares, (std::vector<double>{0.005, 1}));
  EXPECT_EQ(kLong.pace, Pace::fast);
  EXPECT_TRUE(kLong.night && kLong.no_guide);
  EXPECT_EQ(kLong.notes.at("a"), "b=c");
}

TEST(Options, GoThroughJsonButForThoseThatStay) {
  const nlohmann::json j = options_json(kTable, kLong);
  EXPECT_EQ(j.at("rest"), 2'000'000);
  EXPECT_EQ(j.at("pace"), "fast");
  EXPECT_FALSE(j.contains("diary"));
  Trip other;
  take_options(kTable, j, other);
  EXPECT_EQ(options_json(kTable, other), j);
  EXPECT_EQ(other.diary, "");
  EXPECT_EQ(options_json(kTable, {}), nlohmann::json::object());
  EXPECT_THROW(take_options(kTable, {{"sotps", 3}}, other), Error);
}

TEST(Options, AreRecordedAsTheirRowsSay) {
  Scalars all, few;
  describe_options(kTable, kLong, all);
  describe_options(kTable, {}, few);
  EXPECT_EQ(all.at("stops"), Scalar(std::int64_t{3}));
  EXPECT_EQ(all.at("rest_ns"), Scalar(2e6));
  EXPECT_EQ(all.at("shares"), Scalar(std::string("0.005,1")));
  EXPECT_EQ(all.at("guide"), Scalar(false));
  EXPECT_EQ(all.at("notes.a"), Scalar(std::string("b=c")));
  EXPECT_FALSE(all.contains("diary"));
  EXPECT_EQ(few, (Scalars{{"shares", std::string()}, {"pace", std::string("slow")}, {"night", false}}));
}

TEST(Options, AreRefusedBeyondTheirLimitsAsTypedAndAsSet) {
  const auto refusal = [](auto&& f) {
    try {
      f();
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_TRUE(
      testing::has(refusal([] { typed({{"stops", {"0"}}}); }), "cannot read --stops '0': it must be at least 1"));
  EXPECT_TRUE(testing::has(refusal([] { typed({{"stops", {"10"}}}); }), "at most 9"));
  EXPECT_TRUE(testing::has(refusal([] { typed({{"rest", {"0s"}}}); }), "--rest is 0"));
  EXPECT_TRUE(testing::has(refusal([] { typed({{"notes", {"a=1", "a=2"}}}); }), "given twice for 'a'"));
  EXPECT_TRUE(testing::has(refusal([] { check_options(kTable, {.stops = 10}); }),
                           "cannot use --stops 10: it must be at most 9"));
  EXPECT_TRUE(testing::has(refusal([] { check_options(kTable, {.stops = SIZE_MAX}); }), "at most 9"));
  EXPECT_TRUE(testing::has(refusal([] { check_options(kTable, {.shares = {2}}); }), "between 0 and 1"));
  EXPECT_TRUE(testing::has(refusal([] { kinds::Count<1>::check(std::int64_t{-1}, "--batch"); }), "at least 1"));
  EXPECT_EQ(refusal([] { check_options(kTable, kLong); }), "");
}

TEST(Options, AreFoundWhereTheyWereGiven) {
  const auto files = [](const OptionTraits& t) { return t.needs_file; };
  ASSERT_TRUE(given_option(kTable, kLong, files));
  EXPECT_EQ(given_option(kTable, kLong, files)->name, "no-guide");
  EXPECT_FALSE(given_option(kTable, {.night = true}, files));
}

TEST(SingleAssignments, AreSeveralInOne) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(kinds::single_assignments({"a=1,b=2", "c=3"}), (Words{"a=1", "b=2", "c=3"}));
  EXPECT_EQ(kinds::single_assignments({"a,b=2"}), (Words{"a,b=2"}));
}

}  // namespace
}  // namespace strobe
