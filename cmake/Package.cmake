# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` leaves for find_package(tilefly): targets tilefly::NAME, in components.
#
#   tilefly_export(network TARGETS tilefly_topology HEADERS)
#
# puts tilefly_topology into the component `network`, there and in this tree as tilefly::topology. Its archive is
# libtilefly_*.a, a shared library libtilefly_*.so. HEADERS: the headers of the caller's folder, where includes have the
# same paths as in the source tree. EXCEPT names folders without.
#
# The components are those of `cmake --install --component`, too, with `program`, `data` and `documents`. Targets that
# are installed without an export are told by tilefly_install_builds(program tilefly). tilefly_begin_install() comes
# before all that is installed, tilefly_install_package() last.

include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/PkgConfig.cmake)

set(TILEFLY_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR}/tilefly)
set(TILEFLY_PACKAGEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/tilefly)

# TILEFLY_MACHINE: the compiler's flags that choose processors, as "-march=native"; empty: all of the architecture.
# What is built with them says so when it is installed, and in the package.
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
string(REGEX MATCHALL " -m[^ ]+" TILEFLY_MACHINE " ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
list(TRANSFORM TILEFLY_MACHINE STRIP)
list(FILTER TILEFLY_MACHINE EXCLUDE REGEX "^-m(tune=.*|32|64)$")

# What each component needs, in the order in which it is loaded, as far as it is built: `fst` is there with TILEFLY_RTL or
# TILEFLY_SYSTEMC, and of `cosim` only what needs no waves without both.
set(TILEFLY_NEEDS_fst golden)
set(TILEFLY_NEEDS_network golden)
set(TILEFLY_NEEDS_systemc golden network fst)
set(TILEFLY_NEEDS_reference device)
set(TILEFLY_NEEDS_cosim golden network fst device)
set(TILEFLY_NEEDS_commands golden network fst device cosim)
set(TILEFLY_NEEDS_systemc_rtl golden network fst device systemc cosim)

# Checks, builds and says what tilefly-install.cmake has, before the first file is installed.
function(tilefly_begin_install)
  install(SCRIPT ${PROJECT_BINARY_DIR}/tilefly-install.cmake ALL_COMPONENTS)
endfunction()

# Target tilefly_install_COMPONENT builds what is installed with the component.
function(tilefly_install_builds component)
  if(NOT TARGET tilefly_install_${component})
    add_custom_target(tilefly_install_${component})
  endif()
  if(ARGN)
    add_dependencies(tilefly_install_${component} ${ARGN})
  endif()
endfunction()

function(tilefly_export component)
  cmake_parse_arguments(PARSE_ARGV 1 E "HEADERS" "" "TARGETS;EXCEPT")
  foreach(target IN LISTS E_TARGETS)
    string(REGEX REPLACE "^tilefly_" "" name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME tilefly_${name})
    add_library(tilefly::${name} ALIAS ${target})
    install(TARGETS ${target} EXPORT tilefly-${component}
            ARCHIVE COMPONENT ${component} LIBRARY COMPONENT ${component}
            OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilefly COMPONENT ${component})
    set_property(GLOBAL PROPERTY tilefly_component_of_${target} ${component})
    tilefly_install_builds(${component} ${target})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY tilefly_components ${component})
  if(NOT E_HEADERS)
    return()
  endif()
  file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  list(TRANSFORM E_EXCEPT REPLACE "(.+)" "PATTERN;\\1;EXCLUDE" OUTPUT_VARIABLE exclusions)
  install(DIRECTORY . DESTINATION ${TILEFLY_INCLUDEDIR}/${room} COMPONENT ${component}
          FILES_MATCHING PATTERN *.h ${exclusions})
endfunction()

# What pkg-config is told of the components that are here; systemc_rtl is made of objects.
function(tilefly_install_pkg_config components)
  set(of_golden "the switch, equal to its RTL in every cycle" ROOTS tilefly_golden)
  set(of_network "systems of golden switches, traffic, workloads, Deficit Tables" ROOTS tilefly_network tilefly_qos)
  set(of_fst "files of waves and transactions" ROOTS tilefly_fst)
  set(of_systemc "transaction models of the switch and its NICs in SystemC" ROOTS tilefly_systemc)
  set(of_device "the header of a switch in a shared library" ROOTS tilefly_device)
  set(of_reference "the bench of the conformance kit for other simulators" ROOTS tilefly_ref)
  set(of_cosim "devices in lockstep, whole runs with their results, without the RTL" ROOTS tilefly_runs)
  foreach(component IN ITEMS golden network fst systemc device reference cosim)
    if(component IN_LIST components)
      tilefly_pkg_config(${component} DESCRIPTION ${of_${component}})
    endif()
  endforeach()
endfunction()

function(tilefly_install_package)
  get_property(TILEFLY_COMPONENTS GLOBAL PROPERTY tilefly_components)
  list(REMOVE_DUPLICATES TILEFLY_COMPONENTS)
  foreach(component IN LISTS TILEFLY_COMPONENTS)
    install(EXPORT tilefly-${component} FILE tilefly-${component}.cmake NAMESPACE tilefly::
            DESTINATION ${TILEFLY_PACKAGEDIR} COMPONENT ${component})
    set(needs ${TILEFLY_NEEDS_${component}})
    set(missing ${needs})
    list(REMOVE_ITEM missing ${TILEFLY_COMPONENTS})
    list(REMOVE_ITEM needs ${missing})
    list(TRANSFORM needs PREPEND tilefly_install_ OUTPUT_VARIABLE needed)
    tilefly_install_builds(${component} ${needed})
    string(APPEND TILEFLY_NEEDS "set(tilefly_needs_${component} ${needs})\n")
  endforeach()
  set(TILEFLY_INSTALLED ${TILEFLY_COMPONENTS})
  if(TARGET tilefly_install_program)
    list(APPEND TILEFLY_INSTALLED program)
  endif()
  list(TRANSFORM TILEFLY_INSTALLED PREPEND tilefly_install_ OUTPUT_VARIABLE builds)
  add_custom_target(tilefly_install)
  add_dependencies(tilefly_install ${builds})
  tilefly_install_pkg_config("${TILEFLY_COMPONENTS}")
  list(JOIN TILEFLY_MACHINE " " machine)
  get_property(TILEFLY_BLOCK_PROGRAMS GLOBAL PROPERTY tilefly_block_programs)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tilefly-install.cmake.in ${PROJECT_BINARY_DIR}/tilefly-install.cmake @ONLY)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tilefly-config.cmake.in ${PROJECT_BINARY_DIR}/tilefly-config.cmake
                                INSTALL_DESTINATION ${TILEFLY_PACKAGEDIR})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/tilefly-config-version.cmake COMPATIBILITY SameMinorVersion)
  foreach(component IN ITEMS golden device)  # one of them is in every set of components
    install(FILES ${PROJECT_BINARY_DIR}/tilefly-config.cmake ${PROJECT_BINARY_DIR}/tilefly-config-version.cmake
                  ${PROJECT_SOURCE_DIR}/cmake/SystemC.cmake DESTINATION ${TILEFLY_PACKAGEDIR} COMPONENT ${component})
  endforeach()
  if(machine)
    string(CONCAT text "Built with ${machine}: what is installed runs on processors like this machine's alone. For "
           "others: scripts/install DIR")
    install(CODE "if(NOT TILEFLY_INSTALL_BUILT)\n  message(STATUS \"${text}\")\nendif()" ALL_COMPONENTS)
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tilefly-installed.cmake.in ${PROJECT_BINARY_DIR}/tilefly-installed.cmake @ONLY)
  install(SCRIPT ${PROJECT_BINARY_DIR}/tilefly-installed.cmake ALL_COMPONENTS)
  if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DPREFIX=${CMAKE_INSTALL_PREFIX}
                                        -P ${PROJECT_SOURCE_DIR}/cmake/tilefly-uninstall.cmake VERBATIM)
  endif()
endfunction()
