#include <cstdlib>

#include <strobe/record.h>

#include "refused.h"

// What was read must be writable, and come back as it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return strobe::fuzz::parses_or_refuses(data, size, [](std::string_view text) {
    const strobe::Record record = strobe::parse_record(text);
    const std::string once = strobe::json(record);
    if (strobe::json(strobe::parse_record(once)) != once) std::abort();
    strobe::text(record);
  });
}
