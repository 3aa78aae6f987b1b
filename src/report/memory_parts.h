// SPDX-License-Identifier: Apache-2.0
// What a record says of memory as every report shows it.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

namespace strobe {

// "199 MB  [198, 200]"; a negative remainder has its sign.
std::string memory_text(const Estimate& bytes);

// "in use of the allocator 44.0 MB · unexplained 18.9 MB"
std::string parts_text(const std::vector<MemoryPart>&);

// One sentence each; empty where there is nothing to say.
std::string growth_sentence(const MemoryPlace&);
std::string allocator_sentence(const Record&);
std::string events_sentence(const Record&);
std::string fit_sentence(const Record&);

// A level over a launch on the time of another: each phase as long as `like` has it.
std::vector<MemoryPoint> on_time_of(const MemoryPlace&, const std::vector<MemoryPhase>& like);

}  // namespace strobe
