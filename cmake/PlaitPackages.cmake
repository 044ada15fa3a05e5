# SPDX-License-Identifier: BSD-2-Clause
# Debian packages: `cpack -G DEB` in the build tree makes libplait0.2, libplait-dev and plait-tools of the components
# library, development and tools. Configure with -DCMAKE_INSTALL_PREFIX=/usr for the folder of Debian's libraries.

set(PLAIT_PACKAGE_CONTACT "The Plait authors <plait@example.org>" CACHE STRING "Maintainer of the Debian packages: NAME <ADDRESS>")
set(CPACK_PACKAGE_NAME plait)
set(CPACK_PACKAGE_VENDOR "The Plait authors")
set(CPACK_PACKAGE_CONTACT "${PLAIT_PACKAGE_CONTACT}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL library development tools)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/PlaitDebian.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/PlaitDebianFiles.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libplait${PLAIT_INTERFACE})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libplait-dev)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME plait-tools)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION science)

set(about "Plait runs loops over the cells, edges and points of an unstructured mesh,
or over particles: on one thread, on all threads, on GPUs, and on several
ranks by MPI. It generates and compiles the code of each loop at run time.
")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "parallel loops over unstructured meshes (library)
${about}
This package contains the shared library, and the modules that call MPI,
HDF5, METIS, PT-Scotch, hypre, MUMPS and PETSc. A module is loaded when a
program needs it, so the libraries of these packages may be missing.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "parallel loops over unstructured meshes (development files)
${about}
This package contains the headers, and the files for CMake and pkg-config.")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "parallel loops over unstructured meshes (command-line tool)
${about}
This package contains the program plait, which lists the backends, devices,
modules and options of a machine.")

# What PlaitDebian.cmake and PlaitDebianFiles.cmake need to know.
set(CPACK_PLAIT_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_PLAIT_BUILD ${PROJECT_BINARY_DIR})
set(CPACK_PLAIT_LIBDIR ${CMAKE_INSTALL_LIBDIR})
set(CPACK_PLAIT_INTERFACE ${PLAIT_INTERFACE})
set(CPACK_PLAIT_MODULES ${PLAIT_MODULES})
include(CPack)
