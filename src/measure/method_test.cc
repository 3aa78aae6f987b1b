// SPDX-License-Identifier: Apache-2.0
#include "measure/method.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "record/metric_names.h"

namespace strobe {
namespace {

TEST(CheckMethod, RefusesToReadADeviceClockAtOnceWithoutWaiting) {
  Method m{.clock = Method::Clock::device, .wait = Method::Wait::none, .read = Method::Read::request};
  EXPECT_THROW(check_method(m), Error);
  for (const auto wait : {Method::Wait::event, Method::Wait::stream, Method::Wait::device}) {
    m.wait = wait;
    EXPECT_NO_THROW(check_method(m));
  }
}

std::string refusal_of(const Method& m) {
  try {
    check_method(m);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_method);
    return e.cause();
  }
  return {};
}

TEST(CheckMethod, SaysOfEachRefusedCombinationWhy) {
  using Queue = Method::Queue;
  using Wait = Method::Wait;
  constexpr auto kDevice = Method::Clock::device;
  constexpr auto kBlock = Method::Scope::block;
  EXPECT_EQ(refusal_of({.queue = Queue::gated}), "it would count the time for which the gate is held");
  EXPECT_EQ(refusal_of({.wait = Wait::none, .queue = Queue::full}),
            "nothing would limit how many requests are in flight");
  EXPECT_EQ(refusal_of({.wait = Wait::device, .queue = Queue::full}), "the queue would be empty after each request");
  EXPECT_EQ(refusal_of({.wait = Wait::event, .queue = Queue::full, .cold = true}),
            "the cache cannot be flushed between requests in a full queue");
  EXPECT_EQ(refusal_of({.scope = kBlock, .cold = true}), "only the first request of a block would find the cache cold");
  EXPECT_EQ(refusal_of({.second = true}), "only behind a gate does another request stand before it");
  EXPECT_EQ(refusal_of({.spin_gate = true}), "nothing holds the queue back");
  EXPECT_NE(refusal_of({.form = Method::Form::graph, .warmup = false}), "");
  EXPECT_EQ(refusal_of({.once = true}), "there is one such request, before any warm-up");
  EXPECT_EQ(refusal_of({.clock = kDevice, .wait = Wait::none, .scope = kBlock, .queue = Queue::full}), "");
  EXPECT_EQ(refusal_of({.wait = Wait::event, .queue = Queue::full}), "");
  EXPECT_EQ(refusal_of({.clock = kDevice, .wait = Wait::none, .cold = true}), "");
  EXPECT_EQ(refusal_of(first_call().method), "");
}

TEST(Claims, AreTheMetricThatPeopleTakeAMethodFor) {
  for (const NamedMethod& n : named_methods()) EXPECT_EQ(claim_of(n.method), n.claims) << n.method.name;
  EXPECT_EQ(claim_of(first_call().method), metric::first_request);
  EXPECT_EQ(claim_of({.form = Method::Form::graph}), metric::replay_latency);
  EXPECT_EQ(claim_of({.scope = Method::Scope::block, .form = Method::Form::graph}), "");
}

TEST(About, HasAPhraseForEveryMethod) {
  for (const NamedMethod& n : named_methods()) EXPECT_FALSE(about(n.method, true).empty());
  EXPECT_EQ(about({.wait = Method::Wait::none}, true), "counts submission only");
  EXPECT_EQ(about({.wait = Method::Wait::none}, false), "each request between two clock readings");
  EXPECT_NE(about({.scope = Method::Scope::block, .queue = Method::Queue::full}, true).find("earlier requests"),
            std::string_view::npos);
}

}  // namespace
}  // namespace strobe
