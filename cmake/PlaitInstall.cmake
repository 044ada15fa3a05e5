# SPDX-License-Identifier: BSD-2-Clause
# Installation: library, headers, CMake package, pkg-config file. Nothing in them names the build tree. The components are
# the packages of PlaitPackages.cmake: library, development, and tools (apps/plait).
include(CMakePackageConfigHelpers)

set(PLAIT_EXAMPLES first.c tutorial.c files.c picture.c restart.c plate.c plate.msh matrix.c solver.c brownian.c from_op2.c
  from_pyop2.c from_compyle.c from_kokkos.c)
set(PLAIT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/plait)
install(TARGETS plait plait-mesh EXPORT plaitTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
if(BUILD_SHARED_LIBS)
  foreach(module ${PLAIT_MODULES})
    install(TARGETS plait-${module} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
  endforeach()
endif()
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(FILES include/plait.h include/plait_fields.h include/plait_random.h include/plait_dlpack.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/plait DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
list(TRANSFORM PLAIT_EXAMPLES PREPEND tests/install/user/) # programs of the documentation
install(FILES ${PLAIT_EXAMPLES} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(EXPORT plaitTargets NAMESPACE plait:: DESTINATION ${PLAIT_CMAKE_DIR})
install(FILES cmake/PlaitEmbed.cmake cmake/PlaitEmbedScript.cmake cmake/PlaitUfcx.cmake cmake/plait_ufcx.py DESTINATION ${PLAIT_CMAKE_DIR})

configure_package_config_file(cmake/plaitConfig.cmake.in ${PROJECT_BINARY_DIR}/plaitConfig.cmake
  INSTALL_DESTINATION ${PLAIT_CMAKE_DIR})
set(compatible SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatible SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/plaitConfigVersion.cmake COMPATIBILITY ${compatible})
install(FILES ${PROJECT_BINARY_DIR}/plaitConfig.cmake ${PROJECT_BINARY_DIR}/plaitConfigVersion.cmake
  DESTINATION ${PLAIT_CMAKE_DIR})

# A static library leaves its own needs, and those of its modules, to whoever links it.
set(PLAIT_PC_PRIVATE "-lm -ldl")
if(PLAIT_HAVE_OPENMP)
  string(APPEND PLAIT_PC_PRIVATE " ${OpenMP_C_FLAGS}")
endif()
if(BUILD_SHARED_LIBS)
  set(PLAIT_PC_LIBS "")
else()
  foreach(module ${PLAIT_MODULES})
    get_target_property(libraries plait_${module} PLAIT_LIBRARIES)
    list(JOIN libraries " " words)
    string(APPEND PLAIT_PC_PRIVATE " ${words}")
  endforeach()
  set(PLAIT_PC_LIBS " ${PLAIT_PC_PRIVATE}")
endif()
# The installed folder may move, so the file says where it is itself; absolute folders stay what they are.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(PLAIT_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH PLAIT_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" PLAIT_PC_PREFIX "\${pcfiledir}/${PLAIT_PC_PREFIX}")
endif()
foreach(dir LIB INCLUDE)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_${dir}DIR})
    set(PLAIT_PC_${dir}DIR ${CMAKE_INSTALL_${dir}DIR})
  else()
    set(PLAIT_PC_${dir}DIR "\${prefix}/${CMAKE_INSTALL_${dir}DIR}")
  endif()
endforeach()
configure_file(cmake/plait.pc.in ${PROJECT_BINARY_DIR}/plait.pc @ONLY)
configure_file(cmake/plait-mesh.pc.in ${PROJECT_BINARY_DIR}/plait-mesh.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/plait.pc ${PROJECT_BINARY_DIR}/plait-mesh.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
