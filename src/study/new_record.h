// What every record begins with: which strobe, when, on what machine.
#pragma once

#include <string>

#include <strobe/record.h>

namespace strobe {

Record new_record(std::string verb);

}  // namespace strobe
