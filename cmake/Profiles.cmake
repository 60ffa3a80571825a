# SPDX-License-Identifier: Apache-2.0
# TILEFLY_PROFILES: names of the profiles whose models are built: TILEFLY_MODELS and the users' own
# (TILEFLY_EXTRA_PROFILES). The generated files of TILEFLY_OWN_PROFILES, the users' names among them, go to <build>/profiles,
# in the same places as in the source tree.

set(TILEFLY_PROFILES ${TILEFLY_MODELS})

set(TILEFLY_EXTRA_DIR ${PROJECT_BINARY_DIR}/profiles)
set(TILEFLY_OWN_PROFILES "")
set(extra_arguments "")
foreach(file IN LISTS TILEFLY_EXTRA_PROFILES)
  list(APPEND extra_arguments --extra ${file})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
if(extra_arguments)
  execute_process(
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/generate ${extra_arguments} --into ${TILEFLY_EXTRA_DIR}
    COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS ${TILEFLY_EXTRA_DIR}/names.txt TILEFLY_OWN_PROFILES)
  list(APPEND TILEFLY_PROFILES ${TILEFLY_OWN_PROFILES})
endif()

# Sets `result` to the path of the SystemVerilog package of `profile`.
function(tilefly_package result profile)
  set(path rtl/pkg/${profile}/tilefly_pkg.sv)
  foreach(root ${PROJECT_SOURCE_DIR} ${TILEFLY_EXTRA_DIR})
    if(EXISTS ${root}/${path})
      set(${result} ${root}/${path} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "profile '${profile}': no ${path}; known profiles: ${TILEFLY_PROFILES}")
endfunction()
