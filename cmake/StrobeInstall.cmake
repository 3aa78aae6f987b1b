# SPDX-License-Identifier: Apache-2.0
# find_package(strobe) gives strobe::strobe: the library and its public headers. What is installed may be moved: the
# program, the plugins and the zoo are found relative to the library.
include(CMakePackageConfigHelpers)

# The library looks for its data in share/ beside its own folder, whatever that is called (lib, lib64).
cmake_path(SET _strobe_data NORMALIZE ${CMAKE_INSTALL_LIBDIR}/../share/strobe)

install(TARGETS strobe EXPORT strobe-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS strobe_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/strobe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The plugins' run path is the same in a build folder as here, so they are copied; there is none without a runtime.
install(DIRECTORY ${PROJECT_BINARY_DIR}/lib/strobe DESTINATION ${CMAKE_INSTALL_LIBDIR} USE_SOURCE_PERMISSIONS OPTIONAL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/zoo DESTINATION ${_strobe_data}/python
        FILES_MATCHING PATTERN *.py PATTERN models.json PATTERN *_test.py EXCLUDE PATTERN __pycache__ EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/src/cli/pftrace.py DESTINATION ${_strobe_data}/python)
install(FILES ${PROJECT_SOURCE_DIR}/docs/record.schema.json DESTINATION ${_strobe_data} OPTIONAL)
install(EXPORT strobe-targets NAMESPACE strobe:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/strobe)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/strobe-config.cmake.in ${PROJECT_BINARY_DIR}/strobe-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/strobe)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/strobe-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/strobe-config.cmake ${PROJECT_BINARY_DIR}/strobe-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/strobe)
