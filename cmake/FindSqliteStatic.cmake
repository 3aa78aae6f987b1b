# SPDX-License-Identifier: Apache-2.0
# SQLite as a static archive, which the distributions ship beside the shared library: the build folder must run on
# machines that have neither. Gives SqliteStatic::sqlite.
find_path(SqliteStatic_INCLUDE_DIR sqlite3.h)
find_library(SqliteStatic_LIBRARY NAMES libsqlite3.a sqlite3)   # the shared one where there is no archive

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SqliteStatic REQUIRED_VARS SqliteStatic_LIBRARY SqliteStatic_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "'make setup' installs it (libsqlite3-dev)")

if(SqliteStatic_FOUND AND NOT TARGET SqliteStatic::sqlite)
  add_library(SqliteStatic::sqlite UNKNOWN IMPORTED)
  set_target_properties(SqliteStatic::sqlite PROPERTIES IMPORTED_LOCATION ${SqliteStatic_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${SqliteStatic_INCLUDE_DIR}
                        INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
endif()
mark_as_advanced(SqliteStatic_INCLUDE_DIR SqliteStatic_LIBRARY)
