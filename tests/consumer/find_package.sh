#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a build, moves the installed folder elsewhere, and uses it as a stranger would: the program, and find_package.
#   find_package.sh SOURCE BUILD FOLDER
set -euo pipefail
source=$1 build=$2 folder=$3
prefix=$folder/moved

fail() { echo "consumer: $*" >&2; exit 1; }
must_use_its_own_library() {
  # Not grep -q: it stops reading at the first hit, and the writer's broken pipe would count as a failure.
  ldd "$1" | grep "libstrobe\.so[.0-9]* => $prefix/" >/dev/null || { ldd "$1" >&2; fail "$1 does not find the library it was installed with"; }
}

measured() { "$@" || [[ $? == 1 ]]; }   # 1: measured, but so few requests are no result
quietly() { "$@" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "failed: $*"; }; }

rm -rf "$folder"
mkdir -p "$folder"
quietly cmake --install "$build" --prefix "$folder/installed"
mv "$folder/installed" "$prefix"
for file in "$LIBDIR"/libstrobe.so "$LIBDIR"/cmake/strobe/strobe-config.cmake include/strobe/strobe.h share/strobe/python/zoo/models.json; do
  [[ -e $prefix/$file ]] || fail "$file was not installed"
done
if grep -rlF -e "$source" -e "$build" "$prefix/$LIBDIR/cmake" "$prefix/include"; then fail "these files name the folder they were built in"; fi
must_use_its_own_library "$prefix/bin/strobe"
for plugin in "$prefix/$LIBDIR"/strobe/strobe_*.so; do
  # Parts of a plugin may do without the library altogether.
  if [[ -e $plugin && $(readelf -d "$plugin") == *'[libstrobe.so'* ]]; then must_use_its_own_library "$plugin"; fi
done

cd /   # nothing may depend on where it is called from
"$prefix/bin/strobe" --version
"$prefix/bin/strobe" zoo | grep '^zoo:resnet18 ' >/dev/null || fail "strobe zoo does not list resnet18"
measured "$prefix/bin/strobe" run work:null --requests 10 --warmup 0 | grep '^latency '
model=${STROBE_ZOO:-}/mobilenet_v3_small.onnx
if [[ -e $model && -e $prefix/$LIBDIR/strobe/strobe_onnxruntime.so ]]; then
  measured "$prefix/bin/strobe" run "$model" --requests 1 --warmup 0 | grep '^latency '
fi

quietly cmake -S "$source/examples/measure_lambda" -B "$folder/build" -G "$GENERATOR" -DCMAKE_CXX_COMPILER="$CXX" \
      -DCMAKE_CXX_COMPILER_LAUNCHER="$LAUNCHER" -DCMAKE_PREFIX_PATH="$prefix"
quietly cmake --build "$folder/build"
must_use_its_own_library "$folder/build/measure_lambda"
"$folder/build/measure_lambda" 0.5 | grep '^latency '
