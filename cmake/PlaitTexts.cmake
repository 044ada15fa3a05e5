# SPDX-License-Identifier: BSD-2-Clause
# plait_texts(output file...): a C source in which each file NAME.PLACE.inc is the string pl_template_NAME_PLACE, without
# the SPDX line. For texts that are compiled at run time.
function(plait_texts output)
  set(source "")
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(REPLACE "/* SPDX-License-Identifier: BSD-2-Clause\n *" "/*" text "${text}")
    string(HEX "${text}" hex)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    get_filename_component(name ${file} NAME)
    string(REGEX REPLACE "^(.*)\\.(.*)\\.inc$" "pl_template_\\1_\\2" name ${name})
    string(APPEND source "extern const char ${name}[];\nconst char ${name}[] = {${bytes}0};\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${source}" @ONLY)
endfunction()
