# SPDX-License-Identifier: BSD-2-Clause
# Read by cpack before it makes packages (PlaitPackages.cmake): their date and their dependencies.

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # the first line of a component's description is its own

# Equal sources give equal files: all dates are that of the last commit, or of the changelog where there is no git.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${CPACK_PLAIT_SOURCE}
    OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT date)
    file(TIMESTAMP ${CPACK_PLAIT_SOURCE}/CHANGELOG.md date "%s" UTC)
  endif()
  set(ENV{SOURCE_DATE_EPOCH} ${date})
endif()

# Sets FIELD, for each field, to the packages that files need: plait_dependencies(-dFIELD files... [-dFIELD files...]...).
function(plait_dependencies)
  file(WRITE ${CPACK_PLAIT_BUILD}/debian/control "") # dpkg-shlibdeps wants one
  execute_process(COMMAND dpkg-shlibdeps -O -l. --ignore-missing-info ${ARGN}
    WORKING_DIRECTORY ${CPACK_PLAIT_BUILD} RESULT_VARIABLE status OUTPUT_VARIABLE fields ERROR_VARIABLE problem)
  file(REMOVE_RECURSE ${CPACK_PLAIT_BUILD}/debian)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "dpkg-shlibdeps (Debian: dpkg-dev): ${problem}")
  endif()
  foreach(field Depends Recommends Suggests)
    string(REGEX MATCH "shlibs:${field}=([^\n]*)" found "${fields}")
    set(${field} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endforeach()
endfunction()

set(files -dDepends libplait.so -dRecommends)
foreach(module ${CPACK_PLAIT_MODULES})
  if(module STREQUAL "scotch") # this one and those after it are for few programs
    list(APPEND files -dSuggests)
  endif()
  list(APPEND files libplait-${module}.so)
endforeach()
plait_dependencies(${files})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "${Depends}")
string(JOIN ", " CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS gcc libc6-dev ${Recommends}) # loops are compiled at run time
string(JOIN ", " CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS libopencl1 ${Suggests})

plait_dependencies(-dDepends apps/plait/plait)
set(same "libplait${CPACK_PLAIT_INTERFACE} (= ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "${same}, ${Depends}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${same}")
if(CPACK_PLAIT_LIBDIR MATCHES "/") # lib/x86_64-linux-gnu: other architectures have folders of their own
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_MULTIARCH same)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_MULTIARCH same)
endif()

# Who links the library needs this package; and a new library needs a new cache of the dynamic linker.
set(control ${CPACK_PLAIT_BUILD}/CMakeFiles/debian)
set(shlibs "${CPACK_PLAIT_INTERFACE} libplait${CPACK_PLAIT_INTERFACE} (>= ${CPACK_PACKAGE_VERSION})")
file(WRITE ${control}/shlibs "libplait ${shlibs}\nlibplait-mesh ${shlibs}\n")
file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${control}/shlibs;${control}/triggers")
