// SPDX-License-Identifier: Apache-2.0
// Conductors for tests: one that decides as a run alone does, and a pair that stands for two devices led by one. The
// leader decides and writes down each answer; the follower gives the same answers to somebody else, whatever the goals,
// clocks and opinions are there. It has no answer to a question that the leader was not asked.
#pragma once

#include <deque>
#include <stdexcept>
#include <utility>

#include "measure/conductor.h"

namespace strobe {

inline LocalConductor alone;  // has no state

struct Decision {
  enum class To { stopped, more, reached, decide, agree } to;
  double value = 0;
};

class Leader final : public Conductor {
 public:
  explicit Leader(std::function<bool()> stop = {}) : local_(std::move(stop)) {}

  bool stopped() override { return keep(Decision::To::stopped, local_.stopped()); }
  bool more(const Goal& g, const Count& done, nanoseconds now) override {
    return keep(Decision::To::more, local_.more(g, done, now));
  }
  bool reached(nanoseconds when, nanoseconds now) override {
    return keep(Decision::To::reached, local_.reached(when, now));
  }
  bool decide(bool here) override { return keep(Decision::To::decide, local_.decide(here)); }
  double agree(double here) override {
    answers.push_back({Decision::To::agree, here});
    return here;
  }
  using Conductor::agree;

  std::deque<Decision> answers;

 private:
  bool keep(Decision::To to, bool value) {
    answers.push_back({to, value ? 1.0 : 0.0});
    return value;
  }
  LocalConductor local_;
};

class Follower final : public Conductor {
 public:
  explicit Follower(std::deque<Decision> answers) : left(std::move(answers)) {}

  bool stopped() override { return take(Decision::To::stopped) != 0; }
  bool more(const Goal&, const Count&, nanoseconds) override { return take(Decision::To::more) != 0; }
  bool reached(nanoseconds, nanoseconds) override { return take(Decision::To::reached) != 0; }
  bool decide(bool) override { return take(Decision::To::decide) != 0; }
  double agree(double) override { return take(Decision::To::agree); }
  using Conductor::agree;

  std::deque<Decision> left;

 private:
  double take(Decision::To to) {
    if (left.empty() || left.front().to != to) throw std::logic_error("the leader was not asked this");
    const double value = left.front().value;
    left.pop_front();
    return value;
  }
};

}  // namespace strobe
