// SPDX-License-Identifier: Apache-2.0
#include "report/page/markup.h"

#include <gtest/gtest.h>

namespace strobe::page {
namespace {

TEST(Escaped, IsInertInElementsAndInAttributes) {
  EXPECT_EQ(escaped(R"(<script>"a" & 'b'</script>)").text,
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;");
}

TEST(Escaped, KeepsLettersOfOtherLanguagesAndDropsControlCharacters) {
  EXPECT_EQ(escaped("µs ∞ 模型").text, "µs ∞ 模型");
  EXPECT_EQ(escaped(std::string_view("a\0b\x1b[1m", 7)).text,
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd[1m");
}

TEST(EmbeddedJson, CannotEndTheElementThatHoldsIt) {
  EXPECT_EQ(embedded_json(R"({"x": "</script><!--"})"), R"({"x": "\u003c/script>\u003c!--"})");
}

TEST(Number, CarriesTheExactValueBesideTheRoundedOne) {
  EXPECT_EQ(number(608482.5, "latency", "median", "608 µs").text,
            R"(<data value="608482.5" data-metric="latency" data-field="median">608 µs</data>)");
}

TEST(Interval, ShowsAnOpenSideWithoutInventingANumber) {
  const std::string text = interval({2e6, 1e6, {}, true, {}}, "latency", "median", "ns").text;
  EXPECT_NE(text.find(R"(data-field="median.low">1.00</data>, ∞])"), std::string::npos) << text;
  EXPECT_EQ(text.find("median.high"), std::string::npos);
  EXPECT_EQ(interval({2e6, {}, {}, true, {}}, "latency", "median", "ns").text, "");
}

TEST(Cells, NameTheirRowsAndColumns) {
  const std::string text = render(Cells{"caption <", {"a", "b"}, "lr", {{escaped("x"), escaped("1")}}});
  EXPECT_NE(text.find(R"(<caption>caption &lt;</caption>)"), std::string::npos);
  EXPECT_NE(text.find(R"(<th scope="col">a</th><th scope="col" class="r">b</th>)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(<th scope="row">x</th><td class="r">1</td>)"), std::string::npos) << text;
}

TEST(Markup, KeepsANumberAndItsPercentSignInOneLine) {
  EXPECT_EQ(unbroken("±14 %: 60 % of <it>").text, "±14\u00a0%: 60\u00a0% of &lt;it&gt;");
}

}  // namespace
}  // namespace strobe::page
