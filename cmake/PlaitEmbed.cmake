# SPDX-License-Identifier: BSD-2-Clause
# plait_embed_kernels(target file...): makes every function `void NAME(...)` of each kernel file a kernel of that name.
# Include "FILE.plait.h" (for kernels.c: "kernels.plait.h") in the program: it compiles the file as part of it and
# holds its text. The file may use `#ifndef PLAIT_JIT` around what only the program's own compiler needs, such as
# declarations of consts.
set(PLAIT_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/PlaitEmbedScript.cmake)

function(plait_embed_kernels target)
  foreach(file ${ARGN})
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME_WE)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels)
    set(header ${folder}/${name}.plait.h)
    add_custom_command(OUTPUT ${header}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${path} -DOUTPUT=${header} -P ${PLAIT_EMBED_SCRIPT}
      DEPENDS ${path} ${PLAIT_EMBED_SCRIPT} COMMENT "Embedding kernels of ${file}" VERBATIM)
    target_sources(${target} PRIVATE ${header})
    target_include_directories(${target} PRIVATE ${folder})
  endforeach()
endfunction()
