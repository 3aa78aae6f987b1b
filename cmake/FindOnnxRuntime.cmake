# SPDX-License-Identifier: Apache-2.0
# The C/C++ headers to compile the plugin with, and the shared library that is copied beside it. The plugin never links
# the library: it opens it when it is first used.
find_path(STROBE_ONNXRUNTIME_INCLUDE_DIR onnxruntime_cxx_api.h
          HINTS ${PROJECT_SOURCE_DIR}/build/deps/onnxruntime/include PATH_SUFFIXES onnxruntime onnxruntime/core/session)
file(GLOB _strobe_ort ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/onnxruntime/capi/libonnxruntime.so.*)
if(_strobe_ort)
  list(GET _strobe_ort 0 _strobe_ort)
endif()
set(STROBE_ONNXRUNTIME_LIBRARY "${_strobe_ort}" CACHE FILEPATH "ONNX Runtime's shared library, copied beside the plugin")
if(_strobe_ort AND NOT EXISTS "${STROBE_ONNXRUNTIME_LIBRARY}")   # the wheel was updated
  set(STROBE_ONNXRUNTIME_LIBRARY "${_strobe_ort}" CACHE FILEPATH "" FORCE)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OnnxRuntime REQUIRED_VARS STROBE_ONNXRUNTIME_INCLUDE_DIR)
if(OnnxRuntime_FOUND AND NOT TARGET OnnxRuntime::headers)
  add_library(OnnxRuntime::headers INTERFACE IMPORTED)
  set_target_properties(OnnxRuntime::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${STROBE_ONNXRUNTIME_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS ORT_API_MANUAL_INIT)
endif()
