# SPDX-License-Identifier: Apache-2.0
# tilefly_find_systemc(problem): SystemC with TLM-2.0 as the target tilefly::systemc_library, as systemc/ and who
# links tilefly::systemc need it. Sets `problem` to what is wrong and what helps; empty: nothing. Sets
# TILEFLY_SYSTEMC_VERSION. Part of the installed package, too.
#
# It is looked for as the package SystemCLanguage, which a SystemC that was built with CMake installs, and then with
# pkg-config, as Debian and autoconf install it.
#
# SystemC's library has a symbol sc_api_version_* for the C++ standard that it was built for, and its headers demand
# the one of their user's. Tilefly's interface is that of C++17 (TILEFLY_SYSTEMC_DEFINITIONS says so to the headers,
# whatever later standard a user compiles with); a program is linked to see whether the library's is the same.

set(TILEFLY_SYSTEMC_LEAST 2.3.4)
set(TILEFLY_SYSTEMC_DEFINITIONS SC_INCLUDE_DYNAMIC_PROCESSES SC_CPLUSPLUS=201703L)

include(CheckCXXSourceCompiles)

function(tilefly_find_systemc problem)
  string(CONCAT help "install libsystemc-dev, or name the place of another SystemC: of one that CMake installed in "
         "CMAKE_PREFIX_PATH, of any other in PKG_CONFIG_PATH")
  set(none "SystemC: no package SystemCLanguage of CMake")
  find_package(SystemCLanguage CONFIG QUIET)
  if(SystemCLanguage_FOUND)
    set(version ${SystemCLanguage_VERSION})
    set(library SystemC::systemc)
    set(found ${SystemCLanguage_DIR})
  else()
    find_package(PkgConfig QUIET)
    if(NOT PkgConfig_FOUND)
      set(${problem} "${none}, and no pkg-config to look with: install pkg-config; ${help}" PARENT_SCOPE)
      return()
    endif()
    if(NOT TARGET PkgConfig::SYSTEMC)
      pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc)
    endif()
    if(NOT SYSTEMC_FOUND)
      set(${problem} "${none}, and no package 'systemc' of pkg-config: ${help}" PARENT_SCOPE)
      return()
    endif()
    set(version ${SYSTEMC_VERSION})
    set(library PkgConfig::SYSTEMC)
    set(found pkg-config)
  endif()
  set(TILEFLY_SYSTEMC_VERSION ${version} PARENT_SCOPE)
  if(version VERSION_LESS TILEFLY_SYSTEMC_LEAST)
    set(${problem} "SystemC ${version} (${found}) is older than ${TILEFLY_SYSTEMC_LEAST}: ${help}" PARENT_SCOPE)
    return()
  endif()

  set(CMAKE_REQUIRED_QUIET ON)
  set(CMAKE_REQUIRED_LIBRARIES ${library})
  set(CMAKE_REQUIRED_FLAGS "${CMAKE_CXX17_STANDARD_COMPILE_OPTION}")
  list(TRANSFORM TILEFLY_SYSTEMC_DEFINITIONS PREPEND -D OUTPUT_VARIABLE CMAKE_REQUIRED_DEFINITIONS)
  check_cxx_source_compiles("
#include <systemc>
#include <tlm>
int sc_main(int, char**) { return 0; }
int main(int argc, char** argv) { return sc_core::sc_elab_and_sim(argc, argv); }" TILEFLY_SYSTEMC_LINKS)
  if(NOT TILEFLY_SYSTEMC_LINKS)
    unset(TILEFLY_SYSTEMC_LINKS CACHE)  # another one may be there the next time
    string(CONCAT text "SystemC ${version} (${found}) does not link as C++17: it is built for another standard (a missing "
           "symbol sc_api_version_* says for which); build it with -DCMAKE_CXX_STANDARD=17, or: ${help}")
    set(${problem} "${text}" PARENT_SCOPE)
    return()
  endif()
  if(NOT TARGET tilefly::systemc_library)
    add_library(tilefly::systemc_library INTERFACE IMPORTED)
    target_link_libraries(tilefly::systemc_library INTERFACE ${library})
  endif()
  if(NOT tilefly_FIND_QUIETLY)
    message(STATUS "SystemC ${version}, C++17 (${found})")
  endif()
  set(${problem} "" PARENT_SCOPE)
endfunction()
