# SPDX-License-Identifier: Apache-2.0
# Files of pkg-config, a tilefly-COMPONENT.pc for each component of the installed package (cmake/Package.cmake).
#
#   tilefly_pkg_config(network DESCRIPTION "..." ROOTS tilefly_network tilefly_qos)
#
# What the ROOTS link, followed from target to target, makes the file: archives of the component in the order in which
# a linker needs them, other components and packages of others as Requires. All archives are static, so a program needs
# them with what they need: nothing is private, `--static` adds nothing of ours. A shared library has what it needs in
# itself. Libraries of objects (the RTL, devices that make themselves known) are no archives and are in no file.

# Packages of others by the targets that stand for them; "-": headers without a package, which compilers find.
set(TILEFLY_PACKAGE_OF_ZLIB::ZLIB zlib)
set(TILEFLY_PACKAGE_OF_fmt::fmt fmt)
set(TILEFLY_PACKAGE_OF_yaml-cpp yaml-cpp)
set(TILEFLY_PACKAGE_OF_nlohmann_json::nlohmann_json nlohmann_json)
set(TILEFLY_PACKAGE_OF_PkgConfig::PCAP libpcap)
set(TILEFLY_PACKAGE_OF_tilefly::systemc_library systemc)
set(TILEFLY_PACKAGE_OF_Boost::headers -)
set(TILEFLY_LIBS_OF_Threads::Threads -pthread)
set(TILEFLY_LIBS_OF_atomic -latomic)
set(TILEFLY_LIBS_OF_dl -ldl)

# Adds what the target is and links to the caller's `archives`, each before those that it needs, `packages`, `libs`,
# `definitions` and `followed`.
function(tilefly_follow component target)
  get_property(theirs GLOBAL PROPERTY tilefly_component_of_${target})
  if(DEFINED TILEFLY_PACKAGE_OF_${target})
    list(APPEND packages ${TILEFLY_PACKAGE_OF_${target}})
  elseif(DEFINED TILEFLY_LIBS_OF_${target})
    list(PREPEND libs ${TILEFLY_LIBS_OF_${target}})
  elseif(NOT theirs)
    message(FATAL_ERROR "tilefly_pkg_config(${component}): it is not known how pkg-config calls ${target}")
  elseif(NOT theirs STREQUAL component)
    list(APPEND packages tilefly-${theirs})
  elseif(NOT target IN_LIST followed)
    list(APPEND followed ${target})
    get_target_property(type ${target} TYPE)
    get_target_property(linked ${target} INTERFACE_LINK_LIBRARIES)
    get_target_property(defined ${target} INTERFACE_COMPILE_DEFINITIONS)
    list(APPEND definitions ${defined})
    list(TRANSFORM linked REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1")
    foreach(one IN LISTS linked)
      if(one)
        tilefly_follow(${component} ${one})
      endif()
    endforeach()
    if(type MATCHES "^(STATIC|SHARED)_LIBRARY$")
      get_target_property(name ${target} OUTPUT_NAME)
      list(PREPEND archives -l${name})
    endif()
  endif()
  foreach(result IN ITEMS archives packages libs definitions followed)
    set(${result} ${${result}} PARENT_SCOPE)
  endforeach()
endfunction()

function(tilefly_pkg_config component)
  cmake_parse_arguments(PARSE_ARGV 1 P "" "DESCRIPTION" "ROOTS")
  foreach(list IN ITEMS archives packages libs definitions followed)
    set(${list} "")
  endforeach()
  foreach(root IN LISTS P_ROOTS)
    if(NOT TARGET ${root})
      return()  # a build without the RTL has parts of a component alone
    endif()
    tilefly_follow(${component} ${root})
  endforeach()
  list(REMOVE_DUPLICATES packages)
  list(REMOVE_DUPLICATES libs)
  list(REMOVE_ITEM packages - tilefly-${component})
  list(FILTER definitions EXCLUDE REGEX "NOTFOUND$|^$|\"")  # a shell would take quotes for text
  list(TRANSFORM definitions PREPEND -D)
  foreach(list IN ITEMS archives packages libs definitions)
    list(JOIN ${list} " " ${list})
  endforeach()
  list(JOIN TILEFLY_MACHINE " " machine)
  set(place ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH up /${place} /)
  string(REGEX REPLACE "/$" "" up ${up})
  set(file ${PROJECT_BINARY_DIR}/tilefly-${component}.pc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tilefly.pc.in ${file} @ONLY)
  install(FILES ${file} DESTINATION ${place} COMPONENT ${component})
endfunction()
