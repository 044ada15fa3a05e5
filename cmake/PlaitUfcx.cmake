# SPDX-License-Identifier: BSD-2-Clause
# plait_ufcx(target forms.py...): makes the weak forms of each UFL file kernels of the target. FFCx compiles them at
# build time; plait_ufcx.py names them. Include "forms.plait.h" (for forms.py) and pass poisson_a_cell or the like
# to pl_par_loop. A file forms.ufcx.c beside forms.py is used instead, so that neither Python nor FFCx is needed,
# unless PLAIT_UFCX_GENERATE is on. FFCX names the compiler.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/PlaitEmbed.cmake)
set(PLAIT_UFCX_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/plait_ufcx.py)
option(PLAIT_UFCX_GENERATE "Compile weak forms by FFCx even where their kernels are in the source" OFF)

function(plait_ufcx target)
  foreach(forms ${ARGN})
    get_filename_component(path ${forms} ABSOLUTE)
    get_filename_component(name ${forms} NAME_WE)
    string(REGEX REPLACE "\\.py$" ".ufcx.c" kernels ${path})
    if(PLAIT_UFCX_GENERATE OR NOT EXISTS ${kernels})
      find_program(FFCX ffcx)
      find_package(Python3 COMPONENTS Interpreter)
      if(NOT FFCX OR NOT Python3_FOUND)
        message(FATAL_ERROR "plait_ufcx: ${forms} needs FFCx: pip install fenics-ffcx, or set FFCX to its command")
      endif()
      set(kernels ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels/${name}.ufcx.c)
      add_custom_command(OUTPUT ${kernels}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels
        COMMAND ${CMAKE_COMMAND} -E env FFCX=${FFCX} ${Python3_EXECUTABLE} ${PLAIT_UFCX_SCRIPT} ${path} -o ${kernels}
        DEPENDS ${path} ${PLAIT_UFCX_SCRIPT} COMMENT "Compiling the weak forms of ${forms}" VERBATIM)
    endif()
    plait_embed_kernels(${target} ${kernels})
  endforeach()
endfunction()
