// SPDX-License-Identifier: Apache-2.0
// Which files an ONNX model keeps weights in, beside its own: no runtime tells. Reads as much of the file as that
// takes, and leaves it to the runtime to say what is wrong with a broken one.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace strobe {

// Names as the model has them, relative to its folder; none for what is not an ONNX model.
std::set<std::string> external_data_of(const std::filesystem::path& model);

}  // namespace strobe
