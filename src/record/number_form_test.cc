// SPDX-License-Identifier: Apache-2.0
#include "record/number_form.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

DecimalSign decimal_of(std::initializer_list<const char*> numbers) {
  NumberForms forms;
  for (const char* n : numbers) forms.add(n);
  return forms.decimal();
}

TEST(PlainNumber, HasNoSeparatorsAndADecimalPoint) {
  EXPECT_EQ(plain_number("1.234,5", DecimalSign::comma), "1234.5");
  EXPECT_EQ(plain_number("1,234.5", DecimalSign::point), "1234.5");
  EXPECT_EQ(plain_number("12,345,678", DecimalSign::point), "12345678");
  EXPECT_EQ(plain_number("-1,234", DecimalSign::point), "-1234");
  EXPECT_EQ(plain_number("-1,234", DecimalSign::comma), "-1.234");
  EXPECT_EQ(plain_number("1.5e-3", DecimalSign::point), "1.5e-3");
}

TEST(PlainNumber, NeedsGroupsOfThreeDigits) {
  for (const char* text : {"1,5", "12,34.5", "1234,567.8", "1,2345.6", "0,123.4", ",123.4", "1.5,000", "1,234.5.6"})
    EXPECT_FALSE(plain_number(text, DecimalSign::point)) << text;
  for (const char* text : {"1.5", "0.123", "1.234.5", "1,234,567"})
    EXPECT_FALSE(plain_number(text, DecimalSign::comma)) << text;
}

TEST(NumberForms, TellTheDecimalSignFromAllNumbers) {
  EXPECT_EQ(decimal_of({"1.5", "2.25"}), DecimalSign::point);
  EXPECT_EQ(decimal_of({"1.234", "2.345"}), DecimalSign::point);
  EXPECT_EQ(decimal_of({"1,5", "1,234"}), DecimalSign::comma);
  EXPECT_EQ(decimal_of({"0,123", "1,234"}), DecimalSign::comma);
  EXPECT_EQ(decimal_of({"1.234,5", "1.234", "987"}), DecimalSign::comma);
  EXPECT_EQ(decimal_of({"1,234.5", "1,234", "987"}), DecimalSign::point);
  EXPECT_EQ(decimal_of({"1,234,567", "1,234"}), DecimalSign::point);
  EXPECT_EQ(decimal_of({}), DecimalSign::point);
}

TEST(NumberForms, AreRefusedWhereTheyLeaveAChoice) {
  EXPECT_THROW(decimal_of({"1,234", "2,345"}), Error);
  EXPECT_THROW(decimal_of({"987", "1,234"}), Error);
  EXPECT_THROW(decimal_of({"1.5", "2,5"}), Error);
  EXPECT_THROW(decimal_of({"1.234,5", "1,234.5"}), Error);
  EXPECT_THROW(decimal_of({"987.6", "1,234"}), Error);
  EXPECT_THROW(decimal_of({"1.234", "1,5"}), Error);
}

}  // namespace
}  // namespace strobe
