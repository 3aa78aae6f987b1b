// SPDX-License-Identifier: Apache-2.0
// `strobe profile --diff before.json after.json`: two stored profiles, layer by layer.
#pragma once

#include <strobe/record.h>
#include <strobe/study.h>

namespace strobe {

// What `compare` says of the two, and of each layer how its time changed, the largest change first. Layers are the same
// where name and type are. Throws Error (usage) where one of them is no profile with layers.
Record compare_profiles(const StoredRecord& before, const StoredRecord& after, const CompareRecordsOptions& = {});

}  // namespace strobe
