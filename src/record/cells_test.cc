// SPDX-License-Identifier: Apache-2.0
#include "record/cells.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

using Cells = std::vector<std::string>;

TEST(Cells, AreSeparatedBySemicolonsTabsCommasOrBlanks) {
  for (const char* text : {"a;b\n1;2\n", "a\tb\n1\t2\n", "a,b\n1,2\n", "a b\n1   2\n"}) {
    const CellTable t = read_cells(text);
    EXPECT_EQ(t.heading, (Cells{"a", "b"})) << text;
    ASSERT_EQ(t.rows.size(), 1u) << text;
    EXPECT_EQ(t.rows[0].cells, (Cells{"1", "2"})) << text;
    EXPECT_EQ(t.rows[0].line, 2u) << text;
  }
}

TEST(Cells, MayBeInQuotes) {
  const CellTable t = read_cells("\"a, \"\"b\"\"\",c\n\" 1 \",2\n");
  EXPECT_EQ(t.heading, (Cells{"a, \"b\"", "c"}));
  EXPECT_EQ(t.rows[0].cells, (Cells{"1", "2"}));
}

TEST(Cells, KeepTheirPlaceWhereOthersAreEmpty) {
  EXPECT_EQ(read_cells("a,b,c\n1,,3\n").rows[0].cells, (Cells{"1", "", "3"}));
  EXPECT_EQ(read_cells("a,b,c\n1,2,\n").rows[0].cells, (Cells{"1", "2"}));
}

TEST(Cells, JoinANumberAndItsUnit) {
  EXPECT_EQ(read_cells("1 88.2 ms\n").rows[0].cells, (Cells{"1", "88.2 ms"}));
  EXPECT_EQ(read_cells("Latency (ms)\n1\n").heading, (Cells{"Latency (ms)"}));
}

TEST(Cells, SayWhichDecimalSignTheyHave) {
  EXPECT_EQ(read_cells("1;2,5\n").decimal, DecimalSign::comma);
  EXPECT_EQ(read_cells("1;2.5\n").decimal, DecimalSign::point);
  EXPECT_EQ(read_cells("1,2.5\n").decimal, DecimalSign::point);
  EXPECT_EQ(read_cells("1, 25\n").decimal, DecimalSign::point);
  EXPECT_EQ(read_cells("1,05\n").decimal, DecimalSign::comma);
  EXPECT_THROW(read_cells("1,25\n"), Error);
}

TEST(Cells, MayHaveThousandsSeparators) {
  for (const char* text :
       {"ms\n1,234.5\n987.6\n", "987.6\n1,234.5\n", "\"1,234.5\"\n", "a;b\n1;1,234.5\n", "a,b\n1,\"1,234.5\"\n"}) {
    const CellTable t = read_cells(text);
    EXPECT_EQ(t.decimal, DecimalSign::point) << text;
    EXPECT_TRUE(t.grouped) << text;
  }
  for (const char* text : {"ms\n1.234,5\n987,6\n", "987\n1.234,5\n", "1;1.234,5\n"}) {
    const CellTable t = read_cells(text);
    EXPECT_EQ(t.decimal, DecimalSign::comma) << text;
    EXPECT_TRUE(t.grouped) << text;
  }
}

TEST(Cells, AreRefusedWhereACommaLeavesAChoice) {
  for (const char* text :
       {"1,234.5\n1,235.6\n", "1.234,5\n1.235,6\n", "ms\n1,234\n1,235\n", "987\n1,234\n", "\"1,234\"\n"})
    EXPECT_THROW(read_cells(text), Error) << text;
  EXPECT_EQ(read_cells("1,234.5\n1,235.6\n", DecimalSign::point).columns(), 2u);
  EXPECT_EQ(read_cells("1.234,5\n1.235,6\n", DecimalSign::comma).columns(), 1u);
  EXPECT_EQ(read_cells("ms\n1,234\n1,235\n", DecimalSign::point).columns(), 1u);
  EXPECT_EQ(read_cells("ms\n1,234\n1,235\n", DecimalSign::comma).columns(), 1u);
}

TEST(Cells, AreColumnsWhereTheyAreNoSingleNumber) {
  for (const char* text : {"0,234.5\n1,235.1\n", "1,23.5\n", "0.105,12\n", "1.234,5.6\n", "1, 234.5\n"})
    EXPECT_EQ(read_cells(text).columns(), 2u) << text;
}

TEST(Cells, OfNumbersMayHaveSignsExponentsAndUnits) {
  EXPECT_EQ(read_number("+1.5e-3", DecimalSign::point)->value, 1.5e-3);
  EXPECT_EQ(read_number("1,5 ms", DecimalSign::comma)->unit, "ms");
  EXPECT_EQ(read_number("1.234,5", DecimalSign::comma)->value, 1234.5);
  EXPECT_EQ(read_number("1,234.5 ms", DecimalSign::point)->value, 1234.5);
  EXPECT_EQ(read_number("1,234.5 ms", DecimalSign::point)->unit, "ms");
  EXPECT_FALSE(read_number("1,234,567", DecimalSign::comma));
  EXPECT_FALSE(read_number("1,5", DecimalSign::point));
  EXPECT_FALSE(read_number("5 apples", DecimalSign::point));
  EXPECT_FALSE(read_number("inf", DecimalSign::point));
  EXPECT_FALSE(read_number("", DecimalSign::point));
}

}  // namespace
}  // namespace strobe
