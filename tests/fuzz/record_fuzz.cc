// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <strobe/record.h>

#include "refused.h"
#include "report/formats.h"

// What was read must be writable in every format, and come back as it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return strobe::fuzz::parses_or_refuses(data, size, [](std::string_view text) {
    const strobe::Record record = strobe::parse_record(text);
    const std::string once = strobe::json(record);
    if (strobe::json(strobe::parse_record(once)) != once) std::abort();
    for (const char* format : {"text", "csv", "md", "html", "gbench", "prom"})
      strobe::format_named(format).render(record, {});
  });
}
