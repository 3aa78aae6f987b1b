# SPDX-License-Identifier: Apache-2.0
# The version is that of project(); the commit is read at configure time, which a commit asks for anew in a release build:
# records name it. Plugins carry both as their build id.
execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE STROBE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT STROBE_COMMIT)
  set(STROBE_COMMIT "unknown")
endif()
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} rev-parse --path-format=absolute --git-path logs/HEAD
                OUTPUT_VARIABLE _strobe_log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND _strobe_log AND EXISTS ${_strobe_log})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_strobe_log})
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/build_info.h.in ${PROJECT_BINARY_DIR}/generated/base/build_info.h @ONLY)
