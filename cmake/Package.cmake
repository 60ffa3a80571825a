# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` leaves for find_package(tilefly): targets tilefly::NAME, in components.
#
#   tilefly_export(network TARGETS tilefly_topology HEADERS)
#
# puts tilefly_topology into the component `network`, there and in this tree as tilefly::topology. HEADERS: the headers of the
# caller's folder, where includes have the same paths as in the source tree. EXCEPT names folders without.
# tilefly_install_package() comes last.

include(CMakePackageConfigHelpers)

set(TILEFLY_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR}/tilefly)
set(TILEFLY_PACKAGEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/tilefly)

function(tilefly_export component)
  cmake_parse_arguments(PARSE_ARGV 1 E "HEADERS" "" "TARGETS;EXCEPT")
  foreach(target IN LISTS E_TARGETS)
    string(REGEX REPLACE "^tilefly_" "" name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    add_library(tilefly::${name} ALIAS ${target})
    install(TARGETS ${target} EXPORT tilefly-${component} OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilefly)
  endforeach()
  set_property(GLOBAL APPEND PROPERTY tilefly_components ${component})
  if(NOT E_HEADERS)
    return()
  endif()
  file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  list(TRANSFORM E_EXCEPT REPLACE "(.+)" "PATTERN;\\1;EXCLUDE" OUTPUT_VARIABLE exclusions)
  install(DIRECTORY . DESTINATION ${TILEFLY_INCLUDEDIR}/${room} FILES_MATCHING PATTERN *.h ${exclusions})
endfunction()

function(tilefly_install_package)
  get_property(TILEFLY_COMPONENTS GLOBAL PROPERTY tilefly_components)
  list(REMOVE_DUPLICATES TILEFLY_COMPONENTS)
  foreach(component IN LISTS TILEFLY_COMPONENTS)
    install(EXPORT tilefly-${component} FILE tilefly-${component}.cmake NAMESPACE tilefly:: DESTINATION ${TILEFLY_PACKAGEDIR})
  endforeach()
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tilefly-config.cmake.in ${PROJECT_BINARY_DIR}/tilefly-config.cmake
                                INSTALL_DESTINATION ${TILEFLY_PACKAGEDIR})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/tilefly-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/tilefly-config.cmake ${PROJECT_BINARY_DIR}/tilefly-config-version.cmake
                ${PROJECT_SOURCE_DIR}/cmake/SystemC.cmake DESTINATION ${TILEFLY_PACKAGEDIR})
endfunction()
