// SPDX-License-Identifier: Apache-2.0
// What a stage of a pipeline file may do besides running a model: work on the host, copies, simulated kernels.
#pragma once

#include <initializer_list>
#include <string>

#include "cli/yaml_map.h"
#include "workload/pipeline/pipeline_plan.h"

namespace strobe::cli {

Task read_host(const yaml::Value&);  // cpu: {spin: 100us}
Task read_copy(const yaml::Value&);  // copy: {direction: in, bytes: 64MiB, memory: pinned}
Task read_sim(const yaml::Value&);   // sim: {kernels: 20x1us, launch: 5us}

// What a file means by a relative path: from where the file lies, wherever the program is started.
std::string beside(const yaml::Value&, const std::string& path);

std::string word_of(const yaml::Value&, std::initializer_list<std::string> words);

}  // namespace strobe::cli
