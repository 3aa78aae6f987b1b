// SPDX-License-Identifier: Apache-2.0
// What an ONNX model says that not every runtime tells: which files it keeps weights in, beside its own, and what
// whoever made it wrote into it. Reads as much of the file as that takes, and leaves it to the runtime to say what is
// wrong with a broken one.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace strobe {

// Names as the model has them, relative to its folder; none for what is not an ONNX model.
std::set<std::string> external_data_of(const std::filesystem::path& model);

// Its metadata; none for what is not an ONNX model.
std::map<std::string, std::string> onnx_metadata(const std::filesystem::path& model);

}  // namespace strobe
