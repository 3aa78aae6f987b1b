// A pipeline's record as text: stages by method, what each method costs, the time line, idle times, gains.
#pragma once

#include <string>

#include <strobe/record.h>

namespace strobe {

std::string pipeline_text(const Record&);

}  // namespace strobe
