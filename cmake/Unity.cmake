# SPDX-License-Identifier: Apache-2.0
# tilefly_unite(target [ALONE file...]): compiles the sources of `target` in groups, each as one text: most of the time of a
# compiler goes into headers and what is instantiated from them, which is then done once for a group. Names of a source's
# unnamed namespace must differ from those of the others of its target; ALONE: sources in which they do not, or that have
# properties of their own. To be called in the folder of the sources, when they are all known.
#
# CMake's UNITY_BUILD names the sources by absolute paths. Here they are relative to the project, so that ccache knows what
# another checkout has compiled.
#
# -DTILEFLY_UNITY=OFF compiles each source by itself: slower as a whole, faster for who edits one of them.

option(TILEFLY_UNITY "Compile sources of a library in groups" ON)
set(TILEFLY_UNITY_SIZE 8)  # sources of a group: more take less time in all, and longer each

function(tilefly_unite target)
  if(NOT TILEFLY_UNITY)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 U "" "" "ALONE")
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  set(texts "")
  set(count 0)
  foreach(source IN LISTS sources)
    get_filename_component(path ${source} ABSOLUTE)
    file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${path})
    if(name IN_LIST U_ALONE)
      list(REMOVE_ITEM U_ALONE ${name})
      continue()
    endif()
    math(EXPR group "${count} / ${TILEFLY_UNITY_SIZE}")
    math(EXPR count "${count} + 1")
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${path})
    string(APPEND text_${group} "#include \"${name}\"\n")
    list(APPEND texts ${group})
    set_source_files_properties(${path} PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
  if(U_ALONE)
    message(FATAL_ERROR "tilefly_unite(${target} ALONE ${U_ALONE}): no source of ${target}; name its sources as they are")
  endif()
  list(REMOVE_DUPLICATES texts)
  foreach(group IN LISTS texts)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/groups/${target}_${group}.cc)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text_${group}}" @ONLY)
    target_sources(${target} PRIVATE ${file})
  endforeach()
endfunction()
