# find_package(strobe) gives strobe::strobe: the library and its four public headers.
include(CMakePackageConfigHelpers)

install(TARGETS strobe EXPORT strobe-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS strobe_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/strobe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_BINARY_DIR}/lib/strobe DESTINATION ${CMAKE_INSTALL_LIBDIR} USE_SOURCE_PERMISSIONS)
install(FILES ${PROJECT_SOURCE_DIR}/zoo/models.json DESTINATION ${CMAKE_INSTALL_DATADIR}/strobe/zoo)
install(FILES ${PROJECT_SOURCE_DIR}/docs/record.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/strobe)
install(EXPORT strobe-targets NAMESPACE strobe:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/strobe)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/strobe-config.cmake.in ${PROJECT_BINARY_DIR}/strobe-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/strobe)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/strobe-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/strobe-config.cmake ${PROJECT_BINARY_DIR}/strobe-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/strobe)
