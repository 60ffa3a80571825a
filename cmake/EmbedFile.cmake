# SPDX-License-Identifier: Apache-2.0
# Turns a text file into a C++ source with one constant.
#
#   include(EmbedFile)
#   tilefly_embed_file(TARGET tilefly_runs FILE runs/report/template.html
#                      SYMBOL tilefly::runs::kReportTemplate PARTS style.css base.js)
#
# defines `extern const char* const tilefly::runs::kReportTemplate` in a source of TARGET. In FILE a line with
# `/*@include NAME@*/` is replaced by the text of NAME, one of PARTS, which lie beside FILE. The same file is the script
# that does it: cmake -DFILE= -DSYMBOL= -DOUTPUT= -P EmbedFile.cmake

function(tilefly_embed_file)
  cmake_parse_arguments(ARG "" "TARGET;FILE;SYMBOL" "PARTS" ${ARGN})
  get_filename_component(file ${ARG_FILE} ABSOLUTE)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(stem ${file} NAME)
  list(TRANSFORM ARG_PARTS PREPEND ${folder}/ OUTPUT_VARIABLE parts)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${ARG_TARGET}_${stem}.cc)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DFILE=${file} -DSYMBOL=${ARG_SYMBOL} -DOUTPUT=${output}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${file} ${parts} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    COMMENT "Embedding ${ARG_FILE}"
    VERBATIM)
  target_sources(${ARG_TARGET} PRIVATE ${output})
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

get_filename_component(folder ${FILE} DIRECTORY)
file(READ ${FILE} text)
while(text MATCHES "/\\*@include ([A-Za-z0-9_.-]+)@\\*/")
  set(directive "${CMAKE_MATCH_0}")
  file(READ ${folder}/${CMAKE_MATCH_1} part)
  string(REPLACE "${directive}" "${part}" text "${text}")
endwhile()
if(text MATCHES "\\)embedded\"")
  message(FATAL_ERROR "${FILE}: contains the end mark of the raw string")
endif()

string(REGEX MATCH "^(.*)::([A-Za-z0-9_]+)$" matched ${SYMBOL})
set(space ${CMAKE_MATCH_1})
set(name ${CMAKE_MATCH_2})
file(WRITE ${OUTPUT} "// Made by cmake/EmbedFile.cmake; do not edit.
namespace ${space} {
extern const char* const ${name};
const char* const ${name} = R\"embedded(${text})embedded\";
}  // namespace ${space}
")
