# SPDX-License-Identifier: Apache-2.0
# tilefly_unite(target [ALONE file...]): compiles the sources of `target` in groups, each as one text: most of the time of a
# compiler goes into headers and what is instantiated from them, which is then done once for a group. Names of a source's
# unnamed namespace must differ from those of the others of its target; ALONE: sources in which they do not.
#
# -DTILEFLY_UNITY=OFF compiles each source by itself: slower as a whole, faster for who edits one of them.

option(TILEFLY_UNITY "Compile sources of a library in groups" ON)
set(TILEFLY_UNITY_SIZE 8)  # sources of a group: more take less time in all, and longer each

function(tilefly_unite target)
  cmake_parse_arguments(PARSE_ARGV 1 U "" "" "ALONE")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TILEFLY_UNITY} UNITY_BUILD_BATCH_SIZE ${TILEFLY_UNITY_SIZE})
  set_source_files_properties(${U_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
