# SPDX-License-Identifier: Apache-2.0
# TILEFLY_FAST: the profile of which ways the program's code takes, which the compiler reads (scripts/build fast). The
# name of its file has a digest of what is in it, so another profile compiles everything anew. Code that training has not
# run is compiled as without.
set(TILEFLY_FAST "" CACHE FILEPATH "Profile of a training that the code is compiled by")
if(TILEFLY_FAST)
  if(NOT EXISTS ${TILEFLY_FAST})
    message(FATAL_ERROR "TILEFLY_FAST: there is no profile ${TILEFLY_FAST}; scripts/build fast makes one")
  endif()
  add_compile_options(-fprofile-use=${TILEFLY_FAST} -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date
                      -Wno-backend-plugin)
endif()
