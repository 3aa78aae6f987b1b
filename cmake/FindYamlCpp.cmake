# SPDX-License-Identifier: Apache-2.0
# yaml-cpp as a static archive, which the distributions ship beside the shared library: the build folder must run on
# machines that have neither. Gives YamlCpp::static.
find_path(YamlCpp_INCLUDE_DIR yaml-cpp/yaml.h)
find_library(YamlCpp_LIBRARY NAMES libyaml-cpp.a yaml-cpp)   # the shared one where there is no archive

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(YamlCpp REQUIRED_VARS YamlCpp_LIBRARY YamlCpp_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "'make setup' installs it (libyaml-cpp-dev)")

if(YamlCpp_FOUND AND NOT TARGET YamlCpp::static)
  add_library(YamlCpp::static UNKNOWN IMPORTED)
  set_target_properties(YamlCpp::static PROPERTIES IMPORTED_LOCATION ${YamlCpp_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${YamlCpp_INCLUDE_DIR})
endif()
mark_as_advanced(YamlCpp_INCLUDE_DIR YamlCpp_LIBRARY)
