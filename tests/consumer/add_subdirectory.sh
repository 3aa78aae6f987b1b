#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds a project that has Strobe as a subfolder, and runs it. The project's own CMakeLists.txt makes the checks.
#   add_subdirectory.sh SOURCE BUILD FOLDER
set -euo pipefail
source=$1 folder=$3

# No build type would make it Strobe's default, Release; unoptimised is quicker to build and enough here.
cmake --fresh -S "$source/tests/consumer/add_subdirectory" -B "$folder" -G "$GENERATOR" -DCMAKE_CXX_COMPILER="$CXX" \
      -DCMAKE_CXX_COMPILER_LAUNCHER="$LAUNCHER" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 -DSTROBE="$source" >/dev/null
cmake --build "$folder"
"$folder/consumer"
