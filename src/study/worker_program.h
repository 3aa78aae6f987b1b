// SPDX-License-Identifier: Apache-2.0
// The program that worker processes run. A process that uses the library need not be `strobe` itself.
#pragma once

#include <filesystem>
#include <string>

namespace strobe {

// Where to look, in this order; what is empty is left out.
struct ProgramSearch {
  std::string named;              // $STROBE_PROGRAM: this one or none
  std::filesystem::path self;     // the program that runs, if it is called strobe
  std::filesystem::path library;  // libstrobe.so: ../bin beside it, or ../../bin where it lies in lib/<machine>
  std::string path;               // $PATH
};

// Throws Error (not_found).
std::string find_program(const ProgramSearch&);

// With what this process has.
std::string strobe_program();

}  // namespace strobe
