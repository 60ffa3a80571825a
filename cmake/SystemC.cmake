# SPDX-License-Identifier: Apache-2.0
# Target tilefly_sc: SystemC with TLM-2.0, as systemc/ needs it. Says what it found and what it needs. The library must be
# built for the C++ standard of its users (its `sc_api_version` symbol says so): a program is linked to see.

set(TILEFLY_SYSTEMC_LEAST 2.3.4)
set(hint "install libsystemc-dev (scripts/setup does), set PKG_CONFIG_PATH to another SystemC, or configure with -DTILEFLY_SYSTEMC=OFF")

find_package(PkgConfig QUIET)
if(NOT PkgConfig_FOUND)
  message(FATAL_ERROR "SystemC is looked for with pkg-config, which is not there: ${hint}")
endif()
pkg_check_modules(SYSTEMC IMPORTED_TARGET systemc)
if(NOT SYSTEMC_FOUND)
  message(FATAL_ERROR "SystemC: no package 'systemc' of pkg-config: ${hint}")
endif()
if(SYSTEMC_VERSION VERSION_LESS TILEFLY_SYSTEMC_LEAST)
  message(FATAL_ERROR "SystemC ${SYSTEMC_VERSION} is older than ${TILEFLY_SYSTEMC_LEAST}: ${hint}")
endif()

add_library(tilefly_sc INTERFACE)
target_link_libraries(tilefly_sc INTERFACE PkgConfig::SYSTEMC)
target_compile_definitions(tilefly_sc INTERFACE SC_INCLUDE_DYNAMIC_PROCESSES)

include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::SYSTEMC)
set(CMAKE_REQUIRED_FLAGS "-std=c++${CMAKE_CXX_STANDARD}")
check_cxx_source_compiles("
#include <systemc>
#include <tlm>
int sc_main(int, char**) { return 0; }
int main(int argc, char** argv) { return sc_core::sc_elab_and_sim(argc, argv); }" TILEFLY_SYSTEMC_LINKS)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT TILEFLY_SYSTEMC_LINKS)
  message(FATAL_ERROR "SystemC ${SYSTEMC_VERSION} does not link as C++${CMAKE_CXX_STANDARD}: it is built for another standard "
                      "(a missing symbol sc_api_version_* says for which); build it with -DCMAKE_CXX_STANDARD=${CMAKE_CXX_STANDARD}. Or: ${hint}")
endif()
message(STATUS "SystemC ${SYSTEMC_VERSION}, C++${CMAKE_CXX_STANDARD}")
