# SPDX-License-Identifier: Apache-2.0
# How our own targets are compiled, and how tests and plugins are declared.
include(CheckCXXCompilerFlag)

function(strobe_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(STROBE_DEVELOPER)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Werror
      $<$<CXX_COMPILER_ID:Clang>:-Wcomma>)  # a comma is not a semicolon; g++ has no such warning
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # False alarms of g++ 12 and 13 in std::string itself (GCC bug 105651 and its like).
      target_compile_options(${target} PRIVATE -Wno-restrict)
      if(STROBE_SANITIZE)
        target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)   # false alarms in instrumented code
      endif()
    endif()
  endif()
  if(STROBE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${STROBE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${STROBE_SANITIZE})
  endif()
endfunction()

# Sets `python`: that of .venv, where the packages of tests and models are, else any.
macro(strobe_find_python)
  if(EXISTS ${PROJECT_SOURCE_DIR}/.venv/bin/python)
    set(python ${PROJECT_SOURCE_DIR}/.venv/bin/python)
  else()
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(python ${Python3_EXECUTABLE})
  endif()
endmacro()

# strobe_tests(<name> SOURCES a_test.cc ... [LABELS ...] [TIMEOUT seconds]): one test program; every case is a CTest test.
function(strobe_tests name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LABELS" ${ARGN})
  if(NOT STROBE_TESTS OR (STROBE_SANITIZE AND "slow" IN_LIST arg_LABELS))
    return()
  endif()
  add_executable(${name}_test ${arg_SOURCES})
  strobe_compile_options(${name}_test)
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${name}_test PRIVATE strobe fmt::fmt-header-only nlohmann_json::nlohmann_json CudaHeaders::headers GTest::gtest_main)
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set(properties TIMEOUT ${arg_TIMEOUT})
  if(arg_LABELS)
    list(APPEND properties LABELS "${arg_LABELS}")
  endif()
  gtest_discover_tests(${name}_test TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# strobe_plugin_library(<name> a.cc ...): a library of a plugin, where the program looks for it. It is linked to libstrobe; what else
# it needs is for the caller to add.
function(strobe_plugin_library name)
  add_library(${name} MODULE ${ARGN})
  strobe_compile_options(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${name} PRIVATE strobe fmt::fmt-header-only nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS})
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/strobe
                        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/..")
endfunction()
