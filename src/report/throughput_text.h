// A search for throughput as text: the points that were tried, and what they answer.
#pragma once

#include <string>

#include <strobe/record.h>

namespace strobe {

std::string throughput_text(const Record&);

}  // namespace strobe
