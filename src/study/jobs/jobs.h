// SPDX-License-Identifier: Apache-2.0
// What a worker can do, a row each. Its options come as JSON, its answers are lines of JSON.
#pragma once

#include <iosfwd>

#include <nlohmann/json_fwd.hpp>

namespace strobe {

// `asked`: {"job": NAME, "options": {…}, "build": ID}. What goes wrong is an answer, too. Throws Error (usage) for
// something else.
void serve_job(const nlohmann::json& asked, std::istream&, std::ostream& answers);

}  // namespace strobe
