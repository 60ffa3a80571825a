# SPDX-License-Identifier: Apache-2.0
# tilefly_verilate(TARGET name TOP module PROFILE profile
#                  [SOURCES file...] [PARAMS name=value...] [ARGS verilator-argument...] [TRACE] [COVERAGE]
#                  [PARTS n] [QUICK])
#
# A static library `name` with the Verilated module `module`: class V<name>, header "V<name>.h", built only when
# something links it. Modules are found by name in the folders of rtl/; SOURCES (relative to the caller's folder) are
# for what nobody instantiates or what is not in rtl/: checkers attached by bind, wrappers. TRACE adds FST waves,
# COVERAGE line and user coverage. A large model is compiled in PARTS files side by side, a
# QUICK one with -O1, for it runs for less time than that saves. Without TILEFLY_RTL it does nothing.

# Target tilefly_fst: writer and reader of FST files, "gtkwave/fstapi.h", of which Verilator brings a copy. Its library for
# traced models contains them: where that is built, it is the same.

if(TILEFLY_RTL OR TILEFLY_SYSTEMC)
  find_program(VERILATOR verilator REQUIRED)
  find_package(Threads REQUIRED)
  find_package(ZLIB REQUIRED)
  execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE VERILATOR_ROOT
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(verilator_include ${VERILATOR_ROOT}/include)
endif()

if(TILEFLY_RTL)
  add_library(verilated_runtime STATIC
    ${verilator_include}/verilated.cpp
    ${verilator_include}/verilated_cov.cpp
    ${verilator_include}/verilated_dpi.cpp
    ${verilator_include}/verilated_fst_c.cpp
    ${verilator_include}/verilated_save.cpp
    ${verilator_include}/verilated_threads.cpp)
  set_target_properties(verilated_runtime PROPERTIES POSITION_INDEPENDENT_CODE ON)  # devices in libraries have it, too
  target_include_directories(verilated_runtime SYSTEM PUBLIC
    $<BUILD_INTERFACE:${verilator_include}> $<BUILD_INTERFACE:${verilator_include}/vltstd>)
  target_compile_options(verilated_runtime PRIVATE -O2 -g0 -w)
  target_link_libraries(verilated_runtime PUBLIC Threads::Threads ZLIB::ZLIB atomic)
  add_library(tilefly_fst INTERFACE)
  target_link_libraries(tilefly_fst INTERFACE verilated_runtime)
  tilefly_export(fst TARGETS verilated_runtime tilefly_fst)
elseif(TILEFLY_SYSTEMC)
  set(sources fstapi.c fastlz.c lz4.c)
  list(TRANSFORM sources PREPEND ${verilator_include}/gtkwave/)
  set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX)
  add_library(tilefly_fst STATIC ${sources})
  target_include_directories(tilefly_fst SYSTEM PUBLIC $<BUILD_INTERFACE:${verilator_include}>)
  target_compile_definitions(tilefly_fst PRIVATE FST_CONFIG_INCLUDE="fst_config.h")
  target_compile_options(tilefly_fst PRIVATE -O2 -g0 -w -fno-sanitize=undefined)  # it writes words where they fit
  target_link_libraries(tilefly_fst PUBLIC Threads::Threads ZLIB::ZLIB)
  tilefly_export(fst TARGETS tilefly_fst)
endif()

function(tilefly_verilate)
  if(NOT TILEFLY_RTL)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 0 V "TRACE;COVERAGE;QUICK" "TARGET;TOP;PROFILE;PARTS" "SOURCES;PARAMS;ARGS")
  if(V_UNPARSED_ARGUMENTS OR NOT (V_TARGET AND V_TOP AND V_PROFILE))
    message(FATAL_ERROR "tilefly_verilate(TARGET name TOP module PROFILE profile ...): got '${ARGV}'")
  endif()
  set(prefix V${V_TARGET})
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${prefix})
  tilefly_package(package ${V_PROFILE})

  set(arguments --cc -O3 --x-assign fast --x-initial unique --assert --no-timing
      --top-module ${V_TOP} --prefix ${prefix} --Mdir ${dir} ${V_ARGS})
  if(V_TRACE)
    list(APPEND arguments --trace-fst --trace-structs)
  endif()
  if(V_COVERAGE)
    list(APPEND arguments --coverage-line --coverage-user)
  endif()
  foreach(param IN LISTS V_PARAMS)
    list(APPEND arguments -G${param})
  endforeach()
  file(GLOB rooms LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rtl/*)
  foreach(room IN LISTS rooms)
    if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${room} AND NOT room STREQUAL "rtl/pkg")
      list(APPEND arguments -y ${room})
    endif()
  endforeach()
  file(GLOB block_packages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rtl/*/*_pkg.sv)
  list(APPEND arguments ${package} ${block_packages})
  set(top ${V_TOP})
  foreach(source IN LISTS V_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND arguments ${source})
    get_filename_component(module ${source} NAME_WE)
    if(module STREQUAL V_TOP)
      set(top "")
    endif()
  endforeach()
  # The sources' paths appear in messages and in the generated code: relative, they are the same in every checkout.
  list(TRANSFORM arguments REPLACE "^${PROJECT_SOURCE_DIR}/(rtl|testbenches|cosim)/" "\\1/")

  if(NOT V_PARTS)
    set(V_PARTS 1)
  endif()
  set(fast "")
  math(EXPR last_part "${V_PARTS} - 1")
  foreach(part RANGE ${last_part})
    list(APPEND fast ${dir}/${prefix}__fast${part}.cpp)
  endforeach()
  set(slow ${dir}/${prefix}__slow.cpp)
  add_custom_command(
    OUTPUT ${fast} ${slow} ${dir}/${prefix}.h ${dir}/${prefix}__steps.h
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/run-verilator ${dir} ${prefix} ${V_PARTS} ${VERILATOR} ${arguments} ${top}
    DEPENDS ${PROJECT_SOURCE_DIR}/cmake/run-verilator ${PROJECT_SOURCE_DIR}/cmake/eval_steps.py
    DEPFILE ${dir}/${prefix}.d
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Verilating ${V_TARGET}"
    VERBATIM)
  add_library(${V_TARGET} STATIC EXCLUDE_FROM_ALL ${fast} ${slow} ${dir}/${prefix}.h)
  target_include_directories(${V_TARGET} SYSTEM PUBLIC $<BUILD_INTERFACE:${dir}>)
  # Waves cost more than evaluation: -O1 compiles a traced model in a third of the time.
  set(level -O2)
  if(V_TRACE OR V_QUICK)
    set(level -O1)
  endif()
  target_compile_options(${V_TARGET} PRIVATE ${level} -g0 -w ${TILEFLY_MACHINE})
  set_source_files_properties(${slow} PROPERTIES COMPILE_OPTIONS -O0)
  target_link_libraries(${V_TARGET} PUBLIC verilated_runtime)
endfunction()
