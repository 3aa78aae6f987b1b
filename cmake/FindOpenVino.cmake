# SPDX-License-Identifier: Apache-2.0
# OpenVINO's C header, and the folder of its libraries, as its Python package brings them ('make openvino' installs it into
# .venv). Nothing is linked, and nothing is downloaded here.
file(GLOB _strobe_openvino ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/openvino)
find_path(STROBE_OPENVINO_INCLUDE_DIR openvino/c/openvino.h HINTS ${_strobe_openvino} PATH_SUFFIXES include NO_DEFAULT_PATH)
if(STROBE_OPENVINO_INCLUDE_DIR)
  get_filename_component(STROBE_OPENVINO_FOLDER ${STROBE_OPENVINO_INCLUDE_DIR}/../libs ABSOLUTE)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenVino REQUIRED_VARS STROBE_OPENVINO_INCLUDE_DIR STROBE_OPENVINO_FOLDER)
if(OpenVino_FOUND AND NOT TARGET OpenVino::headers)
  add_library(OpenVino::headers INTERFACE IMPORTED)
  set_target_properties(OpenVino::headers PROPERTIES
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${STROBE_OPENVINO_INCLUDE_DIR}
    INTERFACE_INCLUDE_DIRECTORIES ${STROBE_OPENVINO_INCLUDE_DIR})
endif()
