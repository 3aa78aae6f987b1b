// SPDX-License-Identifier: Apache-2.0
#include "report/text/request_text.h"

#include <gtest/gtest.h>

#include "report/text/text.h"
#include "testing/contains.h"
#include "testing/sample_records.h"

namespace strobe {
namespace {

using namespace strobe::testing;

TEST(RequestText, HasALaneForTheHostAndOneForTheDevice) {
  const Record r = sample_request();
  EXPECT_EQ(typical_request_text(r),
            "\na typical request\n"
            "  host    " +
                std::string(48, 's') + std::string(16, 'w') +
                "\n"
                "  device  " +
                std::string(64, 'o') +
                "\n"
                "          0" +
                std::string(56, ' ') +
                "2.00 ms\n"
                "          s submit, w wait, o work; . idle\n"
                "  of these 2.00 ms the device works for 520 µs (device time), and waits for the host in between; the "
                "device's lane may be off by 2.50 µs\n");
}

TEST(RequestText, SaysNothingOfGapsWhereTheDeviceIsBusyThroughout) {
  Record r = sample_request();
  r.metrics["device_time"] = sample_metric(1.99e6);
  EXPECT_EQ(request_sentence(r), "the device's lane may be off by 2.50 µs");
  r.metrics.erase("device_time");
  EXPECT_EQ(request_sentence(r), "the device's lane may be off by 2.50 µs");
}

TEST(RequestText, IsShownOnRequestOnly) {
  const Record r = sample_request();
  EXPECT_FALSE(has(text(r), "a typical request"));
  EXPECT_TRUE(has(render_text(r, {.explain = true}), "a typical request"));
  EXPECT_FALSE(has(render_text(sample_run(), {.explain = true}), "a typical request"));
}

}  // namespace
}  // namespace strobe
